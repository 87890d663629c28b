// Verifies the chains of an export without a database. Detects removed, changed, moved, inserted and truncated entries.

import { type ChainHead, type ChainVerifier, createChainVerifier } from '../../access/audit/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { schemaErrors } from '../../kit/http/schema.ts';
import { AuditLogEntry, ExportHead, toChainedEntry } from './audit-log-entry.ts';

/** A chain of an export that is intact. */
interface IntactChain {
  chain: string;
  organisationId: string;
  entries: number;
  head: ChainHead | undefined;
  isSelection: boolean;
}

export type ExportVerification = { broken: { line: number; reason: string } } | { whole: IntactChain[] };

interface Section {
  head: ExportHead;
  organisationId: string;
  check: ChainVerifier;
  entries: number;
}

/** Verifies an export. `known` holds heads that a reader kept earlier: the export must contain the entry of each. */
export async function verifyExport(
  lines: AsyncIterable<string>,
  known: readonly ChainHead[] = [],
): Promise<ExportVerification> {
  const sections: Section[] = [];
  const missing = new Set(known);
  let line = 0;
  for await (const text of lines) {
    line += 1;
    const section = sections.at(-1);
    const value = parse(text);
    const begun = value === undefined ? undefined : startSection(value);
    const cut = begun && section ? checkEnd(section) : undefined;
    if (cut !== undefined) return { broken: { line, reason: cut } };
    if (begun) sections.push(begun);
    else {
      const reason = section
        ? checkEntry(section, value, missing)
        : 'the line is not the head of a chain, with which an export begins';
      if (reason !== undefined) return { broken: { line, reason } };
    }
  }
  const last = sections.at(-1);
  const reason = last ? checkEnd(last) : 'the export is empty';
  if (reason !== undefined) return { broken: { line: line + 1, reason } };
  const [lost] = missing;
  if (lost)
    return {
      broken: { line: line + 1, reason: `no chain in the export has entry ${lost.sequence} with the known hash` },
    };
  return { whole: sections.map(toIntactChain) };
}

// Only the exact text that was written is accepted. A duplicate field, for example, would have one value for JSON.parse
// and another for a human reader.
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

function startSection(value: unknown): Section | undefined {
  if (schemaErrors(ExportHead, value).length > 0) return undefined;
  const head = value as ExportHead; // validated above
  const organisationId = fromId('org', head.organisationId);
  if (!organisationId) return undefined;
  return { head, organisationId, check: createChainVerifier(head.isSelection), entries: 0 };
}

function checkEntry(section: Section, value: unknown, missing: Set<ChainHead>): string | undefined {
  if (value === undefined || schemaErrors(AuditLogEntry, value).length > 0)
    return 'the line does not have the form of an exported entry';
  const logged = value as AuditLogEntry; // validated above
  const entry = toChainedEntry(logged, section.organisationId);
  if (!entry || logged.chain !== section.head.chain) return 'the entry does not belong to this chain';
  const reason = section.check.verifyNext(entry);
  if (reason !== undefined) return `entry ${entry.sequence}: ${reason}`;
  for (const head of missing) {
    if (head.sequence === entry.sequence && head.hash === entry.hash) missing.delete(head);
  }
  section.entries += 1;
  return undefined;
}

// A selection has no known last entry.
function checkEnd({ head: { head, chain, isSelection }, check }: Section): string | undefined {
  if (isSelection) return undefined;
  const last = check.last();
  if (last?.sequence === head?.sequence && last?.hash === head?.hash) return undefined;
  return `the chain of ${chain} ends at entry ${last?.sequence ?? 0}, but its head is entry ${head?.sequence ?? 0}`;
}

const toIntactChain = ({ head, organisationId, check, entries }: Section): IntactChain => ({
  chain: head.chain,
  organisationId,
  entries,
  head: check.last(),
  isSelection: head.isSelection,
});

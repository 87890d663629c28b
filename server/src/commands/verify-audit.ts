// `slipway-server audit-verify`: verifies the chains of an export, or one in a database, and reports where a chain is
// broken.
import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Environment } from '../access/authority/index.ts';
import { type Config, ConfigError } from '../config/config.ts';
import { settingOf } from '../config/plane-settings.ts';
import {
  databaseSource,
  type ExportVerification,
  exportLines,
  splitLines,
  verifyExport,
} from '../inspector/audit-log/index.ts';
import { fromId, toId } from '../kit/crypto/ids.ts';
import { openDatabase } from '../kit/db/db.ts';
import { describeArgumentError } from '../kit/text/argument-error.ts';

export const VERIFY_USAGE = `slipway-server audit-verify FILE                verify the chains of an export; --head SEQUENCE:HASH requires this entry in it
slipway-server audit-verify --of sandbox|production|console --organisation ID    verify a chain in the database`;

const OPTIONS = {
  of: { type: 'string' },
  organisation: { type: 'string' },
  head: { type: 'string', multiple: true },
} as const;

/** Prints the result. Returns whether all chains are intact. */
export async function verifyAudit(args: string[], config: Config, print: (line: string) => void): Promise<boolean> {
  const { source, heads } = readArguments(args);
  const verdict =
    typeof source === 'string'
      ? await verifyExport(splitLines(createReadStream(source, 'utf8')), heads).catch(explainFile)
      : await verifyDatabase(source, config, heads);
  for (const line of describeVerdict(verdict)) print(line);
  return 'whole' in verdict;
}

interface StoredChain {
  of: Environment | 'console';
  organisationId: string;
}

interface Arguments {
  /** The file of an export, or a chain in a database. */
  source: string | StoredChain;
  heads: { sequence: number; hash: string }[];
}

function readArguments(args: string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
    const heads = (values.head ?? []).map(readHead);
    const [file, ...rest] = positionals;
    const of: StoredChain['of'] = values.of === 'console' || values.of === 'production' ? values.of : 'sandbox';
    const organisationId = fromId('org', values.organisation ?? '');
    const chain = values.of === of && organisationId !== undefined ? { of, organisationId } : undefined;
    const source = file ?? chain;
    const isOne = rest.length === 0 && (file === undefined || chain === undefined);
    if (isOne && source !== undefined) return { source, heads };
  } catch (error) {
    throw new ConfigError(`${describeArgumentError(error)}\n${VERIFY_USAGE}`);
  }
  throw new ConfigError(`Name an export file, or a database with --of and --organisation.\n${VERIFY_USAGE}`);
}

function readHead(text: string): { sequence: number; hash: string } {
  const [, sequence, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (sequence === undefined || hash === undefined) throw new Error('--head must be SEQUENCE:HASH.');
  return { sequence: Number(sequence), hash };
}

function explainFile(error: unknown): never {
  throw new ConfigError(`The export cannot be read: ${error instanceof Error ? error.message : error}`, {
    cause: error,
  });
}

async function verifyDatabase(
  { of, organisationId }: StoredChain,
  config: Config,
  heads: Arguments['heads'],
): Promise<ExportVerification> {
  const url = config.need(of === 'console' ? 'SLIPWAY_CONSOLE_DATABASE_URL' : settingOf(of, 'DATABASE_URL'));
  const role = of === 'console' ? {} : { role: 'slipway_manager' };
  const db = openDatabase({ url, ...role, max: 1, queryTimeoutMs: 30_000, connectTimeoutMs: 5_000 });
  try {
    return await verifyExport(exportLines(databaseSource(db, of, organisationId)), heads);
  } finally {
    await db.close();
  }
}

function describeVerdict(verdict: ExportVerification): string[] {
  if ('broken' in verdict) return [`BROKEN at line ${verdict.broken.line}: ${verdict.broken.reason}.`];
  return verdict.whole.map(({ chain, organisationId, entries, head, isSelection }) => {
    const what = `${chain}, ${toId('org', organisationId)}: ${entries} ${entries === 1 ? 'entry' : 'entries'}`;
    if (isSelection)
      return `${what} of a selection, each unchanged. Missing entries cannot be detected in a selection.`;
    return head ? `${what}, complete. Keep its head: ${head.sequence}:${head.hash}` : `${what}.`;
  });
}

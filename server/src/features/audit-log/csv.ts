// An entry as a row of a table that people open in a spreadsheet: no cell is a formula, whatever somebody has written.
import type { LoggedEntry } from './logged-entry.ts';

const COLUMNS: Record<string, (entry: LoggedEntry) => string | number | null> = {
  chain: (entry) => entry.chain,
  sequence: (entry) => entry.sequence,
  at: (entry) => entry.at,
  actorKind: (entry) => entry.actor.kind,
  actorId: (entry) => entry.actor.id,
  actor: (entry) => entry.actor.name,
  action: (entry) => entry.action,
  target: (entry) => entry.target,
  appId: (entry) => entry.appId,
  detail: (entry) => JSON.stringify(entry.detail),
  requestId: (entry) => entry.requestId,
  clientAddress: (entry) => entry.clientAddress,
  id: (entry) => entry.id,
  previousHash: (entry) => entry.previousHash,
  hash: (entry) => entry.hash,
};

// What a spreadsheet takes for a formula, in its full width too (OWASP, "CSV Injection"). An apostrophe makes it a text.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** RFC 4180; every cell in quotes, so that a separator cannot begin another. */
export function csvRow(cells: readonly (string | number | null)[]): string {
  const quoted = cells.map((cell) => {
    const text = String(cell ?? '');
    return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  });
  return `${quoted.join(',')}\r\n`;
}

export const csvHead = (): string => csvRow(Object.keys(COLUMNS));
export const toCsv = (entry: LoggedEntry): string => csvRow(Object.values(COLUMNS).map((cell) => cell(entry)));

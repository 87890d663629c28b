// The revocation journal is a file outside the database that records removed access. Each line contains the signature
// of the previous line and is signed itself, so a changed, removed or inserted line is detected.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { deriveKey, type MasterKeys } from '../../kit/crypto/seal.ts';
import { canonicalJson } from '../../kit/text/json.ts';

export const REVOCATION_KINDS = [
  'key.revoked',
  'key.ends',
  'server.paused',
  'server.revoked',
  'scope.paused',
  'scope.revoked',
  'restriction.paused',
  'restriction.revoked',
  'app.suspended',
  'app.event_scopes',
] as const;
export type RevocationKind = (typeof REVOCATION_KINDS)[number];

/** Identifies removed access by identifiers alone. */
export interface Revocation {
  kind: RevocationKind;
  app: string;
  /** The id of the key, installation, grant, restricted server or app. */
  id: string;
  /** The scope of a restriction; `*` is the server as a whole. */
  scope?: string;
  /** The time at which a key ends. */
  until?: string;
}

export interface JournalLine extends Revocation {
  n: number;
  /** The id of its row in `revocations`. */
  revocation: number;
  at: string;
  /** The signature of the previous line; null for the first. */
  previous: string | null;
  /** The master key from which the signature is derived. */
  key: string;
  mac: string;
}

/** A position in a journal: the number of a line and its signature. */
export type JournalPosition = Pick<JournalLine, 'n' | 'mac'>;

/** Matches the end of any file: the position of a database that was reopened without its journal. */
export const UNKNOWN_END: JournalPosition = { n: 0, mac: '' };

/** Returns true if both are the same line, or if neither is a line. */
export function isSameJournalPosition(
  one: JournalPosition | null | undefined,
  other: JournalPosition | null | undefined,
): boolean {
  if (!one || !other) return !one && !other;
  const [left, right] = [Buffer.from(one.mac), Buffer.from(other.mac)];
  return one.n === other.n && left.length === right.length && timingSafeEqual(left, right);
}

/** An unusable journal; the message is a sentence for the operator. */
export class JournalError extends Error {}

const PURPOSE = 'slipway revocation journal';

function macOf(line: Omit<JournalLine, 'mac'>, { keys }: MasterKeys): Buffer {
  const key = keys[line.key];
  if (!key)
    throw new JournalError(`Line ${line.n} is signed under master key ${line.key.slice(1)}, which no setting names.`);
  return createHmac('sha256', Buffer.from(deriveKey(key, PURPOSE), 'base64'))
    .update(canonicalJson(line))
    .digest();
}

/** Signs a line that follows `previous`. */
export function signLine(
  revocation: Revocation & { revocation: number; at: string },
  previous: JournalPosition | undefined,
  masterKeys: MasterKeys,
): JournalLine {
  const line = { ...revocation, n: (previous?.n ?? 0) + 1, previous: previous?.mac ?? null, key: masterKeys.current };
  return { ...line, mac: macOf(line, masterKeys).toString('hex') };
}

/** Bytes. A line contains identifiers only. */
const LONGEST_LINE = 4_096;

export interface JournalFile {
  lines: JournalLine[];
  /** Bytes up to the end of the last complete line. */
  wholeSize: number;
  /** True if an incomplete last line follows, because writing it was interrupted. */
  isTorn: boolean;
}

/** Reads a journal and verifies each line. A missing file has no lines. */
export async function readJournal(file: string, masterKeys: MasterKeys): Promise<JournalFile> {
  const lines: JournalLine[] = [];
  let wholeSize = 0;
  let rest = Buffer.alloc(0);
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!found) return { lines, wholeSize, isTorn: false };
  // Reading a pipe would never end.
  if (!found.isFile()) throw new JournalError(`The journal ${file} is not a file.`);
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
      lines.push(verifyLine(bytes.toString('utf8', start, end), lines.length + 1, lines.at(-1), masterKeys));
      wholeSize += end + 1 - start;
      start = end + 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > LONGEST_LINE) throw new JournalError(`Line ${lines.length + 1} of the journal has no end.`);
  }
  return { lines, wholeSize, isTorn: rest.length > 0 };
}

/**
 * Reads a journal for a restored database. Rejects an incomplete last line: it is a revocation that the backup does not
 * contain.
 */
export async function readWholeJournal(file: string, masterKeys: MasterKeys): Promise<JournalLine[]> {
  const { lines, isTorn } = await readJournal(file, masterKeys);
  if (isTorn)
    throw new JournalError(
      `The journal ends within line ${lines.length + 1}: revocations are lost. Run the command without --journal.`,
    );
  return lines;
}

function verifyLine(text: string, n: number, previous: JournalLine | undefined, masterKeys: MasterKeys): JournalLine {
  let line: JournalLine;
  try {
    line = JSON.parse(text) as JournalLine; // its signature is verified below
  } catch {
    throw new JournalError(`Line ${n} of the journal is not JSON.`);
  }
  if (line === null || typeof line !== 'object' || typeof line.mac !== 'string' || typeof line.key !== 'string')
    throw new JournalError(`Line ${n} of the journal is not signed.`);
  if (line.n !== n || line.previous !== (previous?.mac ?? null))
    throw new JournalError(
      `Line ${n} of the journal does not follow the line before it: a line is missing or was put in.`,
    );
  const { mac, ...signed } = line;
  const [signature, expected] = [Buffer.from(mac, 'hex'), macOf(signed, masterKeys)];
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
    throw new JournalError(
      `Line ${n} of the journal was changed, or the journal is of another environment: its signature does not verify.`,
    );
  return line;
}

/** Appends lines. Resolves after they are flushed to the disk. */
export async function appendLines(file: string, lines: readonly JournalLine[]): Promise<void> {
  const handle = await open(file, 'a', 0o600);
  try {
    await handle.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

// Moves revocations from the database to the journal. After the line is flushed to the disk, one transaction deletes
// the row and records the line. A crash in between leaves a line and its row, which the next run recognises.

import { truncate } from 'node:fs/promises';
import type { MasterKeys } from '../../kit/crypto/seal.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import {
  appendLines,
  isSameJournalPosition,
  JournalError,
  type JournalFile,
  type JournalLine,
  type JournalPosition,
  readJournal,
  signLine,
  UNKNOWN_END,
} from './journal.ts';
import {
  closeRolledBack,
  deletePendingRevocations,
  deleteUnjournalled,
  findPendingRevocations,
  listPendingRevocations,
  lockJournalPosition,
  type PendingRevocationRow,
  setJournalPosition,
} from './journal-store.ts';

const EVERY_MS = 250;
const UNWANTED_EVERY_MS = 60_000;
const BATCH = 500;
const EMPTY_JOURNAL: JournalFile = { lines: [], wholeSize: 0, isTorn: false };

/** Starts the job. `file` is undefined if no journal is kept. */
export function startJournal(
  db: Database,
  file: string | undefined,
  masterKeys: MasterKeys,
  onError: (error: unknown) => void,
): Loop {
  if (file === undefined) return startLoop(() => deleteUnjournalled(db, BATCH), UNWANTED_EVERY_MS, onError);
  const write = createJournalWriter(db, file, masterKeys);
  return startLoop(write, EVERY_MS, onError);
}

export function createJournalWriter(db: Database, file: string, masterKeys: MasterKeys): () => Promise<void> {
  // The last line of the file. Only this process appends to the file. After a failure the whole file is read again.
  let tail: JournalLine | 'empty' | undefined;

  async function writeBatch(): Promise<void> {
    const isFresh = tail === undefined;
    const { lines, wholeSize, isTorn } = isFresh ? await readJournal(file, masterKeys) : EMPTY_JOURNAL;
    const last = isFresh ? lines.at(-1) : tail === 'empty' ? undefined : tail;
    tail = undefined;
    tail =
      (await db.transaction(async (tx) => {
        const position = await lockJournalPosition(tx);
        if (!isSameJournalPosition(position, last)) {
          if (!isFresh)
            throw new JournalError('Another worker writes the journal. Set the setting for one worker only.');
          if (!isSameJournalPosition(position, UNKNOWN_END) && !(await takeOver(tx, position, lines))) return last;
          await setJournalPosition(tx, last ? { n: last.n, mac: last.mac } : null);
        }
        // An incomplete line: the database still holds its revocation. While this transaction locks the position, no
        // other worker writes.
        if (isTorn) await truncate(file, wholeSize);
        const rows = await listPendingRevocations(tx, BATCH);
        if (rows.length === 0) return last;
        const signed: JournalLine[] = [];
        for (const { revocation_id: revocation, line, at } of rows) {
          const previous = signed.at(-1) ?? last;
          signed.push(signLine({ ...line, revocation, at: at.toISOString() }, previous, masterKeys));
        }
        await appendLines(file, signed);
        const end = signed.at(-1) ?? last;
        if (end) await setJournalPosition(tx, { n: end.n, mac: end.mac });
        await deletePendingRevocations(
          tx,
          rows.map((row) => row.revocation_id),
        );
        return end;
      })) ?? 'empty';
  }

  /**
   * Handles a file with more lines than the database has recorded. The cause is a crash, or a rollback of the database.
   * Returns false after a rollback.
   */
  async function takeOver(
    tx: Parameters<typeof findPendingRevocations>[0],
    position: JournalPosition | null,
    lines: readonly JournalLine[],
  ): Promise<boolean> {
    if (position && !isSameJournalPosition(lines[position.n - 1], position)) {
      throw new JournalError(`The database continues another journal than ${file}, which lacks line ${position.n}.`);
    }
    const more = lines.slice(position?.n ?? 0);
    const ids = more.map(({ revocation }) => revocation);
    const waiting = new Map((await findPendingRevocations(tx, ids)).map((row) => [row.revocation_id, row]));
    // The ids alone are not enough: a database that was rolled back reuses them for other revocations.
    if (!more.every((line) => isRowOf(line, waiting.get(line.revocation)))) {
      await closeRolledBack(tx);
      return false;
    }
    await deletePendingRevocations(tx, ids);
    return true;
  }

  return writeBatch;
}

const isRowOf = (line: JournalLine, row: PendingRevocationRow | undefined): boolean =>
  row !== undefined &&
  line.at === row.at.toISOString() &&
  line.kind === row.line.kind &&
  line.app === row.line.app &&
  line.id === row.line.id;

// Moves revocations from the database to the journal. A row is deleted in the transaction that notes the line, after the line is on the disk:
// a crash in between leaves a line and its row, which the next turn recognises.

import { truncate } from 'node:fs/promises';
import type { MasterKeys } from '../../kit/crypto/seal.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import {
  ANY_END,
  appendLines,
  isSamePosition,
  type JournalFile,
  type JournalLine,
  type Position,
  readJournal,
  signLine,
  UnusableJournal,
} from './journal.ts';
import {
  closeRegressed,
  deleteUnwanted,
  deleteWaiting,
  holdPosition,
  listWaiting,
  listWaitingOf,
  setPosition,
  type WaitingRow,
} from './journal-store.ts';

const EVERY_MS = 250;
const UNWANTED_EVERY_MS = 60_000;
const BATCH = 500;
const UNREAD: JournalFile = { lines: [], wholeSize: 0, isTorn: false };

/** `file` is undefined where no journal is kept. */
export function startJournal(
  db: Database,
  file: string | undefined,
  masterKeys: MasterKeys,
  onError: (error: unknown) => void,
): Loop {
  if (file === undefined) return startLoop(() => deleteUnwanted(db, BATCH), UNWANTED_EVERY_MS, onError);
  const write = createJournalWriter(db, file, masterKeys);
  return startLoop(write, EVERY_MS, onError);
}

export function createJournalWriter(db: Database, file: string, masterKeys: MasterKeys): () => Promise<void> {
  // The last line of the file, which this process alone appends to; read whole again after any failure.
  let tail: JournalLine | 'empty' | undefined;

  async function turn(): Promise<void> {
    const isFresh = tail === undefined;
    const { lines, wholeSize, isTorn } = isFresh ? await readJournal(file, masterKeys) : UNREAD;
    const last = isFresh ? lines.at(-1) : tail === 'empty' ? undefined : tail;
    tail = undefined;
    tail =
      (await db.transaction(async (tx) => {
        const position = await holdPosition(tx);
        if (!isSamePosition(position, last)) {
          if (!isFresh) throw new UnusableJournal('Another worker writes the journal. Give the setting to one worker.');
          if (!isSamePosition(position, ANY_END) && !(await takeOver(tx, position, lines))) return last;
          await setPosition(tx, last ? { n: last.n, mac: last.mac } : null);
        }
        // A line whose writing was broken off: the database holds its revocation yet. While the position is held, no worker writes.
        if (isTorn) await truncate(file, wholeSize);
        const rows = await listWaiting(tx, BATCH);
        if (rows.length === 0) return last;
        const signed: JournalLine[] = [];
        for (const { revocation_id: revocation, line, at } of rows) {
          const previous = signed.at(-1) ?? last;
          signed.push(signLine({ ...line, revocation, at: at.toISOString() }, previous, masterKeys));
        }
        await appendLines(file, signed);
        const end = signed.at(-1) ?? last;
        if (end) await setPosition(tx, { n: end.n, mac: end.mac });
        await deleteWaiting(
          tx,
          rows.map((row) => row.revocation_id),
        );
        return end;
      })) ?? 'empty';
  }

  /**
   * The file has more lines than the database notes, or lines where the database notes none: a crash, or the database was taken back in
   * time. False if it was.
   */
  async function takeOver(
    tx: Parameters<typeof listWaitingOf>[0],
    position: Position | null,
    lines: readonly JournalLine[],
  ): Promise<boolean> {
    if (position && !isSamePosition(lines[position.n - 1], position)) {
      throw new UnusableJournal(
        `The journal ${file} is another than the database continues: it lacks line ${position.n}.`,
      );
    }
    const more = lines.slice(position?.n ?? 0);
    const ids = more.map(({ revocation }) => revocation);
    const waiting = new Map((await listWaitingOf(tx, ids)).map((row) => [row.revocation_id, row]));
    // Not by the number alone: a database that was taken back draws the same numbers for other revocations.
    if (!more.every((line) => isRowOf(line, waiting.get(line.revocation)))) {
      await closeRegressed(tx);
      return false;
    }
    await deleteWaiting(tx, ids);
    return true;
  }

  return turn;
}

const isRowOf = (line: JournalLine, row: WaitingRow | undefined): boolean =>
  row !== undefined &&
  line.at === row.at.toISOString() &&
  line.kind === row.line.kind &&
  line.app === row.line.app &&
  line.id === row.line.id;

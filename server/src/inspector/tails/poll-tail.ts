// Reads a tail until it has news, or for a limited time.
import { setTimeout as pause } from 'node:timers/promises';
import { type ReadDatabase, runAsTenant } from '../../access/authority/index.ts';
import { monotonicMs, nowMs } from '../../kit/flow/clock.ts';
import { planByValues, type RequestFilter, type RequestRow } from '../requests/index.ts';
import { findSnapshot, readTailRows } from './store.ts';
import {
  advanceTail,
  isFromOtherDatabase,
  isLateReadDue,
  isTooOld,
  type MissedRange,
  missedSince,
  startAt,
  type TailCursor,
  type TailReading,
  type TailStep,
  toMissedRange,
} from './tail.ts';

/**
 * Milliseconds that a read waits for news. Less than one second, the limit within which an end of access takes effect:
 * the next read checks access again.
 */
const WAIT_MS = 600;
const PAUSE_MS = 150;

/** The tail of one app. It holds no connection between two reads. */
interface TailSource {
  reader: ReadDatabase;
  appId: string;
  filter: RequestFilter;
}

interface TailUpdate extends Omit<TailStep<RequestRow>, 'missed'> {
  missed: MissedRange | null;
}

export async function pollTail(followed: TailSource, from: TailCursor | undefined): Promise<TailUpdate> {
  if (from === undefined) return startTail(followed, null);
  if (isTooOld(from, nowMs())) return startTail(followed, missedSince(from, nowMs()));
  const untilMs = monotonicMs() + WAIT_MS;
  for (let position = from; ; ) {
    const step = await readStep(followed, position);
    if (!step) return startTail(followed, missedSince(from, nowMs()));
    const isSomething = step.shown.length > 0 || step.isMore;
    if (isSomething || monotonicMs() + PAUSE_MS > untilMs) return { ...step, missed: toMissedRange(step.missed) };
    position = step.position;
    await pause(PAUSE_MS);
  }
}

async function startTail({ reader, appId }: TailSource, missed: MissedRange | null): Promise<TailUpdate> {
  const snapshot = await runAsTenant(reader, appId, findSnapshot);
  return { shown: [], missed, position: startAt(snapshot, nowMs()), isMore: false };
}

/** Returns undefined if the position is from another database. */
async function readStep(followed: TailSource, position: TailCursor): Promise<TailStep<RequestRow> | undefined> {
  const reading = await readRows(followed, position, isLateReadDue(position, nowMs()));
  if (isFromOtherDatabase(position, reading.snapshot)) return undefined;
  return (
    advanceTail(position, reading, nowMs()) ?? advanceTail(position, await readRows(followed, position, true), nowMs())
  );
}

function readRows(
  { reader, appId, filter }: TailSource,
  position: TailCursor,
  withLate: boolean,
): Promise<TailReading<RequestRow>> {
  return runAsTenant(reader, appId, (tenant) => {
    planByValues(tenant);
    return readTailRows(tenant, filter, position, withLate);
  });
}

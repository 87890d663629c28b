// Reads a tail until it has news, or for a limited time.
import { setTimeout as pause } from 'node:timers/promises';
import { asTenant, type Reader } from '../../access/authority/index.ts';
import { monotonicMs, nowMs } from '../../kit/flow/clock.ts';
import { planByValues, type RequestFilter, type RequestRow } from '../requests/index.ts';
import { findSnapshot, readTailRows } from './store.ts';
import {
  advance,
  areLateDue,
  isFromElsewhere,
  isTooOld,
  type Missed,
  missedOf,
  missedSince,
  type Position,
  type Reading,
  type Step,
  startAt,
} from './tail.ts';

/**
 * Milliseconds that a read waits for news. Less than one second, the limit within which an end of access takes effect:
 * the next read checks access again.
 */
const WAIT_MS = 600;
const PAUSE_MS = 150;

/** The tail of one app. It holds no connection between two reads. */
interface Followed {
  reader: Reader;
  appId: string;
  filter: RequestFilter;
}

export interface News extends Omit<Step<RequestRow>, 'missed'> {
  missed: Missed | null;
}

export async function follow(followed: Followed, from: Position | undefined): Promise<News> {
  if (from === undefined) return begin(followed, null);
  if (isTooOld(from, nowMs())) return begin(followed, missedSince(from, nowMs()));
  const untilMs = monotonicMs() + WAIT_MS;
  for (let position = from; ; ) {
    const step = await read(followed, position);
    if (!step) return begin(followed, missedSince(from, nowMs()));
    const isSomething = step.shown.length > 0 || step.isMore;
    if (isSomething || monotonicMs() + PAUSE_MS > untilMs) return { ...step, missed: missedOf(step.missed) };
    position = step.position;
    await pause(PAUSE_MS);
  }
}

async function begin({ reader, appId }: Followed, missed: Missed | null): Promise<News> {
  const snapshot = await asTenant(reader, appId, findSnapshot);
  return { shown: [], missed, position: startAt(snapshot, nowMs()), isMore: false };
}

/** Returns undefined if the position is from another database. */
async function read(followed: Followed, position: Position): Promise<Step<RequestRow> | undefined> {
  const reading = await look(followed, position, areLateDue(position, nowMs()));
  if (isFromElsewhere(position, reading.snapshot)) return undefined;
  return advance(position, reading, nowMs()) ?? advance(position, await look(followed, position, true), nowMs());
}

function look(
  { reader, appId, filter }: Followed,
  position: Position,
  withLate: boolean,
): Promise<Reading<RequestRow>> {
  return asTenant(reader, appId, (tenant) => {
    planByValues(tenant);
    return readTailRows(tenant, filter, position, withLate);
  });
}

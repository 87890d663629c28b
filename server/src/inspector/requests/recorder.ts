// Stores the record of a request. The record joins a batch, and the response waits for the commit of the batch for a
// bounded time: at most 500 ms. After that the record is given up, and `RecordDurability` decides about the response.
// Lost records are counted, never hidden.
import { setTimeout as pause } from 'node:timers/promises';
import { type ApiCaller, isRefusal, type Scope } from '../../access/authority/index.ts';
import type { Database } from '../../kit/db/db.ts';
import { createAggregator } from '../../kit/flow/aggregator.ts';
import { type BatchMeasures, createBatcher } from '../../kit/flow/batcher.ts';
import { monotonicMs, nowMs } from '../../kit/flow/clock.ts';
import { requestIdOf } from '../../kit/http/exchange.ts';
import type { UnreadableInput } from '../../kit/http/http.ts';
import type { AnsweredRequest } from '../../kit/http/mount.ts';
import type { AddressPrecision } from '../../kit/outbound/addresses.ts';
import { createHistogram, type HistogramReading } from '../../kit/telemetry/histogram.ts';
import { addGaps, type GapRow } from './gap-store.ts';
import { createLossLog } from './loss-log.ts';
import { toRecord } from './new-record.ts';
import { encodeRecord, insertRecords } from './record-store.ts';
import { createUnauthenticatedRecorder } from './unauthenticated-recorder.ts';
import { fromAnsweredRequest, fromUnreadable } from './unauthenticated-request.ts';

export interface Recorder {
  /**
   * Resolves when the record is committed or given up, and early if the database is unreachable. Resolves to false if
   * the response must not be sent, because its record was given up. Never rejects.
   */
  record(answered: AnsweredRequest): Promise<boolean>;
  /** Records a response to a request that could not be read. The response is sent in any case. */
  recordUnreadableInput(input: UnreadableInput): Promise<unknown>;
  /** Returns the number of records given up since the start. */
  lost(): number;
  /** Measures of this process since its start, for monitoring. */
  measures(): RecorderMeasures;
  /** Writes the number of lost records that is not written yet. Never rejects. */
  flush(): Promise<void>;
}

export interface RecorderMeasures {
  lost: number;
  /** Milliseconds that responses waited for the records that were kept. */
  waitMs: HistogramReading;
  /** Batches of records with an authenticated key. */
  batches: BatchMeasures;
}

/** A request that was made with a key. */
interface RequestUse {
  appId: string;
  keyId: string;
  atMs: number;
  clientAddress: string | null;
  /** True if access was refused, for example to a revoked key. */
  isRefused: boolean;
  /** The scope that the operation requires, if the key has it. */
  scope: Scope | undefined;
  /** The server that the request concerns, in hexadecimal digits; null for none. */
  serverId: string | null;
}

/**
 * Decides about a response to an authenticated key whose record was given up (docs/decisions/0098). `durable`: the
 * problem `unavailable` is sent in its place. Requires that `db` commits synchronously. `fast`: the response is sent.
 * Both send a response `unavailable` without waiting for its record, because the database may be unreachable.
 */
export type RecordDurability = 'durable' | 'fast';

interface RecorderOptions {
  db: Database;
  durability: RecordDurability;
  addresses: AddressPrecision;
  onLoss(error: unknown): void;
  onUse(use: RequestUse): void;
}

const BATCH = { maxInFlight: 1, maxSize: 256, deadlineMs: 500 };
/** A response about an unreachable database is due within a second, most of which has already passed. */
const UNAVAILABLE_WAITS_MS = 50;
const WAIT_BOUNDS_MS = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500];

export function createRecorder({ db, durability, addresses, onLoss, onUse }: RecorderOptions): Recorder {
  let lost = 0;
  const losses = createLossLog(onLoss);
  const waits = createHistogram(WAIT_BOUNDS_MS);
  const gaps = createAggregator<GapRow>({
    merge: (one, other) => ({ ...one, lost: one.lost + other.lost }),
    write: (rows) => addGaps(db, rows),
    onError: onLoss,
  });
  const deadlineError = (): Error => new Error('it was not committed in time');
  const batcher = createBatcher<Buffer, undefined>({
    ...BATCH,
    timeoutError: deadlineError,
    async run(records) {
      await insertRecords(db, records);
      return [];
    },
  });
  const unauthenticated = createUnauthenticatedRecorder(db, addresses, { ...BATCH, timeoutError: deadlineError });

  function giveUp(requestId: string, appId: string | undefined, error: unknown): void {
    lost += 1;
    if (appId !== undefined) {
      const minute = new Date(Math.floor(nowMs() / 60_000) * 60_000).toISOString();
      gaps.add(`${appId} ${minute}`, { appId, minute, lost: 1 });
    }
    losses.report(requestId, error);
  }

  /**
   * Waits for the record, and resolves to false if the response must not be sent. `keep` may throw, because it handles
   * data from outside.
   */
  function waitFor(keep: () => Promise<unknown>, requestId: string, appId?: string): Promise<boolean> {
    const startedAtMs = monotonicMs();
    const withoutRecord = (error: unknown): boolean => {
      giveUp(requestId, appId, error);
      return durability === 'fast' || appId === undefined;
    };
    try {
      return keep().then(() => {
        waits.record(monotonicMs() - startedAtMs);
        return true;
      }, withoutRecord);
    } catch (error) {
      return Promise.resolve(withoutRecord(error));
    }
  }

  function addRecord(answered: AnsweredRequest): Promise<boolean> {
    const { id, principal } = answered.exchange;
    const caller = principal as ApiCaller | undefined; // set only by authority, on this plane's server
    // A request without an authenticated key belongs to no organisation's inspector.
    if (!caller) return waitFor(() => unauthenticated.record(fromAnsweredRequest(answered)), id);
    const keep = (): Promise<unknown> => {
      const record = toRecord(answered, caller, addresses);
      const { appId, keyId } = caller;
      const needed = answered.exchange.operation?.access.scope;
      const scope = caller.scopes.find((one) => one === needed);
      const serverId = record.serverId?.toString('hex') ?? null;
      // A simulated refusal answers a call that was allowed.
      const { problem } = answered;
      const isRefused = problem !== undefined && isRefusal(problem.code) && record.simulated === null;
      const { atMs, clientAddress } = record;
      onUse({ appId, keyId, atMs, clientAddress, isRefused, scope, serverId });
      // Encoded before it joins the batch, so that a record that cannot be encoded is lost alone.
      return batcher.join(encodeRecord(record));
    };
    return waitFor(keep, id, caller.appId);
  }

  return {
    record(answered) {
      const recording = addRecord(answered);
      if (answered.problem?.code !== 'unavailable') return recording;
      return Promise.race([recording, pause(UNAVAILABLE_WAITS_MS)]).then(() => true);
    },
    recordUnreadableInput: (input) =>
      waitFor(() => unauthenticated.record(fromUnreadable(input)), requestIdOf(input.uuid)),
    lost: () => lost,
    measures: () => ({ lost, waitMs: waits.read(), batches: batcher.measures() }),
    flush() {
      losses.flush();
      return gaps.flush();
    },
  };
}

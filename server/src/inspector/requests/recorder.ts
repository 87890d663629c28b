// Keeps the record of a request before its answer leaves: the record joins a batch, and the answer waits for that
// batch's commit, though never longer than a bounded time. What could not be kept is counted, never hidden.
import { setTimeout as pause } from 'node:timers/promises';
import { type Caller, isRefusal, type Scope } from '../../access/authority/index.ts';
import { encodeBase32 } from '../../kit/crypto/base32.ts';
import type { Database } from '../../kit/db/db.ts';
import { type BatchMeasures, createBatcher } from '../../kit/flow/batcher.ts';
import { monotonicMs, nowMs } from '../../kit/flow/clock.ts';
import { gather } from '../../kit/flow/gather.ts';
import type { Unread } from '../../kit/http/http.ts';
import type { Answered } from '../../kit/http/mount.ts';
import type { AddressKeeping } from '../../kit/outbound/addresses.ts';
import { createHistogram, type HistogramReading } from '../../kit/telemetry/histogram.ts';
import { addGaps, type GapRow } from './gap-store.ts';
import { createLossLog } from './loss-log.ts';
import { toRecord } from './new-record.ts';
import { insertRecords, writeRecord } from './record-store.ts';
import { createUnprovedKeeper } from './unproved-keeper.ts';
import { fromAnswered, fromUnread } from './unproved-request.ts';

export interface Recorder {
  /** Resolves once the record is committed, or was given up, or soon where the database is away. Never rejects. */
  record(answered: Answered): Promise<void>;
  /** The same of what was answered although it could not be read. */
  recordUnread(unread: Unread): Promise<void>;
  /** How many records were given up since the start. */
  lost(): number;
  /** For monitoring: of this process, since its start. */
  measures(): RecorderMeasures;
  /** Writes how many were given up, as far as it has not yet. Never rejects. */
  flush(): Promise<void>;
}

export interface RecorderMeasures {
  lost: number;
  /** How long answers waited for the records that were kept, in milliseconds. */
  waitMs: HistogramReading;
  /** Of the records with a proved key. */
  batches: BatchMeasures;
}

/** A request that was made with a key. */
export interface RequestUse {
  appId: string;
  keyId: string;
  atMs: number;
  clientAddress: string | null;
  /** Whether access was refused, for example to a revoked key. */
  isRefused: boolean;
  /** The scope that its operation needs, if the key has it. */
  scope: Scope | undefined;
  /** The server that it is about, in hexadecimal digits; null for none. */
  serverId: string | null;
}

export interface RecorderOptions {
  db: Database;
  addresses: AddressKeeping;
  onLoss(error: unknown): void;
  onUse(use: RequestUse): void;
}

const BATCH = { maxInFlight: 1, maxSize: 256, deadlineMs: 500 };
/** An answer that the database cannot be reached is due within a second, most of which was waited already. */
const UNAVAILABLE_WAITS_MS = 50;
const WAIT_BOUNDS_MS = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500];

export function createRecorder({ db, addresses, onLoss, onUse }: RecorderOptions): Recorder {
  let lost = 0;
  const losses = createLossLog(onLoss);
  const waits = createHistogram(WAIT_BOUNDS_MS);
  const gaps = gather<GapRow>({
    merge: (one, other) => ({ ...one, lost: one.lost + other.lost }),
    write: (rows) => addGaps(db, rows),
    onError: onLoss,
  });
  const late = (): Error => new Error('it was not committed in time');
  const batcher = createBatcher<Buffer, undefined>({
    ...BATCH,
    late,
    async run(records) {
      await insertRecords(db, records);
      return [];
    },
  });
  const unproved = createUnprovedKeeper(db, addresses, { ...BATCH, late });

  function giveUp(requestId: string, appId: string | undefined, error: unknown): void {
    lost += 1;
    if (appId !== undefined) {
      const minute = new Date(Math.floor(nowMs() / 60_000) * 60_000).toISOString();
      gaps.add(`${appId} ${minute}`, { appId, minute, lost: 1 });
    }
    losses.tell(requestId, error);
  }

  /** Waits for the record; `keep` may throw, because what is to be kept comes from outside. */
  function waitFor(keep: () => Promise<unknown>, requestId: string, appId?: string): Promise<void> {
    const startedAtMs = monotonicMs();
    try {
      return keep().then(
        () => waits.note(monotonicMs() - startedAtMs),
        (error: unknown) => giveUp(requestId, appId, error),
      );
    } catch (error) {
      giveUp(requestId, appId, error);
      return NOTHING_TO_WAIT_FOR;
    }
  }

  function keepOf(answered: Answered): Promise<void> {
    const { id, principal } = answered.exchange;
    const caller = principal as Caller | undefined; // only authority sets it, on this plane's server
    // Without a proved key there is no organisation whose inspector this could belong to.
    if (!caller) return waitFor(() => unproved.keep(fromAnswered(answered)), id);
    const keep = (): Promise<unknown> => {
      const record = toRecord(answered, caller, addresses);
      const { appId, keyId } = caller;
      const needed = answered.exchange.operation?.access.scope;
      const scope = caller.scopes.find((one) => one === needed);
      const serverId = record.serverId?.toString('hex') ?? null;
      // A simulated refusal is the answer to a call that was allowed.
      const { problem } = answered;
      const isRefused = problem !== undefined && isRefusal(problem.code) && record.simulated === null;
      const { atMs, clientAddress } = record;
      onUse({ appId, keyId, atMs, clientAddress, isRefused, scope, serverId });
      // Written here and not with its batch: one that cannot be is lost alone.
      return batcher.join(writeRecord(record));
    };
    return waitFor(keep, id, caller.appId);
  }

  return {
    record(answered) {
      const kept = keepOf(answered);
      if (answered.problem?.code !== 'unavailable') return kept;
      return Promise.race([kept, pause(UNAVAILABLE_WAITS_MS)]);
    },
    recordUnread: (unread) => waitFor(() => unproved.keep(fromUnread(unread)), `req_${encodeBase32(unread.uuid)}`),
    lost: () => lost,
    measures: () => ({ lost, waitMs: waits.read(), batches: batcher.measures() }),
    flush() {
      losses.flush();
      return gaps.flush();
    },
  };
}

const NOTHING_TO_WAIT_FOR = Promise.resolve();

// Stores captures after their responses have left. The queue is best-effort: no response waits for it, and a capture
// above a budget of bytes is refused and counted.
import { setTimeout as pause, setImmediate as yieldToRequests } from 'node:timers/promises';
import type { ApiCaller } from '../../access/authority/index.ts';
import type { MasterKeys } from '../../kit/crypto/seal.ts';
import type { Database } from '../../kit/db/db.ts';
import { createAggregator } from '../../kit/flow/aggregator.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import type { AnsweredRequest, SentResponse } from '../../kit/http/mount.ts';
import { BUDGET_LIMITS, type BudgetLimits, createByteBudget } from './byte-budget.ts';
import { MAX_BODY_BYTES } from './capture.ts';
import { addCaptureGaps, type CaptureGapRow, insertCaptures } from './capture-store.ts';
import { createHourKeys, type HourKey } from './hour-keys.ts';
import { sealCapture, type WaitingCapture } from './seal-capture.ts';

export interface CaptureQueue {
  /** Takes a response. Returns immediately and never throws. */
  capture(answered: AnsweredRequest, response: SentResponse): void;
  /** Stores the captures that wait. Never rejects. */
  flush(): Promise<void>;
}

interface CaptureQueueOptions {
  /** The pool of slipway_recorder. */
  db: Database;
  masterKeys: MasterKeys;
  retentionHours: number;
  /** The names of fields that are masked in every response. */
  sensitiveNames: ReadonlySet<string>;
  budget?: BudgetLimits | undefined;
  onError(error: unknown): void;
}

interface QueuedCapture extends WaitingCapture {
  atMs: number;
  /** When the app began to capture, as the request read it. */
  sinceMs: number;
  /** The bytes that the budget has reserved. */
  bytes: number;
}

/** Captures that one statement stores. */
interface SealedBatch {
  used: Map<string, HourKey>;
  rows: Buffer[];
  contents: Buffer[];
  /** Run once the contents are stored. */
  remembered: (() => void)[];
}

/** Milliseconds for which captures gather: a batch costs the database less than its parts. */
const GATHER_MS = 50;
const BATCH_SIZE = 128;
/** Milliseconds after which refused captures are counted. Earlier, they appear as pending. */
const GAPS_AFTER_MS = 2_000;
/** The number of captures that are sealed before requests continue. */
const TURN_SIZE = 8;
/** Bytes of a request and its response without their bodies, as an estimate. */
const BYTES_OF_HEADERS = 1_024;

const lengthOf = (body: unknown): number =>
  typeof body === 'string' || Buffer.isBuffer(body) ? Math.min(body.length, MAX_BODY_BYTES) : 0;

export function createCaptureQueue(options: CaptureQueueOptions): CaptureQueue {
  const { db, sensitiveNames, onError } = options;
  const keys = createHourKeys(options);
  const budget = createByteBudget(options.budget ?? BUDGET_LIMITS);
  const gaps = createAggregator<CaptureGapRow>({
    merge: (one, other) => ({ ...one, refused: one.refused + other.refused }),
    write: (rows) => addCaptureGaps(db, rows),
    onError,
    flushAfterMs: GAPS_AFTER_MS,
  });
  let waiting: QueuedCapture[] = [];
  let working: Promise<void> | undefined;

  function refuse(appId: string, atMs: number): void {
    const minuteMs = atMs - (atMs % 60_000);
    gaps.add(`${appId} ${minuteMs}`, { appId, minuteMs, refused: 1 });
  }

  function take(answered: AnsweredRequest, response: SentResponse): void {
    const { request, exchange, status } = answered;
    const caller = exchange.principal as ApiCaller | undefined; // set only by authority, on this plane's server
    if (!caller || caller.capturesSinceMs === null) return;
    const atMs = nowMs();
    const bytes = BYTES_OF_HEADERS + lengthOf(request.bodyText) + lengthOf(response.payload);
    if (!budget.reserve(caller.appId, bytes, atMs)) {
      refuse(caller.appId, atMs);
      return;
    }
    const { headers, body, bodyText, method } = request;
    waiting.push({
      request: { headers, body, bodyText },
      operation: exchange.operation,
      status,
      response: { headers: response.readHeaders(), payload: response.payload },
      caller,
      sinceMs: caller.capturesSinceMs,
      requestUuid: exchange.uuid,
      isShareable: answered.problem === undefined && (method === 'GET' || method === 'HEAD'),
      atMs,
      bytes,
    });
    working ??= work();
  }

  async function work(): Promise<void> {
    await pause(GATHER_MS);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_SIZE);
      waiting = waiting.slice(BATCH_SIZE);
      await storeBatch(batch).catch(onError);
    }
    working = undefined;
  }

  async function storeBatch(batch: readonly QueuedCapture[]): Promise<void> {
    const sealed: SealedBatch = { used: new Map(), rows: [], contents: [], remembered: [] };
    for (const [at, one] of batch.entries()) {
      if (at % TURN_SIZE === TURN_SIZE - 1) await yieldToRequests();
      // A capture that cannot be sealed ends no capture of another app.
      const stored = await seal(one, sealed).catch((error: unknown) => {
        onError(error);
        return 0;
      });
      budget.refund(one.caller.appId, one.bytes - stored);
    }
    const { used, rows, contents, remembered } = sealed;
    if (rows.length === 0) return;
    const held = await insertCaptures(db, [...used.keys()], rows, contents);
    keys.forget([...used.values()].filter(({ keyId }) => !held.has(keyId)));
    for (const remember of remembered) remember();
  }

  /** Adds a capture to the batch. Resolves with the bytes that it stores: 0 if its app has no key for it. */
  async function seal(one: QueuedCapture, { used, rows, contents, remembered }: SealedBatch): Promise<number> {
    const key = await keys.find(one.caller.appId, one);
    if (!key) return 0;
    const { row, content } = sealCapture(one, key, key.contents, sensitiveNames);
    used.set(key.keyId, key);
    rows.push(row);
    if (!content) return row.length;
    contents.push(content.row);
    remembered.push(() => key.contents.set(content.sent, content));
    return row.length + content.row.length;
  }

  return {
    capture(answered, response) {
      try {
        take(answered, response);
      } catch (error) {
        onError(error);
      }
    },
    async flush() {
      await working;
      await gaps.flush();
    },
  };
}

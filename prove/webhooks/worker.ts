// A worker of the proofs, as a separate process: `worker.ts JSON` contains the point at which it dies, the hosts that
// it may call, and its deliberate fault. It writes its actions to a file immediately, so that they survive SIGKILL. It
// loads only the code that a worker needs, because proofs start many of them.
import { subscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import { openSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { BENCH_SECRETS } from '../../bench/secrets.ts';
import { type Database, firstOf, openDatabase } from '../../server/src/kit/db/db.ts';
import type { Sql } from '../../server/src/kit/db/sql.ts';
import {
  createOutboundClient,
  type OutboundClient,
  type OutboundRequest,
  type OutboundResult,
} from '../../server/src/kit/outbound/outbound.ts';
import { startDispatcher } from '../../server/src/webhooks/dispatch/dispatch-webhooks.job.ts';
import { DELIVERY_KEY_STATE } from '../../server/src/webhooks/webhooks/index.ts';
import { crashingDatabase, crashingOutbound, createCrashTrigger } from './crash-points.ts';
import { flippingLookup } from './flipping-lookup.ts';
import { printErrorOnce, sharedMs } from './print-errors.ts';
import type { NodeOptions } from './processes.ts';

const input: NodeOptions = JSON.parse(process.argv[2] ?? '{}');
const file = openSync(input.log, 'a');
const write = (line: string): void => void writeSync(file, `${line}\n`);
const death = createCrashTrigger(input.diesAt, write);

/** Runs the pre-send check and ignores its result. */
const withoutPreSendCheck = (outbound: OutboundClient): OutboundClient => ({
  ...outbound,
  post: (request) => outbound.post({ ...request, preSendCheck: () => request.preSendCheck?.() !== undefined || true }),
});

/**
 * Delays the start of claimed deliveries until a signal (SIGUSR2), as a slow look-up of a name would. They begin before
 * the worker receives any notification from the database, so that only the pre-send check can stop them.
 */
function withDelayedStart(db: Database, outbound: OutboundClient): { db: Database; outbound: OutboundClient } {
  const posts = new Set<Promise<unknown>>();
  const go = new EventEmitter().setMaxListeners(0);
  let begun: Promise<unknown> = Promise.resolve();
  process.on('SIGUSR2', () => {
    begun = Promise.allSettled(posts).then(() => write('begun all'));
    go.emit('now');
  });
  async function post(request: OutboundRequest): Promise<OutboundResult> {
    const { pathname } = new URL(request.url);
    write(`holds ${pathname}`);
    const isOver = new AbortController();
    const stopped = new Promise<void>((resolve) => request.signal?.addEventListener('abort', resolve, { once: true }));
    await Promise.race([once(go, 'now', isOver), stopped]);
    isOver.abort();
    write(`lets ${pathname}`);
    return outbound.post(request);
  }
  async function query<Row>(statement: Sql): Promise<Row[]> {
    const rows = await db.query<Row>(statement);
    // Notifications that were sent during the suspension arrive together with the signal, and must be processed after
    // it.
    await nextTurn();
    await begun;
    return rows;
  }
  return {
    db: { ...db, query, first: firstOf(query) },
    outbound: {
      ...outbound,
      post(request) {
        const posting = post(request).finally(() => posts.delete(posting));
        posts.add(posting);
        return posting;
      },
    },
  };
}

/**
 * Longer than a worker takes to confirm a barrier, so that in-flight deliveries of other workers do not hide the fault.
 */
const CLAIM_TAKES_MS = 200;

function withHiddenClaims(db: Database): Database {
  return {
    ...db,
    transaction: (run) =>
      db.transaction(async (tx) => {
        const send = (statement: Sql): void =>
          statement.text.includes('claims_lock') ? undefined : tx.send(statement);
        const result = await run({ ...tx, send });
        await pause(CLAIM_TAKES_MS);
        return result;
      }),
  };
}

/** The expression by which every statement judges the state of a key for a delivery. */
const KEY_STATE_TEXT = DELIVERY_KEY_STATE.text;

/** Claims through revoked keys, also if the endpoint has a valid one after them. */
function withRevokedKeys(db: Database): Database {
  const blind = (statement: Sql): Sql => ({
    ...statement,
    text: statement.text.replaceAll(KEY_STATE_TEXT, "'active'"),
    name: `${statement.name}_blind`,
  });
  return {
    ...db,
    transaction: (run) => db.transaction((tx) => run({ ...tx, query: (statement) => tx.query(blind(statement)) })),
  };
}

/** Records when the pre-send check passed and when the HTTP client wrote the header. */
function withSendLog(outbound: OutboundClient): OutboundClient {
  const permittedAtMs = new Map<string, number>();
  subscribe('undici:client:sendHeaders', (message) => {
    const { request, headers } = message as { request: { path: string }; headers: string }; // the structure of undici's message
    const id = /^slipway-delivery-id: (\S+)/m.exec(headers)?.[1] ?? '';
    const attempt = /^slipway-attempt: (\S+)/m.exec(headers)?.[1] ?? '';
    write(`sent ${request.path} ${id} ${attempt} ${permittedAtMs.get(id)} ${sharedMs()}`);
    permittedAtMs.delete(id);
  });
  return {
    ...outbound,
    post: (request) =>
      outbound.post({
        ...request,
        preSendCheck() {
          permittedAtMs.set(request.headers['slipway-delivery-id'] ?? '', sharedMs());
          return request.preSendCheck?.() ?? true;
        },
      }),
  };
}

const { allowHosts = [], allowCidrs = [] } = input;
const outboundClient = createOutboundClient({
  allowHosts,
  allowCidrs,
  ...(input.isDnsFlipping && { lookup: flippingLookup }),
});
const right = withSendLog(crashingOutbound(outboundClient, death));
const worker = openDatabase({
  url: process.env.BENCH_DATABASE_URL ?? '',
  role: 'slipway_worker',
  max: 8,
  queryTimeoutMs: 5_000,
  connectTimeoutMs: 500,
  idleInTransactionMs: 2_000,
  plansOnce: true,
});
// Printed before the registration, because that is a point of death.
console.log('a worker');
const faulty = input.hidesClaims ? withHiddenClaims(worker) : worker;
const parts = {
  db: crashingDatabase(input.claimsRevokedKeys ? withRevokedKeys(faulty) : faulty, death, write),
  outbound: input.isWithoutPermit ? withoutPreSendCheck(right) : right,
};
const dispatcher = await startDispatcher({
  environment: 'sandbox',
  ...(input.beginsLate ? withDelayedStart(parts.db, parts.outbound) : parts),
  masterKeys: BENCH_SECRETS.masterKeys,
  log: (line) => ('error' in line ? printErrorOnce(line.error) : undefined),
});
process.on('SIGTERM', () => void dispatcher.stop().then(() => process.exit(0)));

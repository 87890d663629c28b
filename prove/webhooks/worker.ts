// A worker of the proofs, a process of its own: `worker.ts JSON`, which says where it dies, whom it may call, and in what it is
// wrong. What it does is written to a file at once, so that SIGKILL hides nothing. Of the service it loads no more than a worker
// needs: proofs start many of them.
import { subscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import { openSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { BENCH_SECRETS } from '../../bench/secrets.ts';
import { type Database, openDatabase } from '../../server/src/kit/db/db.ts';
import type { Sql } from '../../server/src/kit/db/sql.ts';
import {
  createOutbound,
  type Outbound,
  type OutboundRequest,
  type OutboundResult,
} from '../../server/src/kit/outbound/outbound.ts';
import { startDispatcher } from '../../server/src/webhooks/dispatch/dispatch-webhooks.job.ts';
import { flippingLookup } from './flipping-lookup.ts';
import { createDeath, dyingOutbound, dyingWorkerDatabase } from './points.ts';
import type { NodeWish } from './processes.ts';
import { sharedMs, tellOnce } from './tell.ts';

const wish: NodeWish = JSON.parse(process.argv[2] ?? '{}');
const file = openSync(wish.log, 'a');
const write = (line: string): void => void writeSync(file, `${line}\n`);
const death = createDeath(wish.diesAt, write);

/** Asks, and does not care what it is told. */
const withoutPermit = (outbound: Outbound): Outbound => ({
  ...outbound,
  post: (request) => outbound.post({ ...request, permit: () => request.permit?.() !== undefined || true }),
});

/**
 * What is claimed begins when it is told so (SIGUSR2), as after a slow look-up of a name, and before the worker hears from the
 * database what happened meanwhile. So there is something that nothing but the permit stops.
 */
function beginningLate(db: Database, outbound: Outbound): { db: Database; outbound: Outbound } {
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
  return {
    db: {
      ...db,
      async query<Row>(statement: Sql) {
        const rows = await db.query<Row>(statement);
        // What was answered while it stood still is there as soon as the word to go on is, and must come after it.
        await nextTurn();
        await begun;
        return rows;
      },
    },
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

/** Longer than a worker that is asked takes to say so: what the other workers have in flight hides nothing. */
const CLAIM_TAKES_MS = 200;

function hidingClaims(db: Database): Database {
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

/** When the permit was given and when the header was written, by the HTTP client's own word. */
function writingDown(outbound: Outbound): Outbound {
  const permittedAtMs = new Map<string, number>();
  subscribe('undici:client:sendHeaders', (message) => {
    const { request, headers } = message as { request: { path: string }; headers: string }; // undici's own shape
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
        permit() {
          permittedAtMs.set(request.headers['slipway-delivery-id'] ?? '', sharedMs());
          return request.permit?.() ?? true;
        },
      }),
  };
}

const { allowHosts = [], allowCidrs = [] } = wish;
const door = createOutbound({ allowHosts, allowCidrs, ...(wish.isDnsFlipping && { lookup: flippingLookup }) });
const right = writingDown(dyingOutbound(door, death));
const worker = openDatabase({
  url: process.env.BENCH_DATABASE_URL ?? '',
  role: 'slipway_worker',
  max: 8,
  queryTimeoutMs: 5_000,
  connectTimeoutMs: 500,
  idleInTransactionMs: 2_000,
  plansOnce: true,
});
// Before it registers: there is a point to die at.
console.log('a worker');
const parts = {
  db: dyingWorkerDatabase(wish.hidesClaims ? hidingClaims(worker) : worker, death, write),
  outbound: wish.isWithoutPermit ? withoutPermit(right) : right,
};
const dispatcher = await startDispatcher({
  ...(wish.beginsLate ? beginningLate(parts.db, parts.outbound) : parts),
  masterKeys: BENCH_SECRETS.masterKeys,
  log: (line) => ('error' in line ? tellOnce(line.error) : undefined),
});
process.on('SIGTERM', () => void dispatcher.stop().then(() => process.exit(0)));

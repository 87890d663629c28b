// A worker of the proofs, a process of its own: `worker.ts JSON`, which says where it dies, whom it may call, and in what it is
// wrong. What it does is written to a file at once, so that SIGKILL hides nothing. Of the service it loads no more than a worker
// needs: proofs start many of them.
import { subscribe } from 'node:diagnostics_channel';
import { openSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { BENCH_SECRETS } from '../../bench/secrets.ts';
import { startDispatcher } from '../../server/src/features/webhooks/dispatch-webhooks.job.ts';
import { type Database, openDatabase } from '../../server/src/kit/db.ts';
import { createOutbound, type Outbound } from '../../server/src/kit/outbound.ts';
import type { Sql } from '../../server/src/kit/sql.ts';
import { flippingLookup } from './flipping-lookup.ts';
import { createDeath, dyingOutbound, dyingWorkerDatabase } from './points.ts';
import type { NodeWish } from './processes.ts';
import { sharedMs, tellOnce } from './tell.ts';

const wish: NodeWish = JSON.parse(process.argv[2] ?? '{}');
const file = openSync(wish.log, 'a');
const write = (line: string): void => void writeSync(file, `${line}\n`);
const death = createDeath(wish.diesAt, write);

/** As a slow look-up of a name does, it makes the time longer in which a claim that was revoked is still in its hands. */
const POST_WAITS_MS = 20;

/** Asks, and does not care what it is told. */
function withoutPermit(outbound: Outbound): Outbound {
  return {
    ...outbound,
    async post(request) {
      await pause(POST_WAITS_MS);
      const permit = (): boolean => {
        request.permit?.();
        return true;
      };
      return outbound.post({ ...request, permit });
    },
  };
}

const CLAIM_TAKES_MS = 20;

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
const dispatcher = await startDispatcher({
  db: dyingWorkerDatabase(wish.hidesClaims ? hidingClaims(worker) : worker, death, write),
  outbound: wish.isWithoutPermit ? withoutPermit(right) : right,
  masterKeys: BENCH_SECRETS.masterKeys,
  log: (line) => ('error' in line ? tellOnce(line.error) : undefined),
});
process.on('SIGTERM', () => void dispatcher.stop().then(() => process.exit(0)));

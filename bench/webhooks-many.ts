// The parts of the webhook benchmark with millions of rows: the cost of a claim, and a worker's memory.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../server/src/kit/db/db.ts';
import type { OutboundClient } from '../server/src/kit/outbound/outbound.ts';
import { startDispatcher } from '../server/src/webhooks/dispatch/index.ts';
import type { BenchContext } from './bench-database.ts';
import { median, numberOf, percentile, progress, type Result, startScript } from './kit.ts';
import { fillDeliveries } from './many-deliveries.ts';
import { openBenchPlane } from './plane.ts';
import { residentMb } from './server.ts';
import { makeApps } from './webhooks-parts.ts';

const ROUNDS = numberOf('--rounds', 5);
const SECONDS = numberOf('--seconds', 4);
const FINISHED = numberOf('--rows', 10_000_000);
const WAITING = Math.ceil(FINISHED / 10);
const APPS = 50;
const ENDPOINTS = 10;
/** Waiting deliveries in the tables that count as empty: enough for one round. */
const WAITING_IN_FEW = 60_000;
const blank = { reference: null, ratio: null, p50Ms: null, p99Ms: null };
const count = (value: number): string => value.toLocaleString('en');

async function fill(
  { setup, superuserUrl }: BenchContext,
  hosts: readonly string[],
  finished: number,
  waiting: number,
) {
  const apps = await makeApps(setup, hosts, APPS, ENDPOINTS);
  for (const app of apps) await setup.emit(app);
  const { seconds, megabytes } = await fillDeliveries(superuserUrl, { finished, waiting });
  progress(
    `${count(finished)} finished and ${count(waiting)} waiting: ${seconds.toFixed(0)} s, ${count(megabytes)} MB`,
  );
}

interface Claims {
  tookMs: number[];
  claimed: number;
}

/** Responds immediately, because only claims are measured. */
const instant = (claims: Claims): OutboundClient => ({
  async post(request) {
    claims.claimed += 1;
    const isPermitted = request.preSendCheck?.() ?? true;
    if (!isPermitted)
      return { kind: 'failure', failure: 'aborted', detail: 'The pre-send check failed.', durationUs: 0 };
    return {
      kind: 'response',
      status: 200,
      headers: {},
      body: Buffer.from('ok'),
      isBodyTruncated: false,
      durationUs: 0,
    };
  },
  get: () => Promise.reject(new Error('The benchmark sends no GET.')),
  close: async () => {},
});

/** Measures a dispatcher's searches for endpoint queues and its transactions, which are its claims. */
function timed(db: Database, claims: Claims): Database {
  return {
    ...db,
    async query<Row>(statement: Parameters<Database['query']>[0]) {
      if (!statement.text.includes('with recursive queues')) return db.query<Row>(statement);
      const beganMs = performance.now();
      const rows = await db.query<Row>(statement);
      claims.tookMs.push(performance.now() - beganMs);
      return rows;
    },
    async transaction(run) {
      const beganMs = performance.now();
      const result = await db.transaction(run);
      claims.tookMs.push(performance.now() - beganMs);
      return result;
    },
  };
}

/** Returns microseconds of claiming per delivery. */
async function claimFor(url: string, seconds: number): Promise<number> {
  const open = openBenchPlane(url);
  const claims: Claims = { tookMs: [], claimed: 0 };
  const dispatcher = await startDispatcher({
    environment: 'sandbox',
    db: timed(open.dispatch, claims),
    outbound: instant(claims),
    masterKeys: open.plane.secrets.masterKeys,
    log: (line) => ('error' in line ? console.error(line.error) : undefined),
  });
  // One-time preparation and planning do not count.
  await pause(1_000);
  claims.tookMs.length = 0;
  claims.claimed = 0;
  await pause(seconds * 1_000);
  const { claimed } = claims;
  const took = claims.tookMs.reduce((sum, one) => sum + one, 0);
  await dispatcher.stop();
  await open.close();
  return (took * 1_000) / claimed;
}

export async function measureClaims(few: BenchContext, many: BenchContext): Promise<Result[]> {
  const nowhere = ['receiver.example'];
  await fill(many, nowhere, FINISHED, WAITING);
  await fill(few, nowhere, 0, WAITING_IN_FEW);
  const rounds: { few: number; many: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    // The measurement empties the small table.
    await fillDeliveries(few.superuserUrl, { finished: 0, waiting: WAITING_IN_FEW });
    const one = { few: 0, many: 0 };
    const turns = [['few', few.url] as const, ['many', many.url] as const];
    // The order alternates, because the work that filling leaves to Postgres must not always affect the same one.
    for (const [which, url] of round % 2 === 0 ? turns : turns.reverse()) one[which] = await claimFor(url, SECONDS);
    progress(`round ${round}: ${one.few.toFixed(0)} µs a delivery, with many rows ${one.many.toFixed(0)} µs`);
    if (round > 0) rounds.push(one);
  }
  const name = 'claiming a delivery, empty tables';
  return [
    { ...blank, name, value: median(rounds.map((one) => one.few)), unit: 'µs' },
    {
      ...blank,
      name: `claiming a delivery, ${count(FINISHED)} finished and ${count(WAITING)} waiting`,
      value: median(rounds.map((one) => one.many)),
      unit: 'µs',
      reference: name,
      ratio: median(rounds.map((one) => one.many / one.few)),
    },
  ];
}

/** Returns the maximum memory of a worker while it processes the backlog. */
export async function measureMemory(many: BenchContext, isEmpty: boolean): Promise<Result[]> {
  const receiver = await startScript('bench/receive.ts', ['4']);
  const hosts: string[] = JSON.parse(receiver.firstLine);
  if (isEmpty) await fill(many, hosts, FINISHED, WAITING);
  else {
    // The endpoints of the earlier measurement had unreachable URLs.
    await many.setup.rows(
      `update endpoints set url = 'http://' || ($1::text[])[1 + abs(hashtext(endpoint_id::text)) % 4] || '/'`,
      [hosts],
    );
  }
  const start = () => startScript('bench/dispatch.ts', [hosts.join(',')], { BENCH_DATABASE_URL: many.url });
  // The first start may have to build the script in its own process.
  await (await start()).stop();
  const worker = await start();
  try {
    const memoryMb: number[] = [];
    const untilMs = performance.now() + ROUNDS * SECONDS * 1_000;
    while (performance.now() < untilMs) {
      memoryMb.push(residentMb(worker.child.pid));
      await pause(100);
    }
    const [pending] = await many.setup.rows<{ count: number }>('select count(*)::int as count from queue');
    progress(`median ${percentile(memoryMb, 50).toFixed(0)} MB; ${count(pending?.count ?? 0)} still pending`);
    const name = `peak memory of a worker with a backlog of ${count(pending?.count ?? 0)}`;
    return [{ ...blank, name, value: Math.max(...memoryMb), unit: 'MB' }];
  } finally {
    await Promise.all([worker.stop(), receiver.stop()]);
  }
}

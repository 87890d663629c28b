// The parts of the webhook benchmark without large tables.
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { fillQueue } from '../prove/webhooks/fill-queue.ts';
import { sharedMs } from '../prove/webhooks/print-errors.ts';
import { startReceiver } from '../prove/webhooks/receiver.ts';
import type { App, WebhookSetup } from '../prove/webhooks/setup.ts';
import { toId } from '../server/src/kit/crypto/ids.ts';
import type { BenchContext } from './bench-database.ts';
import {
  fsyncMs,
  median,
  numberOf,
  percentile,
  progress,
  type Result,
  runScript,
  startScript,
  temporaryFolder,
} from './kit.ts';
import { atPace } from './pace.ts';

const ROUNDS = numberOf('--rounds', 5);
const SECONDS = numberOf('--seconds', 4);
const blank = { reference: null, ratio: null, p50Ms: null, p99Ms: null };

/** Creates apps with endpoints at the hosts in turn. */
export async function makeApps(
  setup: WebhookSetup,
  hosts: readonly string[],
  apps: number,
  endpoints: number,
): Promise<App[]> {
  const created: App[] = [];
  for (let index = 0; index < apps; index++) {
    const app = await setup.addApp();
    for (let at = 0; at < endpoints; at++) {
      await setup.addEndpoint(app, `http://${hosts[(index + at) % hosts.length]}/`);
    }
    created.push(app);
  }
  return created;
}

/** A worker has at most 32 attempts in flight per host, so at most 128 here. */
const HOSTS = 4;
/** The connections of the bare posts. */
const CONNECTIONS = 64;
const APPS = 8;
const ENDPOINTS = 8;

interface LastRow {
  app_id: string;
  delivery_id: string;
  endpoint_id: string;
}

/**
 * Looks up each of the last deliveries by key, because a scan for any delivery would cost a twentieth of the measured
 * time.
 */
async function isOneLeft(setup: WebhookSetup, last: readonly LastRow[]): Promise<boolean> {
  const waiting = await setup.rows(
    `select from unnest($1::uuid[], $2::uuid[]) as last (app_id, delivery_id)
     cross join lateral (select from queue q where q.app_id = last.app_id and q.delivery_id = last.delivery_id limit 1) one limit 1`,
    [last.map((row) => row.app_id), last.map((row) => row.delivery_id)],
  );
  return waiting.length > 0;
}

/** Returns deliveries per second, from the commit of all of them to the last row. */
async function deliver(setup: WebhookSetup, apps: readonly App[], each: number): Promise<number> {
  await setup.rows("alter table queue alter column due_at set default 'infinity'");
  for (const app of apps) await fillQueue(setup, app, each);
  await setup.rows('alter table queue alter column due_at set default clock_timestamp()');
  const due = await setup.rows<LastRow>(
    'update queue set due_at = clock_timestamp() returning app_id, delivery_id, endpoint_id',
  );
  const last = [...new Map(due.map((row) => [row.endpoint_id, row])).values()];
  const beganMs = performance.now();
  setup.plane.deliveries.wake();
  while (await isOneLeft(setup, last)) await pause(20);
  while ((await setup.rows('select from queue order by app_id, delivery_id limit 1')).length > 0) await pause(20);
  return (due.length * 1000) / (performance.now() - beganMs);
}

export async function measureThroughput({ setup, url }: BenchContext): Promise<Result[]> {
  const receiver = await startScript('bench/receive.ts', [String(HOSTS)]);
  const hosts: string[] = JSON.parse(receiver.firstLine);
  const apps = await makeApps(setup, hosts, APPS, ENDPOINTS);
  const worker = await startScript('bench/dispatch.ts', [hosts.join(',')], { BENCH_DATABASE_URL: url });
  const folder = await temporaryFolder();
  const post = async (...mode: string[]): Promise<number> => {
    const args = [hosts.join(','), String(SECONDS), String(CONNECTIONS), ...mode];
    return (await runScript<{ perSecond: number }>('bench/post.ts', args)).perSecond;
  };
  try {
    let each = 20;
    const warmed = await deliver(setup, apps, each);
    each = Math.ceil((warmed * SECONDS) / (APPS * ENDPOINTS));
    const rounds: { bare: number; once: number; delivered: number }[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const one = { bare: await post(), once: await post('once'), delivered: await deliver(setup, apps, each) };
      rounds.push(one);
      const { bare, once, delivered } = one;
      progress(
        `round ${round}: ${bare.toFixed(0)} posts/s, ${once.toFixed(0)} with a connection each, ${delivered.toFixed(0)} deliveries/s`,
      );
    }
    const of = (pick: (one: (typeof rounds)[number]) => number): number => median(rounds.map(pick));
    const [kept, once] = ['posts of undici with kept connections', 'posts of undici, one connection per post'];
    const delivered = {
      name: 'deliveries with their rows',
      value: of((one) => one.delivered),
      unit: 'deliveries/s',
    };
    return [
      { ...blank, name: kept, value: of((one) => one.bare), unit: 'posts/s' },
      { ...blank, name: once, value: of((one) => one.once), unit: 'posts/s' },
      { ...blank, ...delivered, reference: kept, ratio: of((one) => one.delivered / one.bare) },
      { ...blank, ...delivered, reference: once, ratio: of((one) => one.delivered / one.once) },
      { ...blank, name: 'fsync', value: fsyncMs(folder.path), unit: 'ms' },
    ];
  } finally {
    await Promise.all([worker.stop(), receiver.stop(), folder.remove()]);
  }
}

const EVENTS_PER_SECOND = 200;
const TICKET = JSON.stringify({ subject: 'Grüße', body: 'The reminder comes twice.' });

export async function measureLatency({ setup, url }: BenchContext): Promise<Result[]> {
  const receiver = await startReceiver(() => ({ status: 200, afterMs: 0 }));
  const apps = await makeApps(setup, [receiver.host], 20, 0);
  for (const [index, app] of apps.entries()) {
    const { secret } = await setup.addEndpoint(app, receiver.url(`/${index}`));
    receiver.expect(`/${index}`, secret);
  }
  const env = { BENCH_DATABASE_URL: url, BENCH_RATE: '1000000' };
  const api = await startScript('bench/serve.ts', ['api'], env);
  const worker = await startScript('bench/dispatch.ts', [receiver.host], env);
  const pool = new Pool(api.firstLine, { connections: 32 });
  const answeredAtMs = new Map<string, number>();

  async function create(index: number): Promise<void> {
    const app = apps[index % apps.length];
    if (!app) return;
    const answer = await pool.request({
      method: 'POST',
      path: `/v1/servers/${toId('srv', app.serverId)}/tickets`,
      headers: { authorization: `Bearer ${app.token}`, 'content-type': 'application/json' },
      body: TICKET,
    });
    const atMs = sharedMs();
    const text = await answer.body.text();
    if (answer.statusCode !== 201) throw new Error(`A ticket was answered ${answer.statusCode}: ${text}`);
    answeredAtMs.set(JSON.parse(text).id, atMs);
  }

  const create200PerSecond = (seconds: number): Promise<void> => atPace(EVENTS_PER_SECOND, seconds, create);

  try {
    await create200PerSecond(2 * SECONDS);
    answeredAtMs.clear();
    const rounds: number[][] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      await create200PerSecond(SECONDS);
      // Deliveries from before the round may still arrive, so the round's own are awaited one by one.
      const tooks = (): number[] =>
        receiver.arrivals.flatMap(({ body, atMs }) => {
          const beganMs = answeredAtMs.get(JSON.parse(body).subject.id);
          return beganMs === undefined ? [] : [atMs - beganMs];
        });
      let tookMs = tooks();
      for (let waits = 0; waits < 100 && tookMs.length < answeredAtMs.size; waits++, tookMs = tooks()) await pause(50);
      if (tookMs.length < answeredAtMs.size) throw new Error(`${answeredAtMs.size - tookMs.length} did not arrive.`);
      progress(
        `round ${round}: p50 ${percentile(tookMs, 50).toFixed(1)} ms, p99 ${percentile(tookMs, 99).toFixed(1)} ms`,
      );
      rounds.push(tookMs);
      answeredAtMs.clear();
    }
    if (receiver.refused[0]) throw new Error(`The public library refuses: ${receiver.refused[0]}`);
    const p50Ms = median(rounds.map((tookMs) => percentile(tookMs, 50)));
    const p99Ms = median(rounds.map((tookMs) => percentile(tookMs, 99)));
    const name = `from the ticket's answer to the first byte, ${EVENTS_PER_SECOND} events/s`;
    return [{ ...blank, name, value: p50Ms, unit: 'ms', p50Ms, p99Ms }];
  } finally {
    await pool.destroy();
    await Promise.all([worker.stop(), api.stop(), receiver.close()]);
  }
}

const FAN_OUT = 1_000;

export async function measureFanOut({ setup }: BenchContext): Promise<Result[]> {
  const [few, many] = [
    await makeApps(setup, ['receiver.example'], 1, 1),
    await makeApps(setup, ['receiver.example'], 1, FAN_OUT),
  ];
  async function emit([app]: readonly App[]): Promise<number> {
    const beganMs = performance.now();
    if (app) await setup.emit(app);
    return performance.now() - beganMs;
  }
  const rounds: { few: number; many: number }[] = [];
  for (let round = 0; round < ROUNDS * 5; round++) rounds.push({ few: await emit(few), many: await emit(many) });
  const settled = rounds.slice(ROUNDS);
  const queued = await setup.rows<{ count: number }>('select count(*)::int as count from queue where app_id = $1', [
    many[0]?.appId,
  ]);
  if (queued[0]?.count !== FAN_OUT * rounds.length) throw new Error(`${queued[0]?.count} deliveries were made.`);
  const [one, all] = [median(settled.map((round) => round.few)), median(settled.map((round) => round.many))];
  const name = 'an event to one endpoint, its transaction';
  return [
    { ...blank, name, value: one, unit: 'ms' },
    { ...blank, name: `an event to ${FAN_OUT} endpoints`, value: all, unit: 'ms', reference: name, ratio: all / one },
  ];
}

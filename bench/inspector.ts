// `npm run bench -- inspector`: the Request Inspector with 10,000,000 records of a month and 200 apps, one of which
// made half. It measures pages, groups and the histogram as the Console's server requests them (p95). It also measures
// the size of a record on disk and the time of sealing. The API's throughput with records is a ratio to that without.
// `--rows N`, `--apps N` and `--days N` set the size of the tables, and `--asked N` the number of requests per query.
// `--rounds`, `--seconds` and `--warm-up SECONDS` set the duration of the throughput part. `--only search`, `--only
// forecast`, `--only activity` or `--only throughput` selects a part. `npm run prove -- tail` measures the delay of the
// live tail.
import { compactDay } from '../server/src/inspector/requests/compaction-store.ts';
import { withConnection } from '../server/src/kit/db/db.ts';
import { createManagement } from '../server/src/listeners/sandbox-management.ts';
import { fillEffects, measureActivity } from './activity.ts';
import { measureForecasts } from './forecast.ts';
import { createQueryRunner, INSPECTOR_QUERIES, walk } from './inspector-queries.ts';
import { argument, numberOf, percentile, progress, type Result, report, startScript, temporaryFolder } from './kit.ts';
import { bytesOfRecords, fillRecords } from './many-records.ts';
import { openBenchPlane } from './plane.ts';
import { makeRequests } from './requests.ts';
import { measure, resultsOf, variantIn, warmUp } from './rounds.ts';
import { makeApps, startBenchDatabase } from './world.ts';

const ROWS = numberOf('--rows', 10_000_000);
const APPS = numberOf('--apps', 200);
const DAYS = numberOf('--days', 30);
const ASKED = numberOf('--asked', 60);
const ONLY = argument('--only')?.split(',') ?? ['search', 'forecast', 'activity', 'throughput'];
const RECORDED = 'listServers, its record committed before the response';
const WARM_UP_SECONDS = numberOf('--warm-up', 12);
const blank = { reference: null, ratio: null, p50Ms: null, p99Ms: null };
const count = (value: number): string => value.toLocaleString('en');

const timesOf = (name: string, tookMs: readonly number[]): Result => ({
  ...blank,
  name,
  value: percentile(tookMs, 95),
  unit: 'ms (p95)',
  p50Ms: percentile(tookMs, 50),
  p99Ms: percentile(tookMs, 99),
});

const folder = await temporaryFolder();
const database = await startBenchDatabase(folder.path);
progress(`making ${APPS} apps`);
const keysOfApps = await makeApps(database.url, { apps: APPS, keysPerApp: 5, serversPerApp: 20 });
const results: Result[] = [];
if (['search', 'forecast', 'activity'].some((one) => ONLY.includes(one))) results.push(...(await measureSearch()));
if (ONLY.includes('throughput')) results.push(...(await measureThroughput()));
await database.stop();
await folder.remove();
report('inspector', results);

async function measureSearch(): Promise<Result[]> {
  progress(`writing ${count(ROWS)} records`);
  const nowMs = Date.now();
  const filled = await fillRecords(database, { rows: ROWS, days: DAYS, nowMs });
  progress(`${filled.seconds.toFixed(0)} s`);
  const open = openBenchPlane(database.url);
  const beganMs = performance.now();
  for (let day = 0; day < filled.sealable; day++) await compactDay(open.maintenance, () => {});
  const sealSeconds = (performance.now() - beganMs) / 1000;
  const stored = await bytesOfRecords(database.superuserUrl);
  progress(`sealed in ${sealSeconds.toFixed(0)} s; ${count(Math.round(stored.bytes / 1e6))} MB`);

  const management = createManagement(open.plane, (error) => console.error(error));
  const url = await management.listen({ host: '127.0.0.1', port: 0 });
  const ask = createQueryRunner(url, filled.apps);
  const found: Result[] = [];
  const everyPage: number[] = [];
  for (const question of ONLY.includes('search') ? INSPECTOR_QUERIES : []) {
    const tookMs: number[] = [];
    for (let turn = -5; turn < ASKED; turn++) {
      const answer = await ask(question, turn + 5);
      if (turn >= 0) tookMs.push(answer.tookMs);
    }
    if (!question.isSummary) everyPage.push(...(await walk(ask, question)));
    const result = timesOf(question.name, tookMs);
    progress(`${result.name}: ${result.value.toFixed(1)} ms`);
    found.push(result);
  }
  const [largest] = filled.apps;
  if (largest && ONLY.includes('forecast')) found.push(...(await measureForecasts(url, largest)));
  if (largest && ONLY.includes('activity')) {
    progress('writing the effects of a key');
    await fillEffects(database.superuserUrl, largest, DAYS);
    found.push(await measureActivity(url, largest, DAYS));
  }
  await management.close();
  await open.close();
  if (!ONLY.includes('search')) return found;
  return [
    ...found,
    timesOf('any page of any filter', everyPage),
    { ...blank, name: 'a stored record, with its indexes', value: stored.bytes / stored.rows, unit: 'bytes' },
    {
      ...blank,
      name: 'sealing a million records',
      value: (sealSeconds * 1e6) / ROWS / (filled.sealable / DAYS),
      unit: 's',
    },
  ];
}

/** Measures `listServers` with each key in turns: without the record, with it, and with headers and bodies captured. */
async function measureThroughput(): Promise<Result[]> {
  const env = { BENCH_DATABASE_URL: database.url };
  const api = await startScript('bench/serve.ts', ['api'], env);
  const withoutRecord = await startScript('bench/serve.ts', ['api-without-record'], env);
  const withCaptures = await startScript('bench/serve.ts', ['api-with-captures'], env);
  // Only the server with a queue captures.
  const connection = { connectionString: database.superuserUrl };
  await withConnection(connection, (client) => client.query('update apps set captures_since = now()'));
  const requestsByOperation = await makeRequests(api.firstLine, keysOfApps);
  const { requests = [] } = requestsByOperation.get('listServers') ?? {};
  const variant = variantIn(folder.path);
  const reference = 'listServers without record';
  const variants = [
    variant(reference, withoutRecord.firstLine, requests),
    variant(RECORDED, api.firstLine, requests, reference),
    variant('listServers, its headers and bodies captured', withCaptures.firstLine, requests, RECORDED),
  ];
  for (const one of variants) await warmUp(one, WARM_UP_SECONDS);
  await measure(variants, numberOf('--rounds', 5), numberOf('--seconds', 3));
  await Promise.all([api.stop(), withoutRecord.stop(), withCaptures.stop()]);
  const { rows } = await withConnection(connection, (client) =>
    client.query<{
      kept: number;
    }>(`select 100.0 * n / (n + coalesce((select sum(refused) from capture_gaps), 0)) as kept
      from (select count(*) as n from captures) c`),
  );
  const kept: Result = { ...blank, name: 'captures within the budget', value: Number(rows[0]?.kept), unit: '%' };
  return [...(await resultsOf(variants, folder.path)), kept];
}

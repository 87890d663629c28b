// `npm run bench -- api`: GET /v1/servers with authority read per request, the page validated by revision and the record
// committed before the response, as a ratio to a static Fastify handler of the same JSON. 64 connections, 1,000 keys in
// 200 apps of 20 servers each; the variants take turns, and medians are quoted.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fsyncMs, median, progress, type Result, report, runScript, startScript, temporaryFolder } from './kit.ts';
import { makeApps, startBenchDatabase } from './world.ts';

const numberAfter = (flag: string, fallback: number): number => {
  const at = process.argv.indexOf(flag);
  return at === -1 ? fallback : Number(process.argv[at + 1]);
};
const ROUNDS = numberAfter('--rounds', 9);
const SECONDS = numberAfter('--seconds', 4);
const APPS = numberAfter('--apps', 200);
const CONNECTIONS = 64;

interface Load {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
}

const folder = await temporaryFolder();
progress(`making ${APPS} apps with 5 keys and 20 servers each`);
const database = await startBenchDatabase(folder.path);
const keysOfApps = await makeApps(database.url, { apps: APPS, keysPerApp: 5, serversPerApp: 20 });

const keysFile = join(folder.path, 'keys.json');
const hotKeysFile = join(folder.path, 'hot-keys.json');
const jsonFile = join(folder.path, 'page.json');
writeFileSync(keysFile, JSON.stringify(keysOfApps.flat()));
writeFileSync(hotKeysFile, JSON.stringify(keysOfApps[0]));

const env = { BENCH_DATABASE_URL: database.url };
const api = await startScript('bench/serve.ts', ['api'], env);
const withoutRecord = await startScript('bench/serve.ts', ['api-without-record'], env);
const page = await fetch(`${api.firstLine}/v1/servers`, {
  headers: { authorization: `Bearer ${keysOfApps[0]?.[0]}` },
});
writeFileSync(jsonFile, await page.text());
const fixed = await startScript('bench/serve.ts', ['static', jsonFile]);

const variants = [
  { name: 'static', url: fixed.firstLine, keys: keysFile },
  { name: 'api', url: api.firstLine, keys: keysFile },
  { name: 'api without record', url: withoutRecord.firstLine, keys: keysFile },
  { name: 'api, one hot app', url: api.firstLine, keys: hotKeysFile },
];
const loads = new Map<string, Load[]>(variants.map((variant) => [variant.name, []]));
for (let round = 0; round <= ROUNDS; round++) {
  for (const { name, url, keys } of variants) {
    const seconds = round === 0 ? Math.min(2, SECONDS) : SECONDS; // the first round warms up
    const load = await runScript<Load>('bench/load.ts', [
      `${url}/v1/servers`,
      keys,
      String(seconds),
      String(CONNECTIONS),
    ]);
    if (load.failed > 0) throw new Error(`${name}: ${load.failed} requests failed.`);
    if (round > 0) loads.get(name)?.push(load);
    progress(`${round === 0 ? 'warm-up' : `round ${round} of ${ROUNDS}`}  ${name}: ${load.perSecond.toFixed(0)}/s`);
  }
}

const ratiosOf = (name: string): number[] =>
  (loads.get(name) ?? []).map(
    (load, round) => load.perSecond / (loads.get('static')?.[round]?.perSecond ?? Number.NaN),
  );
const results: Result[] = variants.map(({ name }) => {
  const of = (pick: (load: Load) => number): number => median((loads.get(name) ?? []).map(pick));
  return {
    name,
    value: of((load) => load.perSecond),
    unit: 'requests/s',
    reference: name === 'static' ? null : 'static',
    ratio: name === 'static' ? null : median(ratiosOf(name)),
    p50Ms: of((load) => load.p50Ms),
    p99Ms: of((load) => load.p99Ms),
  };
});
const blank = { reference: null, ratio: null, p50Ms: null, p99Ms: null };
results.push({ name: 'fsync', value: fsyncMs(folder.path), unit: 'ms', ...blank });

await Promise.all([api.stop(), withoutRecord.stop(), fixed.stop()]);
await database.stop();
await folder.remove();
report('api', results);

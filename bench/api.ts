// `npm run bench -- api`: every operation of /v1, with authority and rate read per request and the record committed before
// the response, as a ratio to a static Fastify handler of the same JSON. 64 connections, 1,000 keys in 200 apps of 20 servers
// each; an operation and its reference take turns, and medians are quoted. `--only listServers,createTicket` measures those,
// `--rounds` and `--seconds` say how long.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fsyncMs, median, progress, type Result, report, runScript, startScript, temporaryFolder } from './kit.ts';
import { type BenchRequest, makeRequests, OPERATIONS } from './requests.ts';
import { makeApps, startBenchDatabase } from './world.ts';

const argument = (flag: string): string | undefined => process.argv[process.argv.indexOf(flag) + 1 || Infinity];
const ROUNDS = Number(argument('--rounds') ?? 5);
const SECONDS = Number(argument('--seconds') ?? 3);
const APPS = Number(argument('--apps') ?? 200);
const ONLY = argument('--only')?.split(',') ?? OPERATIONS;
const CONNECTIONS = 64;
// Until the compiler has settled: the API was a third slower in its first ten seconds than after them.
const WARM_UP_SECONDS = 12;

interface Load {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
}

interface Variant {
  name: string;
  url: string;
  requestsFile: string;
  reference: string | null;
  loads: Load[];
}

const folder = await temporaryFolder();
progress(`making ${APPS} apps with 5 keys and 20 servers each`);
const database = await startBenchDatabase(folder.path);
const keysOfApps = await makeApps(database.url, { apps: APPS, keysPerApp: 5, serversPerApp: 20 });
const env = { BENCH_DATABASE_URL: database.url };
const api = await startScript('bench/serve.ts', ['api'], env);
const withoutRecord = await startScript('bench/serve.ts', ['api-without-record'], env);
// The hot app's five keys may call faster than any key may by default.
const hotApi = await startScript('bench/serve.ts', ['api'], { ...env, BENCH_RATE: '500000' });

const made = await makeRequests(api.firstLine, keysOfApps);
const routesFile = join(folder.path, 'routes.json');
writeFileSync(routesFile, JSON.stringify(Object.fromEntries([...made].map(([name, { answer }]) => [name, answer]))));
const fixed = await startScript('bench/serve.ts', ['static', routesFile]);

function variant(name: string, url: string, requests: BenchRequest[], reference: string | null): Variant {
  const requestsFile = join(folder.path, `${name.replaceAll(/\W+/g, '-')}.json`);
  writeFileSync(requestsFile, JSON.stringify(requests));
  return { name, url, requestsFile, reference, loads: [] };
}

const variants = ONLY.flatMap((name) => {
  const { requests = [] } = made.get(name) ?? {};
  const reference = `static ${name}`;
  const constant = requests.map(({ token }) => ({ token, path: `/${name}` }));
  const pair = [variant(reference, fixed.firstLine, constant, null), variant(name, api.firstLine, requests, reference)];
  if (name !== 'listServers') return pair;
  return [
    ...pair,
    variant('listServers without record', withoutRecord.firstLine, requests, reference),
    variant('listServers, one hot app', hotApi.firstLine, requests.slice(0, 5), reference),
  ];
});

function load({ url, requestsFile }: Variant, seconds: number): Promise<Load> {
  return runScript<Load>('bench/load.ts', [url, requestsFile, String(seconds), String(CONNECTIONS)]);
}

for (const one of variants) {
  if (one.name.includes('static') && one !== variants[0]) continue;
  progress(`warming up: ${one.name}`);
  await load(one, one.name.startsWith('listServers') || ONLY.length < 3 ? WARM_UP_SECONDS : WARM_UP_SECONDS / 3);
}
for (let round = 1; round <= ROUNDS; round++) {
  for (const one of variants) {
    const measured = await load(one, SECONDS);
    if (measured.failed > 0) throw new Error(`${one.name}: ${measured.failed} requests failed.`);
    one.loads.push(measured);
    progress(`round ${round} of ${ROUNDS}  ${one.name}: ${measured.perSecond.toFixed(0)}/s`);
  }
}

const results: Result[] = variants.map(({ name, reference, loads }) => {
  const of = (pick: (load: Load) => number): number => median(loads.map(pick));
  const base = variants.find((other) => other.name === reference)?.loads;
  const ratios = base && loads.map((one, round) => one.perSecond / (base[round]?.perSecond ?? Number.NaN));
  return {
    name,
    value: of((one) => one.perSecond),
    unit: 'requests/s',
    reference,
    ratio: ratios ? median(ratios) : null,
    p50Ms: of((one) => one.p50Ms),
    p99Ms: of((one) => one.p99Ms),
  };
});
const blank = { reference: null, ratio: null, p50Ms: null, p99Ms: null };
results.push({ name: 'fsync', value: fsyncMs(folder.path), unit: 'ms', ...blank });

await Promise.all([api.stop(), withoutRecord.stop(), hotApi.stop(), fixed.stop()]);
await database.stop();
await folder.remove();
report('api', results);

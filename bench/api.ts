// `npm run bench -- api`: every operation of /v1, as a ratio to a static Fastify handler of the same JSON. Authority
// and rate are read per request, and the record is committed before the response. It uses 64 connections and 1,000 keys
// in 200 apps of 20 servers each. An operation and its reference take turns, and the results are medians. `--only
// listServers,createTicket` selects operations; `--rounds` and `--seconds` set the duration, and `--apps N` sets the
// number of apps.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argument, numberOf, progress, report, startScript, temporaryFolder } from './kit.ts';
import { makeRequests, OPERATIONS } from './requests.ts';
import { measure, resultsOf, variantIn, warmUp } from './rounds.ts';
import { makeApps, startBenchDatabase } from './world.ts';

const APPS = numberOf('--apps', 200);
const ONLY = argument('--only')?.split(',') ?? OPERATIONS;
// The time until the compiler has settled: the API was a third slower in its first ten seconds.
const WARM_UP_SECONDS = 12;

const folder = await temporaryFolder();
progress(`making ${APPS} apps with 5 keys and 20 servers each`);
const database = await startBenchDatabase(folder.path);
const keysOfApps = await makeApps(database.url, { apps: APPS, keysPerApp: 5, serversPerApp: 20 });
const env = { BENCH_DATABASE_URL: database.url };
const api = await startScript('bench/serve.ts', ['api'], env);
const withoutRecord = await startScript('bench/serve.ts', ['api-without-record'], env);
// The five keys of the busy app may exceed the default rate of a key.
const hotApi = await startScript('bench/serve.ts', ['api'], { ...env, BENCH_RATE: '500000' });

const requestsByOperation = await makeRequests(api.firstLine, keysOfApps);
const routesFile = join(folder.path, 'routes.json');
writeFileSync(
  routesFile,
  JSON.stringify(Object.fromEntries([...requestsByOperation].map(([name, { answer }]) => [name, answer]))),
);
const fixed = await startScript('bench/serve.ts', ['static', routesFile]);

const variant = variantIn(folder.path);
const variants = ONLY.flatMap((name) => {
  const { requests = [] } = requestsByOperation.get(name) ?? {};
  const reference = `static ${name}`;
  const constant = requests.map(({ token }) => ({ token, path: `/${name}` }));
  const pair = [variant(reference, fixed.firstLine, constant), variant(name, api.firstLine, requests, reference)];
  if (name !== 'listServers') return pair;
  return [
    ...pair,
    variant('listServers without record', withoutRecord.firstLine, requests, reference),
    variant('listServers, one hot app', hotApi.firstLine, requests.slice(0, 5), reference),
  ];
});

for (const one of variants) {
  if (one.name.includes('static') && one !== variants[0]) continue;
  await warmUp(one, one.name.startsWith('listServers') || ONLY.length < 3 ? WARM_UP_SECONDS : WARM_UP_SECONDS / 3);
}
await measure(variants, numberOf('--rounds', 5), numberOf('--seconds', 3));
const results = resultsOf(variants, folder.path);

await Promise.all([api.stop(), withoutRecord.stop(), hotApi.stop(), fixed.stop()]);
await database.stop();
await folder.remove();
report('api', results);

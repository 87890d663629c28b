// `npm run bench -- presets`: every read of /v1 in an app of the large preset (10,000 servers, 200,000 publications),
// as a ratio to an app of a hundred such servers. Pages of lists have the same length in both. It uses 64 connections
// and five keys of each app without a rate limit. The two take turns, and the results are medians. `--only
// listServers,getEvent` selects operations; `--rounds` and `--seconds` set the duration.
import { argument, numberOf, progress, report, startScript, temporaryFolder } from './kit.ts';
import { isWrite, makeRequests, OPERATIONS } from './requests.ts';
import { measure, resultsOf, variantIn, warmUp } from './rounds.ts';
import { makeApps, startBenchDatabase } from './world.ts';

const ONLY = argument('--only')?.split(',') ?? OPERATIONS.filter((name) => !isWrite(name));
const WARM_UP_SECONDS = 12;

const folder = await temporaryFolder();
progress('making a small world and a large one');
const database = await startBenchDatabase(folder.path);
// Above a hundred servers have the form of the large preset (world.ts).
const keysOf = (serversPerApp: number): Promise<string[][]> =>
  makeApps(database.url, { apps: 1, keysPerApp: 5, serversPerApp });
const ofSmall = await keysOf(101);
const begunMs = performance.now();
const ofLarge = await keysOf(10_000);
progress(`the large world took ${Math.round(performance.now() - begunMs)} ms`);
const api = await startScript('bench/serve.ts', ['api'], { BENCH_DATABASE_URL: database.url, BENCH_RATE: '500000' });
const [small, large] = [await makeRequests(api.firstLine, ofSmall), await makeRequests(api.firstLine, ofLarge)];

const variant = variantIn(folder.path);
const variants = ONLY.flatMap((name) => [
  variant(`${name}, small`, api.firstLine, small.get(name)?.requests ?? []),
  variant(`${name}, large`, api.firstLine, large.get(name)?.requests ?? [], `${name}, small`),
]);
for (const [index, one] of variants.entries()) await warmUp(one, index < 2 ? WARM_UP_SECONDS : 1);
await measure(variants, numberOf('--rounds', 5), numberOf('--seconds', 2));
const results = resultsOf(variants, folder.path);

await api.stop();
await database.stop();
await folder.remove();
report('presets', results);

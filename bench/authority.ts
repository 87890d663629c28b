// `npm run bench -- authority`: a handler with authority, as a ratio to the same handler without it. It compares 1,000
// keys in the table with 10,000,000, and a busy app of 20 installations with one of 10,000. It uses 64 connections and
// 1,000 keys in 200 apps. `--keys N` and `--servers N` set the large sizes, `--apps N` the number of apps, and `--rate
// N` the rate limit of a key. `--rounds`, `--seconds` and `--warm-up SECONDS` set the duration.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { computeVerifier, parseKeyToken } from '../server/src/access/authority/index.ts';
import { withConnection } from '../server/src/kit/db/db.ts';
import { argument, numberOf, progress, report, startScript, temporaryFolder } from './kit.ts';
import { fillKeys } from './many-keys.ts';
import { measure, resultsOf, variantIn, warmUp } from './rounds.ts';
import { BENCH_SECRETS } from './secrets.ts';
import { type BenchDatabase, makeApps, startBenchDatabase } from './world.ts';

const MANY = numberOf('--keys', 10_000_000);
const SERVERS = numberOf('--servers', 10_000);
const APPS = numberOf('--apps', 200);
const WARM_UP_SECONDS = numberOf('--warm-up', 12);
const HANDLER = '/listServers';

const count = (value: number): string => value.toLocaleString('en');
const get = async (url: string, token: string): Promise<{ status: number; text: string }> => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, text: await response.text() };
};

/** Checks that the keys in use are still those that the service created. */
async function checkKeys({ superuserUrl }: BenchDatabase, tokens: readonly string[]): Promise<void> {
  const pepper = BENCH_SECRETS.peppers.keys[1];
  const kids = new Map(tokens.map((token) => [parseKeyToken(token)?.kid ?? '', token]));
  await withConnection({ connectionString: superuserUrl }, async (client) => {
    const { rows } = await client.query<{ kid: string; verifier: Buffer }>(
      'select kid, verifier from keys where kid = any($1)',
      [[...kids.keys()]],
    );
    const isRight = rows.every(({ kid, verifier }) => computeVerifier(kids.get(kid) ?? '', pepper).equals(verifier));
    if (rows.length !== tokens.length || !isRight) throw new Error('The used keys are not in the table.');
    const { rowCount } = await client.query(
      "select from pg_constraint where conrelid = 'keys'::regclass and contype = 'u' and convalidated",
    );
    if (rowCount !== 1) throw new Error('The keys are not distinct.');
  });
}

const folders = [await temporaryFolder(), await temporaryFolder()] as const;
const [few, many] = [await startBenchDatabase(folders[0].path), await startBenchDatabase(folders[1].path)];
progress(`writing ${count(MANY)} keys`);
const filled = await fillKeys(many.superuserUrl, MANY);
progress(`${filled.seconds.toFixed(0)} s, ${count(filled.megabytes)} MB with their indexes`);

progress(`making ${APPS} apps with 5 keys each, twice, and two hot apps`);
const inUse = { apps: APPS, keysPerApp: 5, serversPerApp: 1 };
const [fewKeys, manyKeys] = [(await makeApps(few.url, inUse)).flat(), (await makeApps(many.url, inUse)).flat()];
const [small = [], large = []] = [
  ...(await makeApps(few.url, { apps: 1, keysPerApp: 5, serversPerApp: 20 })),
  ...(await makeApps(few.url, { apps: 1, keysPerApp: 5, serversPerApp: SERVERS })),
];
await checkKeys(few, [...fewKeys, ...small, ...large]);
await checkKeys(many, manyKeys);

// The five keys may exceed the default rate of a key.
const rate = { BENCH_RATE: argument('--rate') ?? '500000' };
const ofFew = { BENCH_DATABASE_URL: few.url };
const api = await startScript('bench/serve.ts', ['api-without-record'], { ...ofFew, ...rate });
const answer = await get(`${api.firstLine}/v1/servers`, small[0] ?? '');
const routesFile = join(folders[0].path, 'routes.json');
writeFileSync(routesFile, JSON.stringify({ listServers: answer.text }));
const fixed = await startScript('bench/serve.ts', ['static', routesFile]);
const guarded = (env: Record<string, string>) => startScript('bench/serve.ts', ['guarded', routesFile], env);
const withFew = await guarded(ofFew);
const withMany = await guarded({ BENCH_DATABASE_URL: many.url });
const hot = await guarded({ ...ofFew, ...rate });

/** Pairs each key of an app with each of its servers. */
async function serversOf(tokens: readonly string[]): Promise<{ token: string; path: string }[]> {
  const list = await get(`${api.firstLine}/v1/servers?limit=100`, tokens[0] ?? '');
  const { data }: { data: { id: string }[] } = JSON.parse(list.text);
  return data.flatMap(({ id }) => tokens.map((token) => ({ token, path: `/v1/servers/${id}` })));
}

const variant = variantIn(folders[0].path);
const onHandler = (tokens: readonly string[]) => tokens.map((token) => ({ token, path: HANDLER }));
const names = {
  fixed: 'without authority',
  few: `with authority, ${count(fewKeys.length + 10)} keys in the table`,
  many: `with authority, ${count(MANY + manyKeys.length)} keys in the table`,
  small: 'with authority, a hot app of 20 installations',
  large: `with authority, a hot app of ${count(SERVERS)} installations`,
  smallGet: 'getServer, a hot app of 20 installations',
  largeGet: `getServer, a hot app of ${count(SERVERS)} installations`,
};
const variants = [
  variant(names.fixed, fixed.firstLine, onHandler(fewKeys)),
  variant(names.few, withFew.firstLine, onHandler(fewKeys), names.fixed),
  variant(names.many, withMany.firstLine, onHandler(manyKeys), names.fixed, names.few),
  variant(names.small, hot.firstLine, onHandler(small), names.fixed),
  variant(names.large, hot.firstLine, onHandler(large), names.small),
  variant(names.smallGet, api.firstLine, await serversOf(small)),
  variant(names.largeGet, api.firstLine, await serversOf(large), names.smallGet),
];
for (const one of variants) await warmUp(one, one === variants[0] ? WARM_UP_SECONDS / 3 : WARM_UP_SECONDS);
await measure(variants, numberOf('--rounds', 5), numberOf('--seconds', 3));
const blank = { reference: null, ratio: null, p50Ms: null, p99Ms: null };
const results = [
  ...resultsOf(variants, folders[0].path),
  { name: `writing ${count(MANY)} keys`, value: filled.seconds, unit: 's', ...blank },
  { name: 'their table and its indexes', value: filled.megabytes, unit: 'MB', ...blank },
];

await Promise.all([api, fixed, withFew, withMany, hot].map((one) => one.stop()));
await Promise.all([few.stop(), many.stop()]);
await Promise.all(folders.map((folder) => folder.remove()));
report('authority', results);

// `npm run bench -- gateway`: the cost of forwarding. It measures the throughput of production in front of an upstream
// API. The reference is a bare undici proxy in front of the same API. Production reads authority and rate per request,
// validates the response and commits the record before the response. It also measures the added latency of sequential
// requests compared with the upstream API itself. Variants take turns, and the results are medians. `--rounds` and
// `--seconds` set the duration.
import { Client } from 'undici';
import { listServers } from './gateway-servers.ts';
import { median, numberOf, progress, type Result, report, startScript, temporaryFolder } from './kit.ts';
import type { BenchRequest } from './requests.ts';
import { measure, resultsOf, variantIn, warmUp } from './rounds.ts';
import { makeApps, startBenchDatabase } from './world.ts';

const ROUNDS = numberOf('--rounds', 5);
const SECONDS = numberOf('--seconds', 3);
const WARM_UP_SECONDS = 10;
const ONE_BY_ONE = 300;

const folder = await temporaryFolder();
progress('making 50 apps with 5 keys');
const database = await startBenchDatabase(folder.path);
const keys = await makeApps(database.url, { apps: 50, keysPerApp: 5, serversPerApp: 2 }, 'production');
const upstream = await startScript('bench/gateway-serve.ts', ['platform']);
const proxy = await startScript('bench/gateway-serve.ts', ['proxy', upstream.firstLine]);
const env = { BENCH_DATABASE_URL: database.url, BENCH_RATE: '500000' };
const gateway = await startScript('bench/gateway-serve.ts', ['gateway', upstream.firstLine], env);

const servers = await listServers(database.superuserUrl);
const requests: BenchRequest[] = keys
  .flat()
  .map((token) => ({ token, path: `/v1/servers/${servers.get(token.split('_')[2] ?? '')}` }));

const variant = variantIn(folder.path);
const variants = [
  variant('undici proxy', proxy.firstLine, requests),
  variant('gateway', gateway.firstLine, requests, 'undici proxy'),
];
for (const one of variants) await warmUp(one, WARM_UP_SECONDS);

/** Returns milliseconds per request, for sequential requests over one connection. */
async function latency(url: string): Promise<number> {
  const client = new Client(url);
  const times: number[] = [];
  for (let sent = 0; sent < ONE_BY_ONE; sent++) {
    const { token, path } = requests[sent % requests.length] ?? { token: '', path: '' };
    const startedAt = performance.now();
    const { statusCode, body } = await client.request({
      method: 'GET',
      path,
      headers: { authorization: `Bearer ${token}` },
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}.`);
    times.push(performance.now() - startedAt);
  }
  await client.close();
  return median(times);
}

const added: number[] = [];
const direct: number[] = [];
const forwarded: number[] = [];
await latency(gateway.firstLine);
for (let round = 1; round <= ROUNDS; round++) {
  direct.push(await latency(upstream.firstLine));
  forwarded.push(await latency(gateway.firstLine));
  added.push((forwarded.at(-1) ?? 0) - (direct.at(-1) ?? 0));
  progress(`round ${round} of ${ROUNDS}  one by one: ${added.at(-1)?.toFixed(2)} ms more`);
}
await measure(variants, ROUNDS, SECONDS);

const one = (name: string, value: number, reference: string | null, p50Ms: number | null): Result => ({
  name,
  value,
  unit: 'ms',
  reference,
  ratio: null,
  p50Ms,
  p99Ms: null,
});
const results = [
  ...resultsOf(variants, folder.path),
  one('platform, one by one', median(direct), null, median(direct)),
  one('gateway, one by one', median(forwarded), 'platform, one by one', median(forwarded)),
  one('added at p50', median(added), 'platform, one by one', null),
];

await Promise.all([gateway.stop(), proxy.stop(), upstream.stop()]);
await database.stop();
await folder.remove();
report('gateway', results);

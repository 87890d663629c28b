// The load generator, a process of its own: `load.ts URL FILE_OF_KEYS SECONDS CONNECTIONS`, prints JSON.
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

const [url = '', keysFile = '', seconds = '4', connections = '64'] = process.argv.slice(2);
const keys: string[] = JSON.parse(readFileSync(keysFile, 'utf8'));
const requests = keys.map((key) => ({
  method: 'GET' as const,
  path: new URL(url).pathname,
  headers: { authorization: `Bearer ${key}` },
}));

// Each connection goes through the keys from a place of its own: in step, they would all send the same key at once.
let next = 0;
const result = await autocannon({
  url,
  connections: Number(connections),
  duration: Number(seconds),
  setupClient(client) {
    const start = Math.floor((next++ * requests.length) / Number(connections));
    client.setRequests([...requests.slice(start), ...requests.slice(0, start)]);
  },
});

console.log(
  JSON.stringify({
    perSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
  }),
);

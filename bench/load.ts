// The load generator, as a separate process: `load.ts URL FILE_OF_REQUESTS SECONDS CONNECTIONS`. Prints JSON.
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import type { BenchRequest } from './requests.ts';

const [url = '', file = '', seconds = '4', connections = '64'] = process.argv.slice(2);
const benchRequests: BenchRequest[] = JSON.parse(readFileSync(file, 'utf8'));

let sent = 0;
const requests = benchRequests.map(({ path, token, body }) => {
  const headers = { authorization: `Bearer ${token}` };
  if (body === undefined) return { method: 'GET' as const, path, headers };
  return {
    method: 'POST' as const,
    path,
    body,
    headers: { ...headers, 'content-type': 'application/json' },
    // Each request has its own idempotency key, so that each does its work.
    setupRequest: (request: autocannon.Request) => ({
      ...request,
      headers: { ...request.headers, 'idempotency-key': `${process.pid}-${sent++}` },
    }),
  };
});

// Each connection has its own keys, like a client, and all keys are always in use. When every connection used all keys,
// the generator's 64,000 prepared requests displaced the servers from the processor's cache: the static handler lost a
// quarter of its speed.
const shares = Math.min(Number(connections), requests.length);
let next = 0;
const result = await autocannon({
  url,
  connections: Number(connections),
  duration: Number(seconds),
  setupClient(client) {
    const share = next++ % shares;
    client.setRequests(requests.filter((_, at) => at % shares === share));
  },
});

console.log(
  JSON.stringify({
    perSecond: result['2xx'] / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
  }),
);

// Bare posts by undici, as a separate process: `post.ts HOST,HOST SECONDS CONNECTIONS [once]` prints JSON. With `once`
// each connection sends one post, as webhooks do.
import { Pool } from 'undici';

const [hosts = '', seconds = '3', connections = '64', mode = ''] = process.argv.slice(2);
// As large as an event of a ticket, with the headers of a delivery.
const BODY = JSON.stringify({ id: 'evt_01j9z3v8k6e5t8m2n4p6q8r0sa', data: { text: 'x'.repeat(600) } });
const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Slipway-Webhooks/1',
  'webhook-id': 'evt_01j9z3v8k6e5t8m2n4p6q8r0sa',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  'slipway-delivery-id': 'dlv_01j9z3v8k6e5t8m2n4p6q8r0sb',
};

const all = hosts.split(',');
const pools = all.map(
  (host) =>
    new Pool(`http://${host}`, {
      connections: Math.ceil(Number(connections) / all.length),
      pipelining: mode === 'once' ? 0 : 1,
    }),
);
const endMs = performance.now() + Number(seconds) * 1000;
let count = 0;

async function post(index: number): Promise<void> {
  const pool = pools[index % pools.length];
  while (pool && performance.now() < endMs) {
    const { body } = await pool.request({ method: 'POST', path: '/', headers: HEADERS, body: BODY });
    await body.dump();
    count += 1;
  }
}

const beganMs = performance.now();
await Promise.all(Array.from({ length: Number(connections) }, (_, index) => post(index)));
console.log(JSON.stringify({ perSecond: (count * 1000) / (performance.now() - beganMs) }));
process.exit(0);

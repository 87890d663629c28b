// The end-to-end benchmark against a test server: a published event counts only if it was accepted and arrived.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { perSecondOf, publish, type Receiver, startReceiver } from '../bench/publishing.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  process.exitCode = undefined;
  await receiver.stop();
});

/** Responds with 201 and forwards the body, except for paths that it refuses. */
const bare =
  (host: string): RequestListener =>
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isRefused = request.url === '/refused';
      const answer = isRefused ? 'no' : 'yes';
      response.writeHead(isRefused ? 500 : 201, { 'content-length': answer.length }).end(answer);
      if (!isRefused) void fetch(`http://${host}/`, { method: 'POST', body: Buffer.concat(chunks) });
    });
  };

async function publishTo(paths: readonly string[]): Promise<Awaited<ReturnType<typeof publish>>> {
  const server = createServer(bare(receiver.host));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP address
  const targets = paths.map((path) => ({ path, token: 'none', body: '{"subject":"No. NUMBER"}' }));
  try {
    return await publish(receiver, {}, { url, targets, connections: 2, perSecond: 20, seconds: 1 });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('the benchmark counts each event that was published and arrived, with its processor time', async () => {
  const run = await publishTo(['/']);
  expect(run.delivered.map(({ index }) => index)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  for (const { sentAtMs, arrivedAtMs } of run.delivered) expect(arrivedAtMs).toBeGreaterThan(sentAtMs);
  expect(perSecondOf(run)).toBeGreaterThan(0);
  expect(run.usage.load?.cpuMs).toBeGreaterThan(0);
  expect(process.exitCode).toBeUndefined();
});

test('a failed request is not counted, and makes the benchmark exit with code 1', async () => {
  const { delivered } = await publishTo(['/', '/refused']);
  expect(delivered).toHaveLength(10);
  expect(process.exitCode).toBe(1);
});

// Tests which deliveries the forwarder sends to the receiver, and which it does not repeat.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createForwarder, type ForwardedDelivery } from '../src/forwarder.ts';

let receiver: Server;
let url: string;
const received: string[] = [];
const statuses: number[] = [];

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push(body);
    if (body === 'break') return request.socket.destroy();
    return response.writeHead(statuses.shift() ?? 204, { 'x-a': 'b' }).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`; // a TCP server has a port
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

/** Returns an address on which nothing listens any more. */
async function closedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has a port
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/`;
}

const relay = (id: string, deliveryId: string | undefined, body: string) => ({
  id,
  headers: deliveryId === undefined ? {} : { 'slipway-delivery-id': deliveryId },
  body,
});

test('repeats the answer of a delivery after a 2xx without a second request, and sends it again after a failure', async () => {
  const forwarded: ForwardedDelivery[] = [];
  const forward = createForwarder(url, (one) => forwarded.push(one));
  const both = await Promise.all([
    forward(relay('rly_1', 'dlv_1', '{"type":"ping"}')),
    forward(relay('rly_2', 'dlv_1', 'x')),
  ]);
  expect(both).toMatchObject([
    { id: 'rly_1', status: 204 },
    { id: 'rly_2', status: 204 },
  ]);
  expect(await forward(relay('rly_3', 'dlv_1', 'x'))).toMatchObject({
    id: 'rly_3',
    status: 204,
    headers: { 'x-a': 'b' },
  });
  expect(received.splice(0)).toEqual(['{"type":"ping"}']);
  statuses.push(500, 200);
  expect(await forward(relay('rly_4', 'dlv_2', 'a'))).toMatchObject({ status: 500 });
  expect(await forward(relay('rly_5', 'dlv_2', 'a'))).toMatchObject({ status: 200 });
  // Messages of a drill have no delivery id: each of them is sent.
  await forward(relay('rly_6', undefined, 'd'));
  await forward(relay('rly_7', undefined, 'd'));
  expect(received.splice(0)).toEqual(['a', 'a', 'd', 'd']);
  expect(forwarded.map(({ type, outcome }) => [type, outcome])).toEqual([
    ['ping', '204'],
    [null, '500'],
    [null, '200'],
    [null, '204'],
    [null, '204'],
  ]);
});

test('reports the reason for a missing response', async () => {
  const forward = createForwarder(url, () => {});
  expect(await forward(relay('rly_1', 'dlv_1', 'break'))).toMatchObject({ id: 'rly_1', failure: 'protocol' });
  const nowhere = createForwarder(await closedUrl(), () => {});
  expect(await nowhere(relay('rly_1', 'dlv_1', '{}'))).toEqual({
    id: 'rly_1',
    failure: 'connect',
    detail: 'ECONNREFUSED',
  });
});

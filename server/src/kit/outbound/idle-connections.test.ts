// Kept connections serve only their owner, never with data that a receiver left on them, and never cause a second
// send.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createOutboundClient, type OutboundRequest } from './outbound.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/**
 * Starts a receiver that answers each request with `answer`. `index` counts those of one connection. Requests have the
 * body "{}".
 */
async function receive(answer: (socket: Socket, index: number) => void = (socket) => void socket.write(OK)) {
  const sockets: Socket[] = [];
  const requests: { connection: number; head: string }[] = [];
  const server = createServer((socket) => {
    const connection = sockets.push(socket) - 1;
    let text = '';
    let index = 0;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n{}');
      if (end === -1) return;
      requests.push({ connection, head: text.slice(0, end) });
      text = '';
      answer(socket, index++);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const outbound = createOutboundClient({ allowHosts: [`127.0.0.1:${port}`] });
  closers.push(() => outbound.close());
  const post = (connectionOwner: string | undefined, more: Partial<OutboundRequest> = {}) =>
    outbound.post({
      url: `http://127.0.0.1:${port}/`,
      headers: {},
      body: Buffer.from('{}'),
      connectTimeoutMs: 1_000,
      totalTimeoutMs: 2_000,
      maxResponseBytes: 1_024,
      ...(connectionOwner === undefined ? {} : { connectionOwner }),
      ...more,
    });
  return { sockets, requests, post, close: outbound.close };
}

const GOOD = { kind: 'response', status: 200 };

describe('kept connection', () => {
  test('a kept connection serves the next request of its owner, and of no other', async () => {
    const { sockets, requests, post } = await receive();
    for (const connectionOwner of ['a', 'a', 'b', 'a', undefined, undefined, 'b'])
      expect(await post(connectionOwner)).toMatchObject(GOOD);
    expect(requests.map(({ connection }) => connection)).toEqual([0, 0, 1, 0, 2, 3, 1]);
    expect(requests.map(({ head }) => /connection: ([\w-]+)/i.exec(head)?.[1])).toEqual(
      [0, 0, 1, 0, 2, 3, 1].map((connection) => (connection > 1 ? 'close' : 'keep-alive')),
    );
    expect(sockets.slice(2).every((socket) => socket.closed || socket.readyState !== 'open')).toBe(true);
  });

  test('a kept connection serves one request at a time', async () => {
    const { requests, post } = await receive((socket) => void setImmediate(() => socket.write(OK)));
    await Promise.all([post('a'), post('a'), post('a')]);
    expect(requests.map(({ connection }) => connection)).toEqual([0, 1, 2]);
  });

  test('a kept connection is closed when it is unused, and with the client', async () => {
    const first = await receive();
    await first.post('a');
    await once(first.sockets[0] as Socket, 'close'); // it has served a request
    const second = await receive();
    await second.post('a');
    const closed = once(second.sockets[0] as Socket, 'close');
    await second.close();
    await closed;
  });

  test.each([
    [
      'whose receiver wants it closed',
      (socket: Socket) => void socket.write(OK.replace('OK\r\n', 'OK\r\nconnection: close\r\n')),
    ],
    ['whose receiver closes it', (socket: Socket) => void socket.end(OK)],
    [
      'with a response that goes on',
      (socket: Socket) => void socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(2_000)}`),
    ],
    ['with more than its response', (socket: Socket) => void socket.write(OK + OK.replace('200', '299'))],
  ])('a kept connection %s is not used again', async (_, answer) => {
    const { requests, post } = await receive(answer);
    expect(await post('a')).toMatchObject(GOOD);
    expect(await post('a')).toMatchObject(GOOD);
    expect(requests.map(({ connection }) => connection)).toEqual([0, 1]);
  });

  test('a kept connection that was closed meanwhile is noticed before anything is written', async () => {
    const { sockets, requests, post } = await receive();
    await post('a');
    sockets[0]?.end();
    // In the same turn of the event loop, before the end was noticed.
    expect(await post('a')).toMatchObject(GOOD);
    expect(requests.map(({ connection }) => connection)).toEqual([0, 1]);
  });

  test('a kept connection with a forged response on it is not used for the next request', async () => {
    const { sockets, requests, post } = await receive();
    await post('a');
    sockets[0]?.write(OK.replace('200', '299'));
    expect(await post('a')).toMatchObject(GOOD);
    expect(requests).toHaveLength(2);
  });

  test('a kept connection that breaks after a request was written is a failure, and nothing is sent again', async () => {
    const { requests, post } = await receive(
      (socket, index) => void (index === 0 ? socket.write(OK) : socket.destroy()),
    );
    await post('a');
    expect(await post('a')).toMatchObject({ kind: 'failure', failure: 'protocol' });
    expect(requests.map(({ connection }) => connection)).toEqual([0, 0]);
    // From then on this receiver gets a connection for each request, and no request fails.
    for (let count = 0; count < 3; count++) expect(await post('a')).toMatchObject(GOOD);
    expect(requests.map(({ connection }) => connection)).toEqual([0, 0, 1, 2, 3]);
  });

  test('a kept connection is not written to if the pre-send check fails, which runs for each request', async () => {
    const { requests, post } = await receive();
    let requestCount = 0;
    const preSendCheck = () => ++requestCount !== 2;
    await post('a', { preSendCheck });
    expect(await post('a', { preSendCheck })).toMatchObject({ kind: 'failure', failure: 'aborted' });
    expect(await post('a', { preSendCheck })).toMatchObject(GOOD);
    expect([requestCount, requests.length]).toEqual([3, 2]);
  });

  test('a connection with an aborted request is closed', async () => {
    const controller = new AbortController();
    const { sockets, requests, post } = await receive((socket, index) => {
      if (index === 0) socket.write(OK);
      else controller.abort();
    });
    await post('a');
    expect(await post('a', { signal: controller.signal })).toMatchObject({ failure: 'aborted' });
    await once(sockets[0] as Socket, 'close'); // it has served a request
    expect(await post('a')).toMatchObject(GOOD);
    expect(requests.map(({ connection }) => connection)).toEqual([0, 0, 1]);
  });

  test('the limit of framing applies to each request on a kept connection, not to all of them together', async () => {
    // 260 KB of chunk extensions are more than one response may have. A fifth of that in each of ten responses is not.
    const extension = ';'.padEnd(52_000, 'x');
    const { requests, post } = await receive(
      (socket) =>
        void socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2${extension}\r\nok\r\n0\r\n\r\n`),
    );
    for (let count = 0; count < 10; count++) expect(await post('a')).toMatchObject(GOOD);
    expect(requests.every(({ connection }) => connection === 0)).toBe(true);
  });
});

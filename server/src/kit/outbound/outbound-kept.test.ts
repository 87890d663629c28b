// Connections that are kept: for the same keeper alone, never with what a receiver left on them, and never a second send.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createOutbound, type OutboundRequest } from './outbound.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** Answers each request as told; `index` counts those of one connection. Requests have a body of two bytes, "{}". */
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
  const outbound = createOutbound({ allowHosts: [`127.0.0.1:${port}`] });
  closers.push(() => outbound.close());
  const post = (keeper: string | undefined, more: Partial<OutboundRequest> = {}) =>
    outbound.post({
      url: `http://127.0.0.1:${port}/`,
      headers: {},
      body: Buffer.from('{}'),
      connectTimeoutMs: 1_000,
      totalTimeoutMs: 2_000,
      maxResponseBytes: 1_024,
      ...(keeper === undefined ? {} : { keeper }),
      ...more,
    });
  return { sockets, requests, post, close: outbound.close };
}

const GOOD = { kind: 'response', status: 200 };

describe('a connection', () => {
  test('serves the next request of its keeper, and nobody else’s', async () => {
    const { sockets, requests, post } = await receive();
    for (const keeper of ['a', 'a', 'b', 'a', undefined, undefined, 'b'])
      expect(await post(keeper)).toMatchObject(GOOD);
    expect(requests.map(({ connection }) => connection)).toEqual([0, 0, 1, 0, 2, 3, 1]);
    expect(requests.map(({ head }) => /connection: ([\w-]+)/i.exec(head)?.[1])).toEqual(
      [0, 0, 1, 0, 2, 3, 1].map((connection) => (connection > 1 ? 'close' : 'keep-alive')),
    );
    expect(sockets.slice(2).every((socket) => socket.closed || socket.readyState !== 'open')).toBe(true);
  });

  test('serves one request at a time', async () => {
    const { requests, post } = await receive((socket) => void setImmediate(() => socket.write(OK)));
    await Promise.all([post('a'), post('a'), post('a')]);
    expect(requests.map(({ connection }) => connection)).toEqual([0, 1, 2]);
  });

  test('ends when nobody needs it, and with the door', async () => {
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
  ])('%s is not used again', async (_, answer) => {
    const { requests, post } = await receive(answer);
    expect(await post('a')).toMatchObject(GOOD);
    expect(await post('a')).toMatchObject(GOOD);
    expect(requests.map(({ connection }) => connection)).toEqual([0, 1]);
  });

  test('that was closed meanwhile is noticed before anything is written', async () => {
    const { sockets, requests, post } = await receive();
    await post('a');
    sockets[0]?.end();
    // In the same turn of the event loop in which the end has not been heard of yet.
    expect(await post('a')).toMatchObject(GOOD);
    expect(requests.map(({ connection }) => connection)).toEqual([0, 1]);
  });

  test('on which a forged answer waits is not used for the next request', async () => {
    const { sockets, requests, post } = await receive();
    await post('a');
    sockets[0]?.write(OK.replace('200', '299'));
    expect(await post('a')).toMatchObject(GOOD);
    expect(requests).toHaveLength(2);
  });

  test('that breaks after a request was written is a failure, and nothing is sent again', async () => {
    const { requests, post } = await receive(
      (socket, index) => void (index === 0 ? socket.write(OK) : socket.destroy()),
    );
    await post('a');
    expect(await post('a')).toMatchObject({ kind: 'failure', failure: 'protocol' });
    expect(requests.map(({ connection }) => connection)).toEqual([0, 0]);
    // Who does that once gets a connection for each request, and fails no more of them.
    for (let count = 0; count < 3; count++) expect(await post('a')).toMatchObject(GOOD);
    expect(requests.map(({ connection }) => connection)).toEqual([0, 0, 1, 2, 3]);
  });

  test('is not written on without a permit, and asks for one each time', async () => {
    const { requests, post } = await receive();
    let asked = 0;
    const permit = () => ++asked !== 2;
    await post('a', { permit });
    expect(await post('a', { permit })).toMatchObject({ kind: 'failure', failure: 'aborted' });
    expect(await post('a', { permit })).toMatchObject(GOOD);
    expect([asked, requests.length]).toEqual([3, 2]);
  });

  test('that was aborted is closed', async () => {
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

  test('is bounded in framing for each request, and not over all of them', async () => {
    // 260 KB of chunk extensions are more than one response may have; a fifth of it in each of ten is not.
    const extension = ';'.padEnd(52_000, 'x');
    const { requests, post } = await receive(
      (socket) =>
        void socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2${extension}\r\nok\r\n0\r\n\r\n`),
    );
    for (let count = 0; count < 10; count++) expect(await post('a')).toMatchObject(GOOD);
    expect(requests.every(({ connection }) => connection === 0)).toBe(true);
  });
});

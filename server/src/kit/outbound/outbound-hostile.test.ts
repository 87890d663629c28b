// Receivers that hang, drip, flood, break off or lie cost a bounded time and a bounded number of bytes.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createOutboundClient, type OutboundOptions, type OutboundRequest } from './outbound.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) close();
});

const listen = async (server: Server): Promise<number> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

/**
 * Starts a receiver that answers the first bytes of each connection with `answer`, and counts connections and requests.
 */
const raw = async (answer: (socket: Socket) => void) => {
  const seen = { connections: 0, requests: 0, isLastClosed: Promise.resolve() };
  const port = await listen(
    createServer((socket) => {
      seen.connections += 1;
      seen.isLastClosed = new Promise((resolve) => socket.once('close', () => resolve()));
      socket.once('data', () => answer(socket));
      socket.on('data', (chunk) => {
        seen.requests += chunk.toString('latin1').split('POST /').length - 1;
      });
    }),
  );
  return { port, seen };
};

const createPost = (options: OutboundOptions) => {
  const outbound = createOutboundClient(options);
  closers.push(() => void outbound.close());
  return (url: string, more: Partial<OutboundRequest> = {}) =>
    outbound.post({
      url,
      headers: {},
      body: Buffer.from('{}'),
      connectTimeoutMs: 1000,
      totalTimeoutMs: 2000,
      maxResponseBytes: 16_384,
      ...more,
    });
};

const postTo = (port: number, more: Partial<OutboundRequest> = {}) =>
  createPost({ allowHosts: [`127.0.0.1:${port}`] })(`http://127.0.0.1:${port}/`, more);

const repeat = (socket: Socket, chunk: string | Buffer, everyMs: number) => {
  const timer = setInterval(() => socket.write(chunk), everyMs);
  socket.on('close', () => clearInterval(timer));
};

const OK = 'HTTP/1.1 200 OK\r\n';

describe('time limits', () => {
  test('a receiver that never responds is a timeout', async () => {
    const { port, seen } = await raw(() => undefined);
    const result = await postTo(port, { totalTimeoutMs: 150 });
    expect(result).toMatchObject({ kind: 'failure', failure: 'timeout' });
    expect(result.durationUs).toBeGreaterThan(140_000);
    await seen.isLastClosed;
  });

  test.each([
    ['body', `${OK}\r\n`, 'x'],
    ['header', `${OK}x-a: `, 'x'],
    ['stream of informational responses', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('a slowly dripping %s is cut by the total deadline', async (_title, start, drip) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let reportDripping = (): void => {};
    const dripping = new Promise<void>((resolve) => {
      reportDripping = resolve;
    });
    const { port, seen } = await raw((socket) => {
      socket.write(start);
      repeat(socket, drip, 5);
      reportDripping();
    });
    let isOver = false;
    const sent = postTo(port, { totalTimeoutMs: 60_000 }).finally(() => {
      isOver = true;
    });
    await dripping;
    vi.advanceTimersByTime(59_999);
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await sent).toMatchObject({ failure: 'timeout', detail: 'No complete response within 60000 ms.' });
    await seen.isLastClosed;
  });

  test('a hanging lookup is a timeout of the connection', async () => {
    const post = createPost({ allowHosts: [], lookup: () => new Promise(() => undefined) });
    const result = await post('https://hook.test/', { connectTimeoutMs: 100 });
    expect(result).toMatchObject({ kind: 'failure', failure: 'timeout', detail: 'No connection within 100 ms.' });
  });

  test('a hanging TLS handshake is a timeout of the connection', async () => {
    const { port } = await raw(() => undefined);
    const post = createPost({ allowHosts: [`127.0.0.1:${port}`] });
    const result = await post(`https://127.0.0.1:${port}/`, { connectTimeoutMs: 100 });
    expect(result).toMatchObject({ kind: 'failure', failure: 'timeout', detail: 'No connection within 100 ms.' });
  });

  test('a host never gets more than its connections, and waiting requests get a slot or end unsent', async () => {
    let [open, most] = [0, 0];
    const { port } = await raw((socket) => {
      open += 1;
      most = Math.max(most, open);
      socket.on('close', () => {
        open -= 1;
      });
      setTimeout(() => socket.end(`${OK}content-length: 0\r\n\r\n`), 20);
    });
    const post = createPost({ allowHosts: [`127.0.0.1:${port}`], perHostConnections: 2 });
    const results = await Promise.all(Array.from({ length: 12 }, () => post(`http://127.0.0.1:${port}/`)));
    expect(results.map((result) => result.kind)).toEqual(Array(12).fill('response'));
    expect(most).toBeLessThanOrEqual(3); // the receiver may notice a new socket before the end of the old one
    const [, , third] = await Promise.all(
      [1000, 1000, 5].map((totalTimeoutMs) => post(`http://127.0.0.1:${port}/`, { totalTimeoutMs })),
    );
    // Not a failure of the host, which gets no request.
    expect(third).toMatchObject({ kind: 'failure', failure: 'aborted' });
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'response' });
  });
});

describe('byte limits', () => {
  test('a huge body is cut at the limit, and the connection is closed', async () => {
    const { port, seen } = await raw((socket) => {
      socket.write(`${OK}\r\n`);
      repeat(socket, Buffer.alloc(65_536, 'x'), 1);
    });
    const result = await postTo(port, { maxResponseBytes: 1000 });
    expect(result).toMatchObject({ kind: 'response', status: 200, isBodyTruncated: true });
    if (result.kind === 'response') expect(result.body.toString()).toBe('x'.repeat(1000));
    await seen.isLastClosed;
  });

  test('a body of exactly the limit is complete', async () => {
    const { port } = await raw((socket) => void socket.end(`${OK}content-length: 1000\r\n\r\n${'x'.repeat(1000)}`));
    const result = await postTo(port, { maxResponseBytes: 1000 });
    expect(result).toMatchObject({ kind: 'response', isBodyTruncated: false });
    if (result.kind === 'response') expect(result.body).toHaveLength(1000);
  });

  test('at most 8 KiB of response headers are kept, and more than 16 KiB are a protocol failure', async () => {
    const lines = (count: number) =>
      `x-long: ${'v'.repeat(990)}\r\n`.repeat(count).replace(/x-long/g, () => `x-${n++}`);
    let n = 0;
    const some = await raw((socket) => void socket.end(`${OK}${lines(12)}content-length: 0\r\n\r\n`));
    const kept = await postTo(some.port);
    if (kept.kind !== 'response') throw new Error(kept.detail);
    expect(Object.keys(kept.headers)).toHaveLength(8);
    const many = await raw((socket) => void socket.end(`${OK}${lines(40)}content-length: 0\r\n\r\n`));
    expect(await postTo(many.port)).toMatchObject({ kind: 'failure', failure: 'protocol' });
  });

  test('endless chunk extensions and endless informational responses end early', async () => {
    const chunked = `${OK}transfer-encoding: chunked\r\n\r\n1;`;
    for (const [start, flood] of [
      [chunked, 'e'.repeat(65_536)],
      ['', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)],
    ] as const) {
      const { port } = await raw((socket) => {
        socket.write(start);
        repeat(socket, flood, 1);
      });
      const result = await postTo(port, { totalTimeoutMs: 60_000 });
      // The deadline would be a timeout.
      expect(result).toMatchObject({ kind: 'failure', failure: 'protocol' });
    }
  });
});

describe('broken connections', () => {
  test('a port without a listener is a failure to connect', async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const result = await postTo(port);
    expect(result).toMatchObject({ kind: 'failure', failure: 'connect' });
    expect(JSON.stringify(result)).toContain('ECONNREFUSED');
  });

  test('a name without an answer is a dns failure', async () => {
    const noName = Object.assign(new Error('x'), { code: 'ENOTFOUND' });
    const result = await createPost({ allowHosts: [], lookup: () => Promise.reject(noName) })('https://hook.test/');
    expect(result).toMatchObject({ kind: 'failure', failure: 'dns' });
    expect(await createPost({ allowHosts: [], lookup: async () => [] })('https://hook.test/')).toMatchObject({
      failure: 'dns',
    });
  });

  test.each<[string, (socket: Socket) => void]>([
    ['closes before the answer', (socket) => socket.end()],
    ['resets before the answer', (socket) => socket.resetAndDestroy()],
    ['closes inside the header', (socket) => socket.end(`${OK}x-a: b`)],
    ['closes inside the body', (socket) => socket.end(`${OK}content-length: 10\r\n\r\nabc`)],
    [
      'resets inside the body',
      (socket) =>
        void socket.write(`${OK}content-length: 10\r\n\r\nabc`, () => setTimeout(() => socket.resetAndDestroy(), 20)),
    ],
    ['speaks something else', (socket) => socket.end('SSH-2.0-OpenSSH\r\n')],
    ['switches protocols', (socket) => socket.write('HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')],
  ])('a receiver that %s is a protocol failure after one request', async (_title, answer) => {
    const { port, seen } = await raw(answer);
    const result = await postTo(port);
    expect(result).toMatchObject({ kind: 'failure', failure: 'protocol' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(seen).toMatchObject({ connections: 1, requests: 1 });
  });

  test('a kept connection that the receiver closes leads to no second send', async () => {
    const { port, seen } = await raw((socket) => {
      socket.write(`${OK}content-length: 2\r\nconnection: keep-alive\r\nkeep-alive: timeout=60\r\n\r\nok`);
      setTimeout(() => socket.destroy(), 5);
    });
    const post = createPost({ allowHosts: [`127.0.0.1:${port}`] });
    for (let n = 0; n < 10; n += 1) {
      expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'response', status: 200 });
      await new Promise((resolve) => setTimeout(resolve, n));
    }
    expect(seen).toMatchObject({ connections: 10, requests: 10 });
  });

  test.each([
    'Host',
    'content-length',
    'Transfer-Encoding',
    'connection',
  ])('refuses the header %s from the caller', async (name) => {
    const { port, seen } = await raw(() => undefined);
    expect(await postTo(port, { headers: { [name]: '1' } })).toMatchObject({ kind: 'failure', failure: 'protocol' });
    expect(seen.connections).toBe(0);
  });

  test('a header that would split the request is a protocol failure, not an exception', async () => {
    const { port, seen } = await raw(() => undefined);
    expect(await postTo(port, { headers: { a: 'b\r\nc: d' } })).toMatchObject({ kind: 'failure', failure: 'protocol' });
    expect(seen.requests).toBe(0);
  });
});

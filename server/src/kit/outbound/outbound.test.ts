// The outbound client on real sockets: where it connects, what it refuses, and that nothing is sent late or twice.
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import {
  type AddressInfo,
  createServer as createNetServer,
  type LookupFunction,
  connect as netConnect,
  type Server,
  type Socket,
} from 'node:net';
import { createSecureContext } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { checkUrl, compileRules } from './addresses.ts';
import { createOutboundClient, type OutboundOptions, type OutboundRequest } from './outbound.ts';
import { openSocket } from './outbound-socket.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const listen = async (server: Server): Promise<number> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

const web = (listener: RequestListener) => listen(createServer(listener));

/** Starts a receiver that records the bytes of each connection and responds with `answer`. */
const raw = async (answer: (socket: Socket, seen: string) => void) => {
  const connections: string[] = [];
  const port = await listen(
    createNetServer((socket) => {
      const index = connections.push('') - 1;
      socket.on('data', (chunk) => {
        connections[index] += chunk.toString('latin1');
        answer(socket, connections[index] ?? '');
      });
    }),
  );
  return { port, connections };
};

const createClient = (options: Partial<OutboundOptions> = {}) => {
  const outbound = createOutboundClient({ allowHosts: [], ...options });
  closers.push(() => outbound.close());
  const post = (url: string, more: Partial<OutboundRequest> = {}) =>
    outbound.post({
      url,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{"n":1}'),
      connectTimeoutMs: 1000,
      totalTimeoutMs: 2000,
      maxResponseBytes: 1024,
      ...more,
    });
  return { post, close: outbound.close };
};

const createClientFor = (port: number, options: Partial<OutboundOptions> = {}) =>
  createClient({ allowHosts: [`127.0.0.1:${port}`], ...options });

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

describe('listed receiver', () => {
  test('a listed receiver gets the bytes unchanged, and its response is returned', async () => {
    const seen: { method: string | undefined; url: string | undefined; headers: object; body: string }[] = [];
    const port = await web(async (request, response) => {
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body: await textOf(request) });
      response.writeHead(202, { 'x-one': 'a', 'set-cookie': ['b=1', 'c=2'], constructor: 'odd' }).end('thanks');
    });
    const result = await createClientFor(port).post(`http://127.0.0.1:${port}/hook?x=1`);
    expect(result).toMatchObject({ kind: 'response', status: 202, isBodyTruncated: false });
    if (result.kind !== 'response') return;
    expect(result.body.toString()).toBe('thanks');
    expect(result.headers).toMatchObject({ 'x-one': 'a', 'set-cookie': 'b=1, c=2', constructor: 'odd' });
    expect(result.durationUs).toBeGreaterThan(0);
    expect(seen).toMatchObject([{ method: 'POST', url: '/hook?x=1', body: '{"n":1}' }]);
    expect(seen[0]?.headers).toMatchObject({ 'accept-encoding': 'identity', connection: 'close' });
  });

  test('a listed receiver is allowed on exactly its port', async () => {
    const port = await web((_request, response) => response.end());
    const neighbour = await raw(() => undefined);
    const { post } = createClientFor(port);
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'response', status: 200 });
    const refused = await post(`http://127.0.0.1:${neighbour.port}/`);
    expect(refused).toMatchObject({ kind: 'failure', failure: 'blocked_address' });
    expect(neighbour.connections).toEqual([]);
  });

  test('a receiver that redirects gets one request, and the redirect is the result', async () => {
    const target = await raw(() => undefined);
    const port = await web((_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${target.port}/` }).end();
    });
    const { post } = createClientFor(port, { allowHosts: [`127.0.0.1:${port}`, `127.0.0.1:${target.port}`] });
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'response', status: 307 });
    expect(target.connections).toEqual([]);
  });

  test('a receiver may respond before the whole body was sent', async () => {
    const early = await raw((socket) => void socket.end('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n'));
    const result = await createClientFor(early.port).post(`http://127.0.0.1:${early.port}/`, {
      body: Buffer.alloc(64_000),
    });
    expect(result).toMatchObject({ kind: 'response', status: 413 });
  });
});

describe('address that is not public', () => {
  const hosts = `127.0.0.1 127.1 2130706433 0x7f000001 017700000001 [::1] [::ffff:127.0.0.1] [::] 0.0.0.0 0 localhost
    localhost. x.localhost`.split(/\s+/);

  test.each(hosts)('%s is blocked, and the server there sees no connection', async (host) => {
    const receiver = await raw(() => undefined);
    const { post } = createClient();
    for (const scheme of ['http', 'https']) {
      const result = await post(`${scheme}://${host}:${receiver.port}/`);
      expect(result).toMatchObject({ kind: 'failure', failure: 'blocked_address' });
    }
    expect(receiver.connections).toEqual([]);
  });

  test.each([
    ['loopback', ['127.0.0.1']],
    ['a private second address', ['8.8.8.8', '10.0.0.1']],
    ['a private first address', ['10.0.0.1', '8.8.8.8']],
    ['a mapped loopback', ['::ffff:127.0.0.1']],
    ['something that is no address', ['8.8.8.8', 'nonsense']],
    ['a zone', ['fe80::1%lo']],
  ])('an address that is not public is found behind a name with %s', async (_title, addresses) => {
    const receiver = await raw(() => undefined);
    const result = await createClient({ lookup: async () => addresses }).post(`https://hook.test:${receiver.port}/`);
    expect(result).toMatchObject({ kind: 'failure', failure: 'blocked_address' });
    expect(JSON.stringify(result)).not.toContain('10.0.0.1');
    expect(receiver.connections).toEqual([]);
  });

  test('rebinding has no effect: a name is resolved once per attempt, and again for the next one', async () => {
    const port = await web((_request, response) => response.end());
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let lookupCount = 0;
    const { post } = createClient({
      allowHosts: [`hook.test:${port}`],
      lookup: async () => answers[lookupCount++] ?? [],
    });
    expect(await post(`http://hook.test:${port}/`)).toMatchObject({ kind: 'response', status: 200 });
    expect(lookupCount).toBe(1);
    const second = await post(`http://hook.test:${port}/`);
    expect(second).toMatchObject({ kind: 'failure', failure: 'blocked_address' });
  });

  test('the dialer gets the checked addresses and not the name, so nothing can change between check and connection', async () => {
    const receiver = await raw(() => undefined);
    const rules = compileRules({ allowHosts: [] });
    const target = checkUrl('https://hook.test/', rules);
    if ('failure' in target) throw new Error(target.detail);
    let dialled: unknown;
    const dial = ((options: { lookup: LookupFunction }) => {
      options.lookup('hook.test', { all: true }, (_error, addresses) => {
        dialled = addresses;
      });
      return netConnect(receiver.port, '127.0.0.1');
    }) as unknown as typeof netConnect;
    const lookup = async () => ['8.8.8.8', '2606:4700::1111'];
    await openSocket(
      target,
      { rules, lookup, secureContext: createSecureContext(), dial },
      new AbortController().signal,
    );
    expect(dialled).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  test.each([
    'https://8.8.8.8/',
    'https://hook.test/',
  ])('an address that is not public is noticed on the connected socket of %s', async (url) => {
    const receiver = await raw(() => undefined);
    const rules = compileRules({ allowHosts: [] });
    const target = checkUrl(url, rules);
    if ('failure' in target) throw new Error(target.detail);
    const misdirected = (() => netConnect(receiver.port, '127.0.0.1')) as unknown as typeof netConnect;
    const options = { rules, lookup: async () => ['8.8.8.8'], secureContext: createSecureContext(), dial: misdirected };
    const outcome = await openSocket(target, options, new AbortController().signal);
    expect(outcome).toMatchObject({ failure: 'blocked_address' });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(receiver.connections.join('')).toBe('');
  });
});

describe('pre-send check and signal', () => {
  test('a request whose pre-send check fails writes not one byte', async () => {
    const receiver = await raw(() => undefined);
    const { post } = createClientFor(receiver.port);
    const url = `http://127.0.0.1:${receiver.port}/`;
    expect(await post(url, { preSendCheck: () => false })).toMatchObject({ kind: 'failure', failure: 'aborted' });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(receiver.connections.join('')).toBe('');
  });

  test('the pre-send check runs once, when the connection is already open', async () => {
    const order: string[] = [];
    const server = createServer((_request, response) => {
      order.push('request');
      response.end();
    }).on('connection', () => order.push('connection'));
    const port = await listen(server);
    const preSendCheck = () => {
      order.push('preSendCheck');
      return true;
    };
    expect(await createClientFor(port).post(`http://127.0.0.1:${port}/`, { preSendCheck })).toMatchObject({
      kind: 'response',
    });
    expect(order.filter((step) => step !== 'connection')).toEqual(['preSendCheck', 'request']);
  });

  test('an abort in flight ends the request before its deadline and closes its connection', async () => {
    const abort = new AbortController();
    let isClosed: Promise<unknown> = Promise.resolve();
    const receiver = await raw((socket) => {
      isClosed = new Promise((resolve) => socket.once('close', resolve));
      abort.abort();
    });
    const url = `http://127.0.0.1:${receiver.port}/`;
    const result = await createClientFor(receiver.port).post(url, { signal: abort.signal, totalTimeoutMs: 60_000 });
    // The deadline would be a timeout.
    expect(result).toMatchObject({ kind: 'failure', failure: 'aborted' });
    await isClosed;
    const later = await createClientFor(receiver.port).post(url, { signal: abort.signal });
    expect(later).toMatchObject({ kind: 'failure', failure: 'aborted' });
    expect(receiver.connections).toHaveLength(1);
  });

  test('close aborts requests in flight and refuses later ones', async () => {
    const { port } = await raw(() => void outbound.close());
    const outbound = createClientFor(port);
    const url = `http://127.0.0.1:${port}/`;
    expect(await outbound.post(url)).toMatchObject({ kind: 'failure', failure: 'aborted' });
    expect(await outbound.post(url)).toMatchObject({ kind: 'failure', failure: 'aborted' });
  });
});

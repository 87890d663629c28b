// Tests the tail of requests against servers whose connections break off.
import type { ServerResponse } from 'node:http';
import { type SlipwayError, SlipwayProblem, SlipwayTimeoutError } from '@slipway/sdk';
import { type Changes, createManagement, type StreamOptions, type TailedRequests } from '@slipway/sdk/management';
import { expect, test } from 'vitest';
import { failure, json, late, type Peer, problem, startPeer } from './peer.ts';

const APP = { organisationId: 'org_1', appId: 'app_1' };

const eventOf = (id: string, ...paths: string[]): string =>
  `retry: 1000\nid: ${id}\nevent: requests\ndata: ${JSON.stringify({ data: paths.map((path) => ({ path })), missed: null })}\n\n`;

/** Returns a stream that stays open. */
const stream =
  (...pieces: (string | Buffer)[]) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    for (const piece of pieces) response.write(piece);
  };
/** Returns a stream whose connection breaks off after its text. */
const broken = (text: string) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(text, () => setImmediate(() => response.socket?.destroy()));
};

const tailOf = (peer: Peer, options: StreamOptions = {}, after?: string) =>
  createManagement({ baseUrl: `${peer.url}/` }).tailRequests(
    { ...APP, statusClass: 4, ...(after && { after }) },
    options,
  );

async function read(tail: AsyncIterable<TailedRequests>, count: number): Promise<TailedRequests[]> {
  const parts: TailedRequests[] = [];
  for await (const part of tail) if (parts.push(part) === count) break;
  return parts;
}
const paths = (parts: TailedRequests[]): string[] => parts.flatMap(({ data }) => data.map(({ path }) => path));

test('the tail continues after an interruption from the last whole event, with the same filter, and reports the interruption', async () => {
  const half = eventOf('p3', '/lost').slice(0, 40);
  const peer = await startPeer(broken(eventOf('p1', '/a') + eventOf('p2', '/b') + half), stream(eventOf('p3', '/c')));
  const errors: SlipwayError[] = [];
  const parts = await read(tailOf(peer, { onInterrupted: (error) => errors.push(error) }), 3);
  expect([paths(parts), parts.map(({ position }) => position)]).toEqual([
    ['/a', '/b', '/c'],
    ['p1', 'p2', 'p3'],
  ]);
  expect(errors.map(({ name }) => name)).toEqual(['SlipwayConnectionError']);
  const address = '/api/sandbox/organisations/org_1/apps/app_1/request-tail?statusClass=4';
  expect(peer.received.map(({ url, headers }) => [url, headers['last-event-id']])).toEqual([
    [address, undefined],
    [address, 'p2'],
  ]);
});

test('the tail starts at the given position, and a keep-alive advances it', async () => {
  const peer = await startPeer(stream(': nothing new\nid: p5\n\n'));
  expect(await read(tailOf(peer, {}, 'p4'), 1)).toEqual([{ data: [], missed: null, position: 'p5' }]);
  expect(peer.received[0]?.headers['last-event-id']).toBe('p4');
});

test('followChanges continues from the last event, and a keep-alive names no read', async () => {
  const changed = (id: string, ...reads: string[]): string =>
    `id: ${id}\nevent: changed\ndata: ${JSON.stringify({ reads })}\n\n`;
  const reads = ['endpoints', 'deliveries?status=failed'];
  const peer = await startPeer(
    broken(changed('p1', ...reads)),
    stream(`: nothing new\nid: p2\n\n${changed('p3', 'endpoints')}`),
  );
  const parts: Changes[] = [];
  const client = createManagement({ baseUrl: peer.url, environment: 'production' });
  for await (const part of client.followChanges({ ...APP, reads })) if (parts.push(part) === 3) break;
  expect(parts).toEqual([
    { reads, position: 'p1' },
    { reads: [], position: 'p2' },
    { reads: ['endpoints'], position: 'p3' },
  ]);
  const address = `/api/production/organisations/org_1/apps/app_1/changes?reads=${encodeURIComponent(reads.join(','))}`;
  expect(peer.received.map(({ url, headers }) => [url, headers['last-event-id']])).toEqual([
    [address, undefined],
    [address, 'p1'],
  ]);
});

test('the tail accepts characters and events that are cut at any byte', async () => {
  const bytes = Buffer.from(eventOf('p1', '/ä') + eventOf('p2', '/b'));
  const peer = await startPeer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = (at: number): void => {
      if (at < bytes.length) response.write(bytes.subarray(at, at + 1), () => setImmediate(write, at + 1));
    };
    write(0);
  });
  expect(paths(await read(tailOf(peer), 2))).toEqual(['/ä', '/b']);
});

test('the tail replaces a connection on which nothing arrives', async () => {
  const peer = await startPeer(stream(), stream(eventOf('p1', '/a')));
  const errors: SlipwayError[] = [];
  await read(tailOf(peer, { timeoutMs: 50, onInterrupted: (error) => errors.push(error) }), 1);
  expect(errors[0]).toBeInstanceOf(SlipwayTimeoutError);
});

test('the tail keeps a connection if its timeout is longer than the longest timer', async () => {
  const onInterrupted = (error: SlipwayError): never => {
    throw error;
  };
  const between = (response: ServerResponse): void => {
    stream(eventOf('p1', '/a'))(response);
    setTimeout(() => response.write(eventOf('p2', '/b')), 50);
  };
  const peer = await startPeer(late(between));
  expect(paths(await read(tailOf(peer, { timeoutMs: 2 ** 31, onInterrupted }), 2))).toEqual(['/a', '/b']);
});

test('the tail retries a transient refusal, and ends with another one', async () => {
  const refused = await startPeer(
    problem(503, 'unavailable', { 'retry-after': '0' }),
    problem(401, 'sign_in_required'),
  );
  const error = await failure(read(tailOf(refused), 1));
  expect(error).toBeInstanceOf(SlipwayProblem);
  expect(error).toMatchObject({ code: 'sign_in_required' });
  expect(refused.received).toHaveLength(2);
  const page = await startPeer(json(200, {}));
  expect(await failure(read(tailOf(page), 1))).toMatchObject({
    message: expect.stringContaining('not an event stream'),
  });
  expect(page.received).toHaveLength(1);
});

test('the tail closes the connection when the reader stops or aborts', async () => {
  for (const leave of ['break', 'abort']) {
    const stop = new AbortController();
    let closed: Promise<unknown> = Promise.resolve();
    const peer = await startPeer((response) => {
      closed = new Promise((resolve) => response.once('close', resolve));
      stream(eventOf('p1', '/a'))(response);
    });
    const tail = tailOf(peer, { signal: stop.signal });
    if (leave === 'break') await read(tail, 1);
    else {
      await tail.next();
      stop.abort('enough');
      expect(await failure(tail.next())).toBe('enough');
    }
    await closed;
  }
});

test('addressOf returns the address of a download', async () => {
  const { addressOf } = createManagement({ baseUrl: '' });
  expect(addressOf('exportRequestTable', { ...APP, path: 'a&b' })).toBe(
    '/api/sandbox/organisations/org_1/apps/app_1/requests.csv?path=a%26b',
  );
});

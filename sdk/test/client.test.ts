// Tests errors, the use of the key, and addresses, over real HTTP with prepared responses.
import { inspect } from 'node:util';
import {
  createSlipway,
  type ProblemCode,
  SlipwayConnectionError,
  SlipwayError,
  SlipwayProblem,
  SlipwayTimeoutError,
} from '@slipway/sdk';
import { describe, expect, test } from 'vitest';
import { client, failure, json, KEY, late, ME, problem, reset, silence, startPeer } from './peer.ts';

describe('errors', () => {
  test('a missing response is a connection error with the reason', async () => {
    const peer = await startPeer(reset);
    const error = await failure(client(peer.url, { maxRetries: 0 }).getMe());
    expect(error).toBeInstanceOf(SlipwayConnectionError);
    expect(error).not.toBeInstanceOf(SlipwayTimeoutError);
    expect(error).toMatchObject({
      name: 'SlipwayConnectionError',
      message: expect.stringMatching(/^No answer: .+\.$/),
    });
    const timeout = await failure(client((await startPeer(silence)).url, { maxRetries: 0, timeoutMs: 50 }).getMe());
    expect(timeout).toBeInstanceOf(SlipwayTimeoutError);
    expect(timeout).toMatchObject({ message: 'No answer within 50 ms.' });
  });

  test('a call waits for its response if its timeout is longer than the longest timer', async () => {
    const peer = await startPeer(late(json(200, ME)));
    expect(await client(peer.url, { maxRetries: 0, timeoutMs: 2 ** 31 }).getMe()).toEqual(ME);
  });

  test('a problem has every field of the response', async () => {
    const body = {
      type: 'http://p',
      title: 'Invalid request',
      status: 400,
      code: 'invalid_request',
      requestId: 'req_9',
    };
    const errors = [{ pointer: '/query/limit', detail: 'must be at most 100' }];
    const answer = json(400, { ...body, detail: 'Look.', errors }, { 'content-type': 'application/problem+json' });
    const error = await failure(client((await startPeer(answer)).url).getMe());
    expect(error).toMatchObject({ ...body, detail: 'Look.', errors, retryAfter: undefined, name: 'SlipwayProblem' });
    expect(String(error)).toBe(
      'SlipwayProblem: Invalid request (invalid_request, req_9): /query/limit must be at most 100',
    );
  });

  test('the message of an invalid request names the first three parts, and ignores a value that is not a list', () => {
    const fields = { type: 'http://p', title: 'Invalid request', status: 400, requestId: 'req_9', detail: 'Read.' };
    const parts = ['/subject', '/body', '', '/more'].map((pointer) => ({ pointer, detail: 'is required' }));
    const said = (errors: readonly { pointer: string; detail: string }[], code = 'invalid_request' as ProblemCode) =>
      new SlipwayProblem({ ...fields, code, errors }).message.replace(/^.*\): /, '');
    expect(said(parts)).toBe('/subject is required; /body is required; (body) is required; and 1 more');
    expect(said(parts.slice(0, 2))).toBe('/subject is required; /body is required');
    expect(said([])).toBe('Read.');
    expect(said(parts, 'conflict')).toBe('Read.');
    // A value that is not a list, as from a proxy.
    expect(said('none' as unknown as typeof parts)).toBe('Read.');
    expect(() => said([null] as unknown as typeof parts)).not.toThrow();
  });

  test('a response that is not from Slipway is an unknown problem, or an error if its status is 200', async () => {
    const page = await startPeer((response) => void response.writeHead(404).end('<h1>nginx</h1>'));
    expect(await failure(client(page.url).getMe())).toMatchObject({ status: 404, code: 'unknown', requestId: '' });
    const forged = await startPeer(json(404, { code: 'rate_limited', retryAfter: 5 }));
    expect(await failure(client(forged.url).getMe())).toMatchObject({ code: 'unknown', retryAfter: undefined });
    const fine = await startPeer((response) => void response.writeHead(200).end('<h1>Welcome</h1>'));
    const error = await failure(client(fine.url).getMe());
    expect([error instanceof SlipwayError, error instanceof SlipwayProblem]).toEqual([true, false]);
    expect(fine.received).toHaveLength(1);
  });
});

describe('the key', () => {
  test('the key is not in the printed client, call or error', async () => {
    const peers = [reset, problem(401, 'invalid_key'), json(200, ME), silence];
    for (const answer of peers) {
      const slipway = client((await startPeer(answer)).url, { maxRetries: 0, timeoutMs: 100 });
      const call = slipway.getMe();
      const outcome = await failure(call.withResponse());
      for (const one of [slipway, slipway.getMe, call, outcome]) {
        const text = inspect(one, { depth: 20, showHidden: true, getters: true });
        expect(text + JSON.stringify(one) + String(one)).not.toContain('Secret');
      }
    }
  });

  test.each([
    '',
    'slw_test_Secret\n',
    'slw_test_Secrét',
    ' slw_test_Secret',
  ])('refuses a malformed key with a message that does not repeat it: %j', (key) => {
    const made = (): unknown => createSlipway({ baseUrl: 'http://localhost', key });
    expect(made).toThrow(TypeError);
    expect(made).not.toThrow('Secret');
  });

  test.each([301, 302, 307, 308])('does not send the key to another origin after a %i', async (status) => {
    const other = await startPeer(json(200, ME));
    const peer = await startPeer(
      (response) => void response.writeHead(status, { location: `${other.url}/v1/me` }).end(),
    );
    const error = await failure(client(peer.url).getMe());
    expect(error).toMatchObject({
      status,
      code: 'unknown',
      detail: expect.stringContaining('Redirects are not followed'),
    });
    expect([peer.received.length, other.received.length]).toEqual([1, 0]);
  });

  test('headers of a call cannot replace the key', async () => {
    const peer = await startPeer(json(200, ME));
    const headers = { Authorization: 'Bearer other', 'Sandbox-Simulate': 'latency=1' };
    await client(peer.url).getMe({}, { headers });
    expect(peer.received[0]?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'sandbox-simulate': 'latency=1',
    });
  });
});

describe('the address', () => {
  test.each([
    '',
    'nonsense',
    'ftp://host',
    'http://me:secret@host',
    'http://host/?a=b',
    'http://host/#a',
  ])('refuses a malformed baseUrl: %j', (baseUrl) => expect(() => client(baseUrl)).toThrow(/^baseUrl must be/));

  test.each(['', '.', '..', undefined])('refuses an empty identifier or a dot segment: %j', async (serverId) => {
    const peer = await startPeer(json(200, {}));
    const input = { serverId } as { serverId: string }; // as untyped JavaScript would pass it
    expect(await failure(client(peer.url).getServer(input))).toBeInstanceOf(TypeError);
    expect(peer.received).toHaveLength(0);
  });

  test('encodes identifiers and query values', async () => {
    const peer = await startPeer(json(200, { data: [], nextCursor: null }));
    await client(`${peer.url}/base/`).listPublications({ serverId: 'a/../b?c#d%2e', limit: 5, cursor: 'x&y=z' });
    expect(peer.received[0]?.url).toBe(
      '/base/v1/servers/a%2F..%2Fb%3Fc%23d%252e/publications?limit=5&cursor=x%26y%3Dz',
    );
  });
});

test('withResponse returns request id, rate limit, and whether the response is a replay', async () => {
  const peer = await startPeer(
    json(200, ME, {
      'request-id': 'req_7',
      'ratelimit-policy': '"default";q=200;w=2',
      ratelimit: '"default";r=199;t=1',
      'idempotent-replayed': 'true',
    }),
  );
  const { data, response } = await client(peer.url).getMe().withResponse();
  expect(data).toEqual(ME);
  expect(response).toMatchObject({ status: 200, requestId: 'req_7', isReplayed: true });
  expect(response.rateLimit).toEqual({ limit: 200, remaining: 199, resetSeconds: 1 });
  const bare = await client((await startPeer(json(200, ME))).url)
    .getMe()
    .withResponse();
  expect(bare.response).toMatchObject({ requestId: '', isReplayed: false, rateLimit: undefined });
});

// The client against peers that fail in every way a network has. Real HTTP; only the answers are made up.
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { createSlipway, SlipwayConnectionError, SlipwayError, SlipwayProblem, SlipwayTimeoutError } from '@slipway/sdk';
import { createManagement } from '@slipway/sdk/management';
import { describe, expect, test } from 'vitest';
import { json, problem, reset, silence, startPeer } from './peer.ts';

const KEY = 'slw_test_thisIsTheSecretThatNobodyMaySee';
const ME = { environment: 'sandbox', appId: 'app_1' };
const TICKET = { serverId: 'srv_1', body: { subject: 'Hello', body: 'My first ticket.' } };
const client = (baseUrl: string, options = {}) => createSlipway({ baseUrl, key: KEY, ...options });
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );

describe('what is tried again', () => {
  test('a 503, and not before Retry-After has passed', async () => {
    const peer = await startPeer(problem(503, 'unavailable', { 'retry-after': '1' }), json(200, ME));
    expect(await client(peer.url).getMe()).toEqual(ME);
    const [first, second] = peer.received.map(({ atMs }) => Math.ceil(atMs));
    expect(peer.received).toHaveLength(2);
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(999); // a timer may run out in the ms before
  });

  test('a connection that was reset, and a proxy that has no answer', async () => {
    const proxy = (response: ServerResponse) => void response.writeHead(502).end('<h1>Bad</h1>');
    const peer = await startPeer(reset, proxy, json(200, ME));
    expect(await client(peer.url).getMe()).toEqual(ME);
    expect(peer.received).toHaveLength(3);
  });

  test('an answer that does not come in time, or not whole', async () => {
    const half = (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"app');
    };
    const peer = await startPeer(silence, half, json(200, ME));
    expect(await client(peer.url, { timeoutMs: 100 }).getMe()).toEqual(ME);
    expect(peer.received).toHaveLength(3);
  });

  test('a mutation, with the same bytes under the same key, which no other call shares', async () => {
    const peer = await startPeer(reset, problem(503, 'unavailable'), json(201, { id: 'tkt_1' }));
    const slipway = client(peer.url);
    expect(await slipway.createTicket(TICKET)).toEqual({ id: 'tkt_1' });
    const keys = peer.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(peer.received.map(({ body }) => JSON.parse(body))).toEqual([TICKET.body, TICKET.body, TICKET.body]);
    await slipway.createTicket(TICKET);
    expect(peer.received[3]?.headers['idempotency-key']).not.toBe(keys[0]);
  });

  test("a mutation that is still at work under the call's own key", async () => {
    const busy = problem(409, 'idempotency_in_progress', { 'retry-after': '0' });
    const peer = await startPeer(reset, busy, json(201, { id: 'tkt_1' }));
    expect(await client(peer.url).createTicket(TICKET)).toEqual({ id: 'tkt_1' });
  });
});

describe('what is not tried again', () => {
  test.each([400, 401, 403, 404, 409, 422, 500])('a %i', async (status) => {
    const peer = await startPeer(problem(status, 'conflict'));
    expect(await failure(client(peer.url).getMe())).toMatchObject({ status });
    expect(peer.received).toHaveLength(1);
  });

  test('more often than maxRetries, of the client or of the call; the last failure is told', async () => {
    const peer = await startPeer(problem(503, 'unavailable'));
    expect(await failure(client(peer.url, { maxRetries: 1 }).getMe())).toMatchObject({ code: 'unavailable' });
    expect(peer.received).toHaveLength(2);
    expect(await failure(client(peer.url).getMe({}, { maxRetries: 0 }))).toBeInstanceOf(SlipwayProblem);
    expect(peer.received).toHaveLength(3);
    expect(await failure(client(peer.url).getMe({}, { maxRetries: undefined }))).toBeInstanceOf(SlipwayProblem);
    expect(peer.received).toHaveLength(6);
  });

  test('a mutation that takes no idempotency key, whatever its method', async () => {
    const peer = await startPeer(reset);
    const management = createManagement({ baseUrl: peer.url });
    for (const call of [
      () => management.createOrganisation({ body: { name: 'Ours' } }),
      () => management.setPassword({ body: { password: 'long enough' } }),
      () => management.deleteSession(),
    ]) {
      expect(await failure(call())).toBeInstanceOf(SlipwayConnectionError);
    }
    expect(peer.received.map(({ method }) => method).sort()).toEqual(['DELETE', 'POST', 'PUT']);
    expect(peer.received.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined, undefined]);
  });

  test('what asks for a longer wait than a caller would want; it is told how long', async () => {
    const peer = await startPeer(problem(429, 'rate_limited', { 'retry-after': '3600' }));
    expect(await failure(client(peer.url).getMe())).toMatchObject({ code: 'rate_limited', retryAfter: 3600 });
    expect(peer.received).toHaveLength(1);
  });

  test('an aborted call: before it begins, while it is under way, and while it waits', async () => {
    const early = await startPeer(json(200, ME));
    expect(await failure(client(early.url).getMe({}, { signal: AbortSignal.abort('early') }))).toBe('early');
    expect(early.received).toHaveLength(0);

    const during = new AbortController();
    const hanging = await startPeer(() => during.abort('during'));
    expect(await failure(client(hanging.url).getMe({}, { signal: during.signal }))).toBe('during');
    expect(hanging.received).toHaveLength(1);

    const waiting = new AbortController();
    const busy = await startPeer((response, received) => {
      problem(503, 'unavailable', { 'retry-after': '60' })(response, received);
      response.once('close', () => setImmediate(() => waiting.abort('waiting')));
    });
    expect(await failure(client(busy.url).getMe({}, { signal: waiting.signal }))).toBe('waiting');
    expect(busy.received).toHaveLength(1);
  });
});

describe('what a failure says', () => {
  test('no answer is its own error, with the reason', async () => {
    const peer = await startPeer(reset);
    const error = await failure(client(peer.url, { maxRetries: 0 }).getMe());
    expect(error).toBeInstanceOf(SlipwayConnectionError);
    expect(error).not.toBeInstanceOf(SlipwayTimeoutError);
    expect(error).toMatchObject({
      name: 'SlipwayConnectionError',
      message: expect.stringMatching(/^No answer: .+\.$/),
    });
    const late = await failure(client((await startPeer(silence)).url, { maxRetries: 0, timeoutMs: 50 }).getMe());
    expect(late).toBeInstanceOf(SlipwayTimeoutError);
    expect(late).toMatchObject({ message: 'No answer within 50 ms.' });
  });

  test('a problem has all that the API said', async () => {
    const body = {
      type: 'http://p',
      title: 'Invalid request',
      status: 400,
      code: 'invalid_request',
      requestId: 'req_9',
    };
    const errors = [{ pointer: '/query/limit', detail: 'must be <= 100' }];
    const answer = json(400, { ...body, detail: 'Look.', errors }, { 'content-type': 'application/problem+json' });
    const error = await failure(client((await startPeer(answer)).url).getMe());
    expect(error).toMatchObject({ ...body, detail: 'Look.', errors, retryAfter: undefined, name: 'SlipwayProblem' });
    expect(String(error)).toBe('SlipwayProblem: Invalid request (invalid_request, req_9): Look.');
  });

  test("an answer of somebody else's is an unknown problem, or an error when it claims success", async () => {
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
  test('is in no print of the client, of a call or of an error', async () => {
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
  ])('is refused without being repeated when it is none: %j', (key) => {
    const made = (): unknown => createSlipway({ baseUrl: 'http://localhost', key });
    expect(made).toThrow(TypeError);
    expect(made).not.toThrow('Secret');
  });

  test.each([301, 302, 307, 308])('does not follow a %i to another origin, nor does the call', async (status) => {
    const other = await startPeer(json(200, ME));
    const peer = await startPeer(
      (response) => void response.writeHead(status, { location: `${other.url}/v1/me` }).end(),
    );
    const error = await failure(client(peer.url).getMe());
    expect(error).toMatchObject({ status, code: 'unknown', detail: expect.stringContaining('redirect') });
    expect([peer.received.length, other.received.length]).toEqual([1, 0]);
  });

  test("is the client's, whatever headers a call adds", async () => {
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
  ])('of no API is refused: %j', (baseUrl) => expect(() => client(baseUrl)).toThrow(/^baseUrl is no/));

  test.each(['', '.', '..', undefined])('of no object is refused: %j', async (serverId) => {
    const peer = await startPeer(json(200, {}));
    const input = { serverId } as { serverId: string }; // as JavaScript would
    expect(await failure(client(peer.url).getServer(input))).toBeInstanceOf(TypeError);
    expect(peer.received).toHaveLength(0);
  });

  test('keeps what is in an identifier and a query apart from the address itself', async () => {
    const peer = await startPeer(json(200, { data: [], nextCursor: null }));
    await client(`${peer.url}/base/`).listPublications({ serverId: 'a/../b?c#d%2e', limit: 5, cursor: 'x&y=z' });
    expect(peer.received[0]?.url).toBe(
      '/base/v1/servers/a%2F..%2Fb%3Fc%23d%252e/publications?limit=5&cursor=x%26y%3Dz',
    );
  });
});

test('the response says which request it was, how much of the rate is left, and whether it is a replay', async () => {
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

// Tests which calls the client retries, against servers that fail as networks do.
import type { ServerResponse } from 'node:http';
import { type Retry, SlipwayConnectionError, SlipwayProblem } from '@slipway/sdk';
import { createManagement } from '@slipway/sdk/management';
import { describe, expect, test } from 'vitest';
import { client, failure, json, ME, problem, reset, silence, startPeer } from './peer.ts';

const TICKET = { serverId: 'srv_1', body: { subject: 'Hello', body: 'My first ticket.' } };

describe('retries of the client', () => {
  test('retries a 503 after Retry-After has passed', async () => {
    const peer = await startPeer(problem(503, 'unavailable', { 'retry-after': '1' }), json(200, ME));
    expect(await client(peer.url).getMe()).toEqual(ME);
    const [first, second] = peer.received.map(({ atMs }) => Math.ceil(atMs));
    expect(peer.received).toHaveLength(2);
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(999); // a timer can fire up to 1 ms early
  });

  test('retries after a connection reset and after a 502 of a proxy', async () => {
    const proxy = (response: ServerResponse) => void response.writeHead(502).end('<h1>Bad</h1>');
    const peer = await startPeer(reset, proxy, json(200, ME));
    expect(await client(peer.url).getMe()).toEqual(ME);
    expect(peer.received).toHaveLength(3);
  });

  test('retries after a timeout and after an incomplete response', async () => {
    const half = (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"app');
    };
    const peer = await startPeer(silence, half, json(200, ME));
    // More retries than the two failures need: on a busy machine another attempt can be late.
    expect(await client(peer.url, { timeoutMs: 250, maxRetries: 8 }).getMe()).toEqual(ME);
    expect(peer.received.length).toBeGreaterThanOrEqual(3);
  });

  test('retries a mutation with the same bytes and a key that no other call has', async () => {
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

  test("retries a mutation that is in progress under the call's own key", async () => {
    const busy = problem(409, 'idempotency_in_progress', { 'retry-after': '0' });
    const peer = await startPeer(reset, busy, json(201, { id: 'tkt_1' }));
    expect(await client(peer.url).createTicket(TICKET)).toEqual({ id: 'tkt_1' });
  });
});

describe('calls without a retry', () => {
  test.each([400, 401, 403, 404, 409, 422, 500])('does not retry a %i', async (status) => {
    const peer = await startPeer(problem(status, 'conflict'));
    expect(await failure(client(peer.url).getMe())).toMatchObject({ status });
    expect(peer.received).toHaveLength(1);
  });

  test('retries at most maxRetries times, of client or call, and rejects with the last failure', async () => {
    const peer = await startPeer(problem(503, 'unavailable'));
    expect(await failure(client(peer.url, { maxRetries: 1 }).getMe())).toMatchObject({ code: 'unavailable' });
    expect(peer.received).toHaveLength(2);
    expect(await failure(client(peer.url).getMe({}, { maxRetries: 0 }))).toBeInstanceOf(SlipwayProblem);
    expect(peer.received).toHaveLength(3);
    expect(await failure(client(peer.url).getMe({}, { maxRetries: undefined }))).toBeInstanceOf(SlipwayProblem);
    expect(peer.received).toHaveLength(6);
  });

  test('does not retry a mutation without idempotency key, whatever its method', async () => {
    const peer = await startPeer(reset);
    const management = createManagement({ baseUrl: peer.url });
    for (const call of [
      () => management.createOrganisation({ body: { name: 'Ours' } }),
      // A key that the operation does not support does not make it idempotent.
      () => management.createOrganisation({ body: { name: 'Ours' } }, { headers: { 'idempotency-key': 'mine' } }),
      () => management.setPassword({ body: { password: 'long enough' } }),
      () => management.deleteSession(),
    ]) {
      expect(await failure(call())).toBeInstanceOf(SlipwayConnectionError);
    }
    expect(peer.received.map(({ method }) => method).sort()).toEqual(['DELETE', 'POST', 'POST', 'PUT']);
    const keys = peer.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([undefined, 'mine', undefined, undefined]);
  });

  test('does not retry if Retry-After is above the limit, and reports the wait', async () => {
    const peer = await startPeer(problem(429, 'rate_limited', { 'retry-after': '3600' }));
    expect(await failure(client(peer.url).getMe())).toMatchObject({ code: 'rate_limited', retryAfter: 3600 });
    expect(peer.received).toHaveLength(1);
  });

  test('ends the call with the error that onRetry throws, without a wait', async () => {
    const peer = await startPeer(problem(503, 'unavailable', { 'retry-after': '60' }));
    const waits: number[] = [];
    const onRetry = ({ error, waitMs }: Retry): void => {
      waits.push(Math.floor(waitMs / 60_000));
      throw error;
    };
    expect(await failure(client(peer.url, { onRetry }).getMe())).toMatchObject({ code: 'unavailable' });
    expect([waits, peer.received.length]).toEqual([[1], 1]);
  });

  test('does not retry an aborted call, before it starts, in flight, or during a wait', async () => {
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

// Tests the client against the real API on a real Postgres.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSlipway, type Event, type Server, type SlipwayClient, SlipwayProblem } from '@slipway/sdk';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../server/test/app.ts';
import { until } from '../../server/test/harness.ts';

let sandbox: Sandbox;
let app: TestApp;
let slipway: SlipwayClient;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  slipway = createSlipway({ baseUrl: sandbox.apiUrl, key: (await app.key()).token });
});
afterAll(() => sandbox.close());

const firstServer = (): string => app.serverIds[0] ?? '';
const newTicket = (subject: string) => ({ serverId: firstServer(), body: { subject, body: 'From a test.' } });

describe('pages', () => {
  test('an iteration yields every item once, in the order of the list', async () => {
    const seen: Server[] = [];
    for await (const server of slipway.listServers({ limit: 2 })) seen.push(server);
    expect(seen.map(({ id }) => id)).toEqual([...app.serverIds].sort().reverse());
  });

  test('pages() yields pages of the requested size, and the promise is the first page', async () => {
    const sizes: number[] = [];
    for await (const page of slipway.listServers({ limit: 3 }).pages()) sizes.push(page.data.length);
    const count = app.serverIds.length;
    const full = Array.from({ length: Math.floor(count / 3) }, () => 3);
    expect(sizes).toEqual(count % 3 === 0 ? full : [...full, count % 3]);
    const first = await slipway.listServers({ limit: 3 });
    expect([first.data.length, typeof first.nextCursor]).toEqual([3, 'string']);
  });

  test('an iteration that is left requests no further page', async () => {
    const paths: string[] = [];
    const counted: typeof fetch = (input, init) => {
      paths.push(String(input));
      return fetch(input, init);
    };
    const { token } = await app.key();
    const watched = createSlipway({ baseUrl: sandbox.apiUrl, key: token, fetch: counted });
    for await (const server of watched.listServers({ limit: 2 })) {
      if (server.id) break;
    }
    expect(paths).toHaveLength(1);
  });

  test('the feed is read to its current end, and continues from the last position', async () => {
    const own = await sandbox.newApp();
    const feed = createSlipway({ baseUrl: sandbox.apiUrl, key: (await own.key()).token });
    const create = (subject: string) =>
      feed.createTicket({ serverId: own.serverIds[0] ?? '', body: { subject, body: 'b' } });
    const subjects = (events: Event[]) => events.map(({ data }) => (data as { subject: string }).subject);
    for (const subject of ['1', '2', '3']) await create(subject);

    let after: string | undefined;
    const seen: Event[] = [];
    // An event is visible once no earlier transaction can commit, including those of other tests.
    const readTo = async (count: number): Promise<void> => {
      await until(async () => {
        await read();
        return seen.length >= count;
      });
    };
    const read = async (): Promise<void> => {
      for await (const page of feed.listEvents({ type: 'ticket.created', limit: 2, ...(after && { after }) }).pages()) {
        seen.push(...page.data);
        after = page.nextAfter ?? undefined;
      }
    };
    await readTo(3);
    expect(subjects(seen)).toEqual(['1', '2', '3']);
    await create('4');
    await readTo(4);
    expect(subjects(seen)).toEqual(['1', '2', '3', '4']);
    const sizes: number[] = [];
    for await (const page of feed.listEvents({ type: 'ticket.created', limit: 2 }).pages())
      sizes.push(page.data.length);
    expect(sizes).toEqual([2, 2]);
    const everything: Event[] = [];
    for await (const event of feed.listEvents({ limit: 1 })) everything.push(event);
    expect(subjects(everything.filter(({ type }) => type === 'ticket.created'))).toEqual(['1', '2', '3', '4']);
  });

  test('an empty feed is one empty page', async () => {
    const own = await sandbox.newApp();
    const feed = createSlipway({ baseUrl: sandbox.apiUrl, key: (await own.key()).token });
    const pages: number[] = [];
    for await (const page of feed.listEvents({ type: 'workflow_run.failed' }).pages()) pages.push(page.data.length);
    expect(pages).toEqual([0]);
  });
});

describe('problems', () => {
  test('a missing scope rejects with a typed problem and its request id', async () => {
    const { token } = await app.key(['events:read']);
    const limited = createSlipway({ baseUrl: sandbox.apiUrl, key: token });
    const error = await limited.listServers().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SlipwayProblem);
    expect(error).toMatchObject({
      status: 403,
      code: 'missing_scope',
      title: 'Missing scope',
      type: 'http://sandbox.test/problems/missing-scope',
      requestId: expect.stringMatching(/^req_/),
    });
  });

  test('an iteration rejects with the problem, and invalid input has a pointer', async () => {
    const iterate = async (): Promise<void> => {
      for await (const server of slipway.listServers({ limit: 1000 })) expect(server).toBeUndefined();
    };
    await expect(iterate()).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/query/limit', detail: expect.any(String) }],
    });
  });
});

/** Forwards to the API, and cuts off the first response to a mutation after the API has sent it. */
async function lossyProxy(): Promise<{ url: string; answers: number[] }> {
  const answers: number[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { host: _, connection: __, 'content-length': ___, ...rest } = request.headers;
    const headers = Object.entries(rest).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
    const answer = await fetch(sandbox.apiUrl + request.url, {
      method: request.method ?? '',
      headers: Object.fromEntries(headers),
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const body = await answer.text();
    if (answers.push(answer.status) === 1) request.socket.destroy();
    else response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answers }; // a TCP server has a port
}

describe('a lost response', () => {
  test('requests a lost response again, and the mutation happens once', async () => {
    const proxy = await lossyProxy();
    const client = createSlipway({ baseUrl: proxy.url, key: (await app.key()).token });
    const { data, response } = await client.createTicket(newTicket('Lost')).withResponse();
    expect(proxy.answers).toEqual([201, 201]);
    expect(response.isReplayed).toBe(true);
    expect(data).toEqual(await slipway.getTicket({ ticketId: data.id }));
    const tickets = await sandbox.database.superuser.query(`select 1 from tickets where subject = 'Lost'`);
    expect(tickets.rowCount).toBe(1);
  });

  test('a key of the caller repeats the first response, also to another client', async () => {
    const options = { idempotencyKey: 'order 4711' };
    const first = await slipway.createTicket(newTicket('Once'), options);
    const again = createSlipway({ baseUrl: sandbox.apiUrl, key: (await app.key()).token });
    expect(await again.createTicket(newTicket('Once'), options)).toEqual(first);
    await expect(slipway.createTicket(newTicket('Other'), options)).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });
});

describe('the rate limit of a key', () => {
  test('waits for Retry-After of a rate limit, and reports it when no retry is left', async () => {
    const strict = await startSandbox({ rate: { perSecond: 2, burst: 2 } });
    onTestFinished(() => strict.close());
    const { token } = await (await strict.newApp()).key();
    const patient = createSlipway({ baseUrl: strict.apiUrl, key: token, maxRetries: 10 });
    const seen = await Promise.all(Array.from({ length: 6 }, () => patient.getMe().withResponse()));
    expect(seen.map(({ response }) => response.status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(seen[0]?.response.rateLimit).toEqual({
      limit: 2,
      remaining: expect.any(Number),
      resetSeconds: expect.any(Number),
    });
    const refused = await strict.database.superuser.query(
      `select 1 from request_records where problem_code = 'rate_limited'`,
    );
    expect(refused.rowCount).toBeGreaterThan(0);

    const hasty = createSlipway({ baseUrl: strict.apiUrl, key: token, maxRetries: 0 });
    const refusal = await until(async () => {
      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => hasty.getMe()));
      return outcomes.find((outcome) => outcome.status === 'rejected');
    });
    expect(refusal.reason).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: 1 });
  });
});

test('returns a response that is not JSON as text, such as a problem page', async () => {
  expect(await slipway.getProblemPage({ slug: 'missing-scope' })).toContain('<html');
  expect(await slipway.getOpenapi()).toMatchObject({ openapi: '3.1.0' });
});

test('no call of these tests caused an internal error', () => expect(sandbox.errors).toEqual([]));

// Runs test/conformance/scenario.json with one of the SDKs. A proxy in front of a sandbox records the attempts of each
// step, and answers in place of the sandbox where a step asks for a fault.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { createSigningSecret, sign } from '../../server/src/kit/crypto/standard-webhooks.ts';
import { type Sandbox, startSandbox } from '../../server/test/app.ts';
import { until } from '../../server/test/harness.ts';

export interface Step {
  name: string;
  action: 'list' | 'feed' | 'tickets' | 'create' | 'createTwice' | 'refused' | 'retried' | 'verify';
  limit?: number;
  body?: { subject: string; body: string };
  idempotencyKey?: string;
  /** Which key the calls use. `narrow` has the scope `servers:read` only. */
  key?: 'narrow';
  /** The first attempt of the step gets this response, or its response is lost after the sandbox has answered. */
  fault?: { losesResponse?: true; status?: number; code?: string; retryAfter?: string; location?: string };
  expect?: Record<string, unknown>;
  /** The number of requests that the step sends. */
  attempts?: number;
  /** The least time between the first attempt and the second. */
  waitsSeconds?: number;
}

export interface Message {
  name: string;
  body: string;
  headers: Record<string, string>;
  secrets: string[];
  /** The current time of the receiver, in seconds since 1970. */
  now: number;
}

/** The input of a driver. */
export interface Input {
  apiUrl: string;
  key: string;
  narrowKey: string;
  serverId: string;
  steps: Step[];
  messages: Message[];
}

/** A driver performs each step and returns its result as JSON. A request has the name of its step in this header. */
export type Driver = (input: Input) => Promise<Record<string, unknown>[]>;

export const STEP_HEADER = 'conformance-step';

interface Attempt {
  step: string;
  idempotencyKey: string | undefined;
  authorization: string | undefined;
  body: string;
  atMs: number;
}

const { steps } = JSON.parse(
  readFileSync(new URL('../../test/conformance/scenario.json', import.meta.url), 'utf8'),
) as { steps: Step[] }; // the file has this structure, and a driver fails on any other

interface Proxy {
  url: string;
  attempts: Attempt[];
  close(): Promise<void>;
}

async function startProxy(target: string): Promise<Proxy> {
  const attempts: Attempt[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { headers } = request;
    const step = decodeURIComponent(String(headers[STEP_HEADER] ?? ''));
    const isFirst = !attempts.some((one) => one.step === step);
    attempts.push({
      step,
      idempotencyKey: headers['idempotency-key']?.toString(),
      authorization: headers.authorization,
      body: body.toString(),
      atMs: performance.now(),
    });
    const fault = isFirst ? steps.find(({ name }) => name === step)?.fault : undefined;
    if (fault?.status !== undefined) return answerFault(response, fault);
    forward(target, request, body, response, fault?.losesResponse === true);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has a port
  return {
    url: `http://127.0.0.1:${port}`,
    attempts,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerFault(
  response: ServerResponse,
  { status = 500, code, retryAfter, location }: NonNullable<Step['fault']>,
) {
  response.writeHead(status, {
    ...(code !== undefined && { 'content-type': 'application/problem+json' }),
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    ...(location !== undefined && { location }),
  });
  const problem = { type: 'https://api.example/problems', title: 'A problem', status, code, requestId: 'req_of_proxy' };
  response.end(code === undefined ? undefined : JSON.stringify(problem));
}

function forward(
  target: string,
  from: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  losesResponse: boolean,
) {
  const { [STEP_HEADER]: _, ...headers } = from.headers;
  const onward = httpRequest(`${target}${from.url}`, { method: from.method, headers }, (answer) => {
    if (losesResponse) {
      answer.resume().once('end', () => response.socket?.destroy());
    } else {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    }
  });
  onward.once('error', () => response.socket?.destroy());
  onward.end(body);
}

function messagesOf(event: string): Message[] {
  const [own, other] = [createSigningSecret(), createSigningSecret()];
  const now = 1_764_000_000;
  const id = 'evt_1';
  const headersOf = (body: string, secret = own) => ({
    'webhook-id': id,
    'webhook-timestamp': String(now),
    'webhook-signature': sign([secret], id, now, body),
  });
  const headers = headersOf(event);
  const genuine: Message = { name: 'genuine', body: event, headers, secrets: [own.reveal()], now };
  const changed = (name: string, changes: Partial<Message>): Message => ({ ...genuine, ...changes, name });
  const withHeader = (name: string, header: string, value: string): Message =>
    changed(name, { headers: { ...headers, [header]: value } });
  const without = (name: string, header: string): Message =>
    changed(name, { headers: Object.fromEntries(Object.entries(headers).filter(([one]) => one !== header)) });
  const { 'webhook-signature': signature } = headers;
  return [
    genuine,
    withHeader(
      'signed by the second of two secrets',
      'webhook-signature',
      `${headersOf(event, other)['webhook-signature']} ${signature}`,
    ),
    changed('verified with both secrets during a rotation', { secrets: [other.reveal(), own.reveal()] }),
    {
      name: 'the vector of the guide',
      body: '{"test": 2432232314}',
      headers: {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      now: 1_614_265_330,
    },
    changed('five minutes old', { now: now + 300 }),
    changed('older', { now: now + 301 }),
    changed('five minutes ahead', { now: now - 300 }),
    changed('further ahead', { now: now - 301 }),
    changed('another body', { body: `${event} ` }),
    withHeader('another id', 'webhook-id', 'evt_2'),
    withHeader('another timestamp', 'webhook-timestamp', String(now + 1)),
    changed('signed with another secret', { headers: headersOf(event, other) }),
    withHeader('a signature without its version', 'webhook-signature', signature.replace('v1,', '')),
    withHeader('a signature that is cut short', 'webhook-signature', signature.slice(0, -1)),
    without('no signature', 'webhook-signature'),
    without('no timestamp', 'webhook-timestamp'),
    without('no id', 'webhook-id'),
    withHeader('a timestamp in words', 'webhook-timestamp', 'soon'),
    withHeader('a dot in the id', 'webhook-id', 'evt.1'),
    changed('a signed text', { body: 'not JSON', headers: headersOf('not JSON') }),
    changed('a malformed secret', { secrets: [own.reveal().replace('whsec_', '')] }),
  ];
}

export interface Conformance {
  sandbox: Sandbox;
  /** Runs all steps with an SDK and checks their results. */
  check(driver: Driver): Promise<void>;
  close(): Promise<void>;
}

/** Starts a sandbox with an app. */
export async function startConformance(): Promise<Conformance> {
  const sandbox: Sandbox = await startSandbox();
  return {
    sandbox,
    close: () => sandbox.close(),
    async check(driver) {
      const app = await sandbox.newApp();
      const [{ token: key }, { token: narrowKey }] = await Promise.all([app.key(), app.key(['servers:read'])]);
      const proxy = await startProxy(sandbox.apiUrl);
      try {
        const serverId = app.serverIds[0] ?? '';
        const [servers, events] = await Promise.all([
          readAll(sandbox, key, '/v1/servers?limit=100'),
          makeEvents(sandbox, key, serverId),
        ]);
        // Before the driver creates further tickets.
        const tickets = await readAll(sandbox, key, `/v1/servers/${serverId}/tickets?limit=100`);
        const messages = messagesOf(events.at(-1)?.text ?? '');
        const input: Input = { apiUrl: proxy.url, key, narrowKey, serverId, steps, messages };
        const results = await driver(input);
        expect(results.map(({ name }) => name)).toEqual(steps.map(({ name }) => name));
        const ids = { list: servers, feed: events.map(({ id }) => id), tickets };
        for (const [index, step] of steps.entries()) checkStep(step, results[index] ?? {}, proxy.attempts, ids);
      } finally {
        await proxy.close();
      }
    },
  };
}

async function readAll(sandbox: Sandbox, key: string, path: string): Promise<string[]> {
  const { body } = await sandbox.call<{ data: { id: string }[] }>(path, key);
  return body.data.map(({ id }) => id);
}

/** Creates tickets, and returns their events as soon as the feed has them. */
async function makeEvents(sandbox: Sandbox, key: string, serverId: string): Promise<{ id: string; text: string }[]> {
  for (const subject of ['First', 'Second', 'Created once']) {
    const body = JSON.stringify({ subject, body: 'An event.' });
    const headers = { 'content-type': 'application/json' };
    await sandbox.call(`/v1/servers/${serverId}/tickets`, key, { method: 'POST', body, headers });
  }
  return until(async () => {
    const { body } = await sandbox.call<{ data: { id: string }[] }>('/v1/events?limit=100', key);
    return body.data.length === 3 && body.data.map((event) => ({ id: event.id, text: JSON.stringify(event) }));
  });
}

function checkStep(
  step: Step,
  result: Record<string, unknown>,
  all: readonly Attempt[],
  ids: { list: string[]; feed: string[]; tickets: string[] },
): void {
  const { name, action, limit = 1 } = step;
  const attempts = all.filter((one) => one.step === name);
  expect([name, result]).toEqual([name, expect.objectContaining(step.expect ?? {})]);
  if (step.attempts !== undefined) expect([name, attempts.length]).toEqual([name, step.attempts]);
  for (const { authorization } of attempts) expect(authorization).toMatch(/^Bearer slw_test_\w+$/);
  if (action === 'list' || action === 'feed' || action === 'tickets') {
    const wanted = ids[action];
    expect([name, result]).toEqual([
      name,
      expect.objectContaining({ ids: wanted, pages: Math.ceil(wanted.length / limit) }),
    ]);
  }
  if (action === 'refused') expect(result.requestId).toMatch(step.fault?.location ? /^$/ : /^req_\w+$/);
  const keys = attempts.map(({ idempotencyKey }) => idempotencyKey ?? '');
  if (action === 'create') {
    expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(keys).size).toBe(1);
    expect(new Set(attempts.map(({ body }) => body)).size).toBe(1);
  }
  if (action === 'createTwice') {
    const isOne = step.idempotencyKey !== undefined;
    expect([name, new Set(result.ids as string[]).size, new Set(keys).size]).toEqual([
      name,
      isOne ? 1 : 2,
      isOne ? 1 : 2,
    ]);
    expect(JSON.parse(attempts[0]?.body ?? '')).toEqual(step.body);
  }
  const [first, second] = attempts.map(({ atMs }) => atMs);
  if (step.waitsSeconds !== undefined) {
    // A timer can fire up to 1 ms early.
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(step.waitsSeconds * 1000 - 2);
  }
}

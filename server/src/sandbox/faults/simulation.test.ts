// A call of the sandbox meets the effect that it requests in Sandbox-Simulate: a real problem, a latency or a reset.
// The key is always authenticated first, nothing is written for a simulated failure, and production simulates nothing.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { inlineShared } from '../../../test/contract-inline.ts';
import { until } from '../../../test/harness.ts';
import { newKeyToken } from '../../access/authority/index.ts';
import { PROBLEMS, SANDBOX_PROBLEM_CODES } from '../../access/problems/index.ts';
import { schemaErrors, type TSchema } from '../../kit/http/schema.ts';
import type { ProblemCode } from '../../kit/openapi/problems.ts';
import { createSandboxApi, publicDocument } from '../../listeners/sandbox-api.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  key = await app.key();
});
afterAll(() => sandbox.close());

const simulate = (header: string, path = '/v1/me', token: string | undefined = key.token): Promise<Answer> =>
  sandbox.call(path, token, { headers: { 'sandbox-simulate': header } });

const tickets = (): string => `/v1/servers/${app.serverIds[0]}/tickets`;
const ticket = (headers: Record<string, string>): RequestInit => ({
  ...json({ subject: 's', body: 'b' }),
  headers: { 'content-type': 'application/json', ...headers },
});
async function written(): Promise<unknown> {
  const { rows } = await sandbox.database.superuser.query(
    `select (select count(*) from tickets) as tickets, (select count(*) from events) as events,
       (select count(*) from idempotency_keys) as keys`,
  );
  return rows[0];
}

interface RecordedCall {
  status: number | null;
  code: string | null;
  simulated: string | null;
  durationMs: number;
}
const recordOf = (requestId: string | null): Promise<Answer<RecordedCall>> =>
  sandbox.manage<RecordedCall>('GET', `/apps/${app.id}/requests/${requestId}`);

interface Contract {
  components: { schemas: { Problem: TSchema }; responses: Record<string, unknown> };
  paths: Record<string, Record<string, { parameters: unknown[]; security: unknown[]; responses: object }>>;
}
const contract = inlineShared(
  publicDocument('http://sandbox.test', 'http://sandbox.test/problems'),
) as unknown as Contract; // the structure of the generated contract

describe.each(SANDBOX_PROBLEM_CODES)('the simulated problem code=%s', (code: ProblemCode) => {
  test('a simulated problem fits the contract, and the response and its record say that it was simulated', async () => {
    const answer = await simulate(`code=${code}`, '/v1/servers');
    const { status, headers, body } = answer;
    expect([status, body.code]).toEqual([PROBLEMS[code].status, code]);
    expect(schemaErrors(contract.components.schemas.Problem, body)).toEqual([]);
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('slipway-environment')).toBe('sandbox');
    expect(headers.get('request-id')).toBe(body.requestId);
    expect(headers.get('sandbox-simulated')).toBe(`code=${code}`);
    expect(headers.has('www-authenticate')).toBe(status === 401 || status === 403);
    expect(headers.has('retry-after')).toBe(PROBLEMS[code].example?.headers?.['retry-after'] !== undefined);
    const record = await recordOf(headers.get('request-id'));
    expect(record.body).toMatchObject({ status, code, simulated: `code=${code}` });
  });
});

test('a simulated missing_scope has exactly the five specified fields, and names the scope of the operation', async () => {
  const { body, headers } = await simulate('code=missing_scope', '/v1/servers');
  expect(Object.keys(body).sort()).toEqual(['code', 'requestId', 'status', 'title', 'type']);
  expect(headers.get('www-authenticate')).toBe(
    'Bearer realm="slipway", error="insufficient_scope", scope="servers:read"',
  );
});

test('a simulated rate_limited reports an empty rate and takes only its own call from it', async () => {
  const remainingTokens = (answer: Answer): number =>
    Number(/;r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
  const own = await app.key();
  const before = remainingTokens(await sandbox.call('/v1/me', own.token));
  expect(remainingTokens(await simulate('code=rate_limited', '/v1/me', own.token))).toBe(0);
  expect(remainingTokens(await sandbox.call('/v1/me', own.token))).toBe(before - 2);
});

describe('simulation of a mutation', () => {
  test('a mutation with a simulated problem writes nothing and stores no response under its Idempotency-Key', async () => {
    const before = await written();
    const headers = { 'idempotency-key': 'simulated' };
    const refused = await sandbox.call(
      tickets(),
      key.token,
      ticket({ ...headers, 'sandbox-simulate': 'code=internal_error' }),
    );
    expect(refused.status).toBe(500);
    expect(await written()).toEqual(before);
    expect((await sandbox.call(tickets(), key.token, ticket(headers))).status).toBe(201);
    expect(sandbox.errors).toEqual([]);
  });

  test('a mutation with a simulated latency is carried out after it', async () => {
    const made = await sandbox.call(tickets(), key.token, ticket({ 'sandbox-simulate': 'latency=50' }));
    expect([made.status, made.headers.get('sandbox-simulated')]).toEqual([201, 'latency=50']);
    const record = await recordOf(made.headers.get('request-id'));
    expect(record.body).toMatchObject({ status: 201, simulated: 'latency=50' });
    expect(record.body.durationMs).toBeGreaterThanOrEqual(49);
  });

  test('a mutation with a simulated reset gets no response and writes nothing, and its record says so', async () => {
    const before = await written();
    const trace = randomUUID().replaceAll('-', '');
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
    const call = sandbox.call(tickets(), key.token, ticket({ 'sandbox-simulate': 'reset', traceparent }));
    await expect(call).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(await written()).toEqual(before);
    const { rows } = await sandbox.database.superuser.query(
      'select status, problem_code, simulated from request_records where trace_id = $1',
      [trace],
    );
    expect(rows).toEqual([{ status: null, problem_code: null, simulated: 'reset' }]);
    const list = await sandbox.manage<{ data: RecordedCall[] }>('GET', `/apps/${app.id}/requests?limit=1`);
    expect(list.body.data[0]).toMatchObject({ status: null, simulated: 'reset' });
  });
});

test('a simulated reset fails a call without a connection too', async () => {
  const api = createSandboxApi(sandbox.plane, {
    recorder: sandbox.recorder,
    trustedProxies: [],
    onInternalError: () => {},
  });
  const headers = { authorization: `Bearer ${key.token}`, 'sandbox-simulate': 'reset' };
  await expect(api.inject({ url: '/v1/me', headers })).rejects.toThrow('response destroyed');
  await api.close();
});

describe('simulated latencies', () => {
  test('a latency can be combined with a problem or a reset', async () => {
    const answer = await simulate('latency=30, code=timeout');
    expect([answer.status, answer.headers.get('sandbox-simulated')]).toEqual([504, 'latency=30, code=timeout']);
    expect((await recordOf(answer.headers.get('request-id'))).body.durationMs).toBeGreaterThanOrEqual(29);
    await expect(simulate('reset,latency=5')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  });

  test('a key that is revoked during a latency is refused after it', async () => {
    const own = await app.key();
    const waiting = simulate('latency=2000', '/v1/servers', own.token);
    await sandbox.manage('POST', `/apps/${app.id}/keys/${own.id}/revoke`);
    expect((await waiting).body.code).toBe('revoked_key');
  });

  test('an app can have 100 latencies in progress, which hold no database connection and do not delay other calls', async () => {
    const many = Array.from({ length: 101 }, () => simulate('latency=4000, code=gone'));
    const refused = await Promise.race(many);
    const detail = 'Too many simulated latencies are pending.';
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([429, 'rate_limited', detail]);
    expect(refused.headers.get('sandbox-simulated')).toBeNull();
    // More calls wait than the pool has connections.
    const others = many.map(async (call) => ((await call) === refused ? new Promise<never>(() => {}) : call));
    const made = await Promise.race([sandbox.call(tickets(), key.token, ticket({})), ...others]);
    expect(made.status).toBe(201);
    const other = await (await sandbox.newApp()).key();
    expect((await Promise.race([simulate('latency=1', '/v1/me', other.token), ...others])).status).toBe(200);
    const codes = (await Promise.all(many)).map((answer) => answer.body.code).sort();
    expect(codes).toEqual([...Array<string>(100).fill('gone'), 'rate_limited']);
    expect((await simulate('latency=1')).status).toBe(200);
  });

  test('a latency ends early when the server shuts down', async () => {
    let isAdmitted = false;
    const { authority } = sandbox.plane;
    const api = createSandboxApi(
      {
        ...sandbox.plane,
        authority: {
          async authenticate(incoming) {
            const caller = await authority.authenticate(incoming);
            isAdmitted = true;
            return caller;
          },
        },
      },
      { recorder: sandbox.recorder, trustedProxies: [], onInternalError: () => {} },
    );
    const url = await api.listen({ host: '127.0.0.1', port: 0 });
    const headers = { authorization: `Bearer ${key.token}`, 'sandbox-simulate': 'latency=30000' };
    const call = fetch(`${url}/v1/me`, { headers });
    await until(() => isAdmitted);
    await api.close();
    expect((await call).headers.get('sandbox-simulated')).toBe('latency=30000');
  });
});

describe('authentication before simulation', () => {
  test.each([
    ['no key', undefined, 'missing_key'],
    ['an unknown key', newKeyToken('sandbox').token, 'invalid_key'],
    ['a key of production', newKeyToken('production').token, 'wrong_environment'],
  ])('a call with %s is not simulated', async (_, token, code) => {
    const answer = await sandbox.call('/v1/servers', token, { headers: { 'sandbox-simulate': 'code=gone' } });
    expect([answer.body.code, answer.headers.get('sandbox-simulated')]).toEqual([code, null]);
  });

  test('a key without the scope is refused as without a simulation', async () => {
    const { token } = await app.key(['events:read']);
    expect((await simulate('code=gone', '/v1/servers', token)).body.code).toBe('missing_scope');
  });

  test('an operation without a key simulates nothing', async () => {
    expect((await simulate('code=gone', '/v1/openapi.json')).status).toBe(200);
  });
});

test('an invalid header gets a 400 with the allowed values', async () => {
  const { status, body, headers } = await simulate('code=upstream_invalid');
  expect([status, body.code, headers.get('sandbox-simulated')]).toEqual([400, 'invalid_request', null]);
  const [error] = body.errors as { pointer: string; detail: string }[];
  expect(error?.pointer).toBe('/header/Sandbox-Simulate');
  for (const word of ['code=<code>', 'latency=<1 to 30000>', 'reset', ...SANDBOX_PROBLEM_CODES]) {
    expect(error?.detail).toContain(word);
  }
  expect(schemaErrors(contract.components.schemas.Problem, body)).toEqual([]);
  // The detail is longer than a record keeps.
  const record = await sandbox.manage<{ errorContext: { isTruncated?: boolean } }>(
    'GET',
    `/apps/${app.id}/requests/${headers.get('request-id')}`,
  );
  expect([error?.detail.length, record.body.errorContext.isTruncated]).toEqual([expect.any(Number), true]);
});

test('the contract defines the header once and names it at every operation with a key and no other', () => {
  const parameter = { $ref: '#/components/parameters/SandboxSimulate' };
  for (const [path, methods] of Object.entries(contract.paths)) {
    for (const { parameters, security, responses } of Object.values(methods)) {
      const isKeyed = security.length > 0;
      expect([path, parameters.some((one) => JSON.stringify(one) === JSON.stringify(parameter))]).toEqual([
        path,
        isKeyed,
      ]);
      expect([path, JSON.stringify(responses).includes('headers/Sandbox-Simulated')]).toEqual([path, isKeyed]);
    }
  }
});

// Calls that a member makes by a key's id. The response equals the response to the key's holder, and the record names
// the member.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { type Role, SCOPES } from '../../access/authority/index.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';
import { schemaErrors } from '../../kit/http/schema.ts';
import { Call } from './call.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  key = await app.key();
});
afterAll(() => sandbox.close());

interface CallBody extends Record<string, unknown> {
  requestId: string;
  status: number;
  durationMs: number;
  headers: Record<string, string>;
  body: string;
}
type CallInput = Record<string, unknown>;

const callAs = (input: CallInput, as: { role?: Role; organisationId?: string; app?: TestApp } = {}) =>
  sandbox.manage<CallBody>('POST', `/apps/${(as.app ?? app).id}/calls`, { method: 'GET', keyId: key.id, ...input }, as);
const made = async (input: CallInput): Promise<CallBody> => {
  const { status, body, text } = await callAs(input);
  expect([status, text.slice(0, 300)]).toEqual([200, expect.any(String)]);
  return body;
};
const query = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  (await sandbox.database.superuser.query(text, values)).rows;
const recordOf = async (requestId: string) =>
  (await query('select * from request_records where request_id = $1', [fromId('req', requestId)]))[0];
const ticketsOf = (): string => `/v1/servers/${app.serverIds[0]}/tickets`;
const codeOf = (call: CallBody): unknown => JSON.parse(call.body).code;
const TICKET = JSON.stringify({ subject: 'Hello', body: 'From the Console.' });

describe('a call by a key’s id gets the response of the key’s holder', () => {
  test('a read returns the same bytes, headers and ETag as a request with the key', async () => {
    const direct = await sandbox.call('/v1/servers?limit=2', key.token);
    const call = await made({ path: '/v1/servers?limit=2' });
    expect(call.status).toBe(200);
    expect(call.body).toBe(direct.text);
    for (const name of ['etag', 'content-type', 'slipway-environment', 'link', 'x-content-type-options'])
      expect([name, call.headers[name]]).toEqual([name, direct.headers.get(name) ?? undefined]);
    expect(call.headers['request-id']).toBe(call.requestId);
    expect(schemaErrors(Call, call)).toEqual([]);
    const again = await made({ path: '/v1/servers?limit=2', headers: { 'If-None-Match': call.headers.etag } });
    expect([again.status, again.body]).toEqual([304, '']);
  });

  test('operations that need no object can be called by a key’s id', async () => {
    for (const path of ['/v1/me', '/v1/servers', '/v1/events', '/v1/openapi.json'])
      expect([path, (await made({ path })).status]).toEqual([path, 200]);
    expect(JSON.parse((await made({ path: '/v1/me' })).body).keyId).toBe(key.id);
  });

  test('a call that simulates a reset gets 409 with the reason, and leaves a record without a status', async () => {
    const answer = await callAs({ path: '/v1/servers', headers: { 'Sandbox-Simulate': 'reset' } });
    expect([answer.status, JSON.parse(answer.text).detail]).toEqual([409, expect.stringContaining('was reset')]);
    const [last] = await query('select status, simulated from request_records where simulated is not null');
    expect(last).toEqual({ status: null, simulated: 'reset' });
    const headers = { 'Sandbox-Simulate': 'reset' };
    expect((await callAs({ method: 'POST', path: ticketsOf(), body: TICKET, headers })).status).toBe(409);
  });

  test('a mutation is made once per idempotency key', async () => {
    const input = { method: 'POST', path: ticketsOf(), body: TICKET, headers: { 'Idempotency-Key': newUuid() } };
    const [first, second] = [await made(input), await made(input)];
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([201, 201, 'true']);
    expect(second.body).toBe(first.body);
    const read = await sandbox.call(`/v1/tickets/${JSON.parse(first.body).id}`, key.token);
    expect(read.body).toMatchObject({ subject: 'Hello' });
    const other = await made({ ...input, body: TICKET.replace('Hello', 'Goodbye') });
    expect([other.status, codeOf(other)]).toEqual([422, 'idempotency_key_reused']);
  });

  test.each<[string, () => CallInput, number, string]>([
    ['a path that is not there', () => ({ path: '/v1/nothing' }), 404, 'not_found'],
    ['a method that is not there', () => ({ method: 'DELETE', path: '/v1/servers' }), 405, 'method_not_allowed'],
    ['an unknown parameter', () => ({ path: '/v1/servers?no_such=1' }), 400, 'invalid_request'],
    ['broken JSON', () => ({ method: 'POST', path: ticketsOf(), body: '{' }), 400, 'invalid_request'],
    ['no body', () => ({ method: 'POST', path: ticketsOf() }), 400, 'invalid_request'],
    ['an unacceptable Accept', () => ({ path: '/v1/me', headers: { Accept: 'text/html' } }), 406, 'not_acceptable'],
  ])('%s returns its problem and is recorded', async (_, input, status, code) => {
    const call = await made(input());
    expect([call.status, codeOf(call)]).toEqual([status, code]);
    expect(await recordOf(call.requestId)).toMatchObject({
      status,
      problem_code: code,
      called_by: 'tester@example.org',
    });
  });
});

describe('the record of a call names the member', () => {
  test('the record of a call has the key and no client address', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    const { requestId } = await made({ path: '/v1/servers?limit=1', headers });
    expect(await recordOf(requestId)).toMatchObject({
      app_id: fromId('app', app.id),
      key_id: fromId('key', key.id),
      called_by: 'tester@example.org',
      client_address: null,
      user_agent: 'slipway-console/1.0',
      trace_id: trace,
      path: '/v1/servers',
      query: 'limit=1',
      operation_id: 'listServers',
    });
    const shown = await sandbox.manage('GET', `/apps/${app.id}/requests/${requestId}`);
    expect(shown.body).toMatchObject({ calledBy: 'tester@example.org', clientAddress: null });
  });

  test('the record of a request with the key itself names no member, even in the same batch as a call', async () => {
    const [direct, call] = await Promise.all([sandbox.call('/v1/me', key.token), made({ path: '/v1/me' })]);
    const of = async (id: string) => (await recordOf(id))?.called_by;
    expect([await of(String(direct.headers.get('request-id'))), await of(call.requestId)]).toEqual([
      null,
      'tester@example.org',
    ]);
  });

  test('a mutation is in the audit log before it is made, with secrets masked in its path; a read is not', async () => {
    const entries = () =>
      query(`select actor, target, detail from audit_entries where action = 'key.use' order by audit_id`);
    const before = (await entries()).length;
    await made({ path: '/v1/me' });
    expect((await entries()).length).toBe(before);
    const spelt = Buffer.from(key.token).toString('hex').replaceAll(/../g, '%25$&');
    await made({
      method: 'POST',
      path: `/v1/servers/${app.serverIds[0]}/${key.token}/${spelt}/hunter2/tickets`,
      body: '{}',
    });
    const added = (await entries()).slice(before);
    expect(added).toEqual([
      {
        actor: 'tester@example.org',
        target: key.id,
        detail: { kid: key.token.slice(9, 21), method: 'POST', path: `/v1/servers/${app.serverIds[0]}/*/*/*/tickets` },
      },
    ]);
  });
});

describe('each call checks the current state of its key', () => {
  test('a call with a missing scope is refused', async () => {
    const own = await app.key(SCOPES.filter((scope) => scope !== 'servers:read'));
    const call = await made({ keyId: own.id, path: '/v1/servers' });
    expect(JSON.parse(call.body)).toEqual({
      type: 'http://sandbox.test/problems/missing-scope',
      title: 'Missing scope',
      status: 403,
      code: 'missing_scope',
      requestId: call.requestId,
    });
    expect(call.headers['www-authenticate']).toContain('servers:read');
  });

  test('a call with a revoked key is refused', async () => {
    const own = await app.key();
    expect((await made({ keyId: own.id, path: '/v1/me' })).status).toBe(200);
    await sandbox.manage('POST', `/apps/${app.id}/keys/${own.id}/revoke`);
    for (const input of [{ path: '/v1/me' }, { method: 'POST', path: ticketsOf(), body: TICKET }]) {
      const call = await made({ keyId: own.id, ...input });
      expect([call.status, codeOf(call)]).toEqual([401, 'revoked_key']);
    }
  });

  test('a call with an expired key is refused', async () => {
    const [row] = await query(
      `insert into keys (app_id, key_id, kid, verifier, pepper_version, name, scopes, created_by, created_at, expires_at)
       values ($1, gen_random_uuid(), 'expiredKey01', decode(repeat('00', 32), 'hex'), 1, 'k', '{servers:read}', 't', now(),
         clock_timestamp() + interval '1 second') returning key_id`,
      [fromId('app', app.id)],
    );
    await query('alter table keys disable trigger guard_key');
    await query(`update keys set created_at = created_at - interval '1 day', expires_at = now() - interval '1 minute'
      where kid = 'expiredKey01'`);
    await query('alter table keys enable trigger guard_key');
    const call = await made({ keyId: toId('key', String(row?.key_id)), path: '/v1/servers' });
    expect([call.status, codeOf(call)]).toEqual([401, 'expired_key']);
  });

  test('calls are refused for a suspended app and a paused installation', async () => {
    const other = await sandbox.newApp();
    const own = await other.key();
    const as = { app: other };
    const server = `/v1/servers/${other.serverIds[0]}`;
    await sandbox.manage('PUT', `/apps/${other.id}/servers/${other.serverIds[0]}/installation`, { state: 'paused' });
    const paused = await callAs({ keyId: own.id, method: 'POST', path: `${server}/tickets`, body: TICKET }, as);
    expect([paused.body.status, codeOf(paused.body)]).toEqual([403, 'installation_paused']);
    await query(`update apps set state = 'suspended' where app_id = $1`, [fromId('app', other.id)]);
    const suspended = await callAs({ keyId: own.id, path: '/v1/me' }, as);
    expect([suspended.body.status, codeOf(suspended.body)]).toEqual([403, 'app_suspended']);
  });
});

test('waiting calls hold no database connection of the management operations', async () => {
  const { superuser } = sandbox.database;
  await superuser.query('begin');
  await superuser.query('lock table tickets in access exclusive mode');
  const input = { method: 'POST', path: ticketsOf(), body: TICKET };
  const calls = Promise.all(Array.from({ length: 8 }, () => callAs(input)));
  await untilLocksWaited(superuser, 8);
  const keys = await sandbox.manage('GET', `/apps/${app.id}/keys`);
  await superuser.query('commit');
  expect(keys.status).toBe(200);
  const requests = new Set((await calls).map(({ body }) => body.requestId));
  expect(requests.size).toBe(8);
});

test('the key’s rate limit counts calls by its id and requests with the key together', async () => {
  const slow = await startSandbox({ rate: { perSecond: 1, burst: 5 } });
  const { id, key: newKey } = await slow.newApp();
  const own = await newKey();
  const statuses: number[] = [];
  for (let turn = 0; turn < 6; turn++) {
    const input = { keyId: own.id, method: 'GET', path: '/v1/me' };
    const call = await slow.manage<CallBody>('POST', `/apps/${id}/calls`, input);
    statuses.push(call.body.status, (await slow.call('/v1/me', own.token)).status);
    expect(call.body.headers['ratelimit-policy']).toContain('q=5');
  }
  await slow.close();
  expect(statuses.slice(0, 2)).toEqual([200, 200]);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2);
});

test('getContract returns the same contract as /v1', async () => {
  const served = await sandbox.call('/v1/openapi.json');
  const given = await sandbox.manage('GET', '/contract', undefined, { role: 'viewer' });
  expect(given.text).toBe(served.text);
});

test('a request with the key itself still works after all calls by its id', async () => {
  expect((await sandbox.call(ticketsOf(), key.token, json({ subject: 's', body: 'b' }))).status).toBe(201);
});

// Links from a request in the inspector: its trace, its replay, and the request as code.
import { createSlipway } from '@slipway/sdk';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { runShell } from '../../../test/run-shell.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };

beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
  app = await sandbox.newApp();
  key = await app.key();
  const endpoint = { url: 'http://127.0.0.1:1/hooks', keyId: key.id, eventTypes: ['ticket.created'] };
  await sandbox.manage('POST', `/apps/${app.id}/endpoints`, endpoint);
});
afterAll(() => sandbox.close());

const TICKET = { subject: 'Hello', body: 'From a test.' };
const tickets = (): string => `/v1/servers/${app.serverIds[0]}/tickets`;
const idOf = ({ headers }: Answer<never> | Answer): string => headers.get('request-id') ?? '';
const query = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  (await sandbox.database.superuser.query(text, values)).rows;

describe('the trace of a request', () => {
  interface Trace {
    requestId: string | null;
    request: { id: string; operationId: string } | null;
    events: { id: string; type: string; subject: string; deliveries: { id: string; attempts: unknown[] }[] }[];
    isTruncated: boolean;
  }
  const traceOf = (id: string) => sandbox.manage<Trace>('GET', `/apps/${app.id}/traces/${id}`);

  test('a trace leads from a request to its events, deliveries and attempts, and each of them leads to the same trace', async () => {
    const made = await sandbox.call<{ id: string }>(tickets(), key.token, json(TICKET));
    await sandbox.call(tickets(), key.token, json(TICKET)); // a second event
    const id = made.headers.get('request-id') ?? '';
    const { body } = await traceOf(id);
    const [event] = body.events;
    const [delivery] = event?.deliveries ?? [];
    await query(
      `insert into attempts (app_id, delivery_id, attempt_no, started_at, duration_us, outcome, status)
       values ($1, $2, 1, now(), 1500, 'response', 204)`,
      [fromId('app', app.id), fromId('dlv', delivery?.id ?? '')],
    );
    const whole = (await traceOf(id)).body;
    expect(whole).toMatchObject({
      requestId: id,
      request: { id, operationId: 'createTicket', status: 201 },
      events: [
        {
          type: 'ticket.created',
          subject: made.body.id,
          deliveries: [
            { status: 'pending', attempts: [{ number: 1, outcome: 'response', status: 204, durationMs: 1.5 }] },
          ],
        },
      ],
      isTruncated: false,
    });
    for (const other of [event?.id, delivery?.id])
      expect({ ...(await traceOf(other ?? '')).body, payloads: null }).toEqual(whole);
  });

  test('a trace without a causing request shows the event and its effects', async () => {
    const input = { type: 'ping', objectId: app.serverIds[0] };
    const { id } = (await sandbox.manage<{ id: string }>('POST', `/apps/${app.id}/world/events`, input)).body;
    const { body } = await traceOf(id);
    expect([body.request, body.events.map((event) => event.id)]).toEqual([null, [id]]);
  });

  test('a trace is empty for a request without effects, and not found for another app', async () => {
    const read = await sandbox.call('/v1/servers?limit=1', key.token);
    expect((await traceOf(idOf(read))).body).toMatchObject({ request: { operationId: 'listServers' }, events: [] });
    const other = await sandbox.newApp();
    for (const prefix of ['req', 'evt', 'dlv']) expect((await traceOf(toId(prefix, newUuid()))).status).toBe(404);
    const foreign = await sandbox.manage('GET', `/apps/${other.id}/traces/${idOf(read)}`);
    expect(foreign.status).toBe(404);
  });
});

describe('the replay of a request', () => {
  interface Call extends Record<string, unknown> {
    requestId: string;
    status: number;
    body: string;
    omittedParts: string[];
  }
  const replay = (id: string, input: object = {}, role?: 'viewer') =>
    sandbox.manage<Call>('POST', `/apps/${app.id}/requests/${id}/replay`, input, role ? { role } : {});

  test('a replay is a new request in the name of the member, linked to the original', async () => {
    const first = await sandbox.call('/v1/servers?limit=2', key.token);
    const { status, body } = await replay(idOf(first));
    expect([status, body.status, body.body]).toEqual([200, 200, first.text]);
    expect(body.requestId).not.toBe(idOf(first));
    const [record] = await query('select * from request_records where request_id = $1', [
      fromId('req', body.requestId),
    ]);
    expect(record).toMatchObject({
      parent_request_id: fromId('req', idOf(first)),
      called_by: 'tester@example.org',
      path: '/v1/servers',
      query: 'limit=2',
    });
    const again = (await replay(idOf(first))).body.requestId;
    const shown = async (id: string) => (await sandbox.manage('GET', `/apps/${app.id}/requests/${id}`)).body;
    expect(await shown(idOf(first))).toMatchObject({ replayIds: [again, body.requestId], parentRequestId: null });
  });

  test('a replay checks current access: a revoked key is refused, and another key of the app can replace it', async () => {
    const old = await app.key(['servers:read']);
    const first = await sandbox.call('/v1/servers?limit=1', old.token);
    await sandbox.manage('POST', `/apps/${app.id}/keys/${old.id}/revoke`);
    const refused = await replay(idOf(first));
    expect([refused.body.status, JSON.parse(refused.body.body).code]).toEqual([401, 'revoked_key']);
    expect((await replay(idOf(first), { keyId: key.id })).body.status).toBe(200);
    const foreign = await replay(idOf(first), { keyId: toId('key', newUuid()) });
    expect([foreign.status, foreign.body.code]).toEqual([400, 'invalid_request']);
  });

  test('a replay of a request with a body requires the body, and changes nothing without it', async () => {
    const first = await sandbox.call(tickets(), key.token, json(TICKET));
    const count = async () => (await query('select count(*)::int as n from tickets'))[0]?.n;
    const before = await count();
    const refused = await replay(idOf(first));
    expect([refused.status, refused.body.errors]).toEqual([400, [expect.objectContaining({ pointer: '/body' })]]);
    expect(await count()).toBe(before);
    const { body } = await replay(idOf(first), { body: JSON.stringify(TICKET) });
    expect([body.status, await count()]).toEqual([201, Number(before) + 1]);
  });

  test.each<[string, () => string]>([
    ['a secret that was taken out of its query', () => `/v1/servers?api_key=${key.token}`],
    ['a path that leads nowhere', () => '/v1/nothing'],
  ])('a replay of %s is refused with a reason', async (_, path) => {
    const first = await sandbox.call(path(), key.token);
    const { status, body } = await replay(idOf(first));
    expect([status, body.code, body.detail]).toEqual([409, 'conflict', expect.any(String)]);
  });

  test('a replay says what it left out, and sends everything that it was given', async () => {
    const fault = { headers: { 'Sandbox-Simulate': 'code=quota_exceeded' } };
    const simulated = idOf(await sandbox.call('/v1/me', key.token, fault));
    expect((await replay(simulated)).body).toMatchObject({ status: 200, omittedParts: ['fault'] });
    expect((await replay(simulated, fault)).body).toMatchObject({ status: 409, omittedParts: [] });
    const { headers } = await sandbox.call('/v1/servers', key.token);
    const ifNoneMatch = { 'If-None-Match': headers.get('etag') ?? '' };
    const unchanged = idOf(await sandbox.call('/v1/servers', key.token, { headers: ifNoneMatch }));
    expect((await replay(unchanged)).body).toMatchObject({ status: 200, omittedParts: ['If-None-Match'] });
    expect((await replay(unchanged, { headers: ifNoneMatch })).body).toMatchObject({ status: 304, omittedParts: [] });
  });

  test('a replay requires a role that may use keys', async () => {
    const first = await sandbox.call('/v1/me', key.token);
    expect((await replay(idOf(first), {}, 'viewer')).status).toBe(403);
  });
});

describe('snippets of a request', () => {
  interface Snippets {
    curl: string;
    fetch: string;
    sdk: string | null;
    isComplete: boolean;
  }
  const snippets = async (id: string): Promise<Snippets> =>
    (await sandbox.manage<Snippets>('GET', `/apps/${app.id}/requests/${id}/snippets`)).body;

  /** Sends the request that curl would send with these arguments. */
  async function asCurl(args: string[]): Promise<Answer> {
    const after = (flag: string): string[] => args.flatMap((one, at) => (args[at - 1] === flag ? [one] : []));
    const url = args.find((one) => one.startsWith('http')) ?? '';
    const headers = Object.fromEntries(after('-H').map((line) => line.split(': ') as [string, string]));
    const [body] = after('--data-raw');
    const path = url.replace(sandbox.options.publicUrl, '');
    return sandbox.call(path, undefined, { method: after('-X')[0] ?? 'GET', headers, ...(body && { body }) });
  }
  type AsyncFunction = (...args: unknown[]) => Promise<void>;
  const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => AsyncFunction;
  /** Runs the code as a module, with its external values passed in. */
  async function runJs(code: string): Promise<unknown[]> {
    const printed: unknown[] = [];
    const toApi = (url: string, init?: RequestInit) =>
      fetch(String(url).replace(sandbox.options.publicUrl, sandbox.apiUrl), init);
    const make = (options: Parameters<typeof createSlipway>[0]) =>
      createSlipway({ ...options, fetch: toApi as typeof fetch });
    const body = code.replace(/^import .*$/m, '');
    const run = new AsyncFunction('fetch', 'createSlipway', 'process', 'console', body);
    await run(toApi, make, { env: { SLIPWAY_KEY: key.token } }, { log: (...all: unknown[]) => printed.push(...all) });
    return printed;
  }

  test('a snippet runs with the same result in a shell, with fetch and with the SDK', async () => {
    const first = await sandbox.call('/v1/servers?limit=2', key.token);
    const { curl, fetch: code, sdk, isComplete } = await snippets(idOf(first));
    expect(isComplete).toBe(true);
    expect((await asCurl(runShell(curl, key.token))).text).toBe(first.text);
    expect(await runJs(code)).toEqual([200, first.text]);
    expect(await runJs(sdk ?? '')).toEqual([JSON.parse(first.text)]);
  });

  test('a snippet of a request with a body contains the contract’s example and says so', async () => {
    const first = await sandbox.call(tickets(), key.token, json(TICKET));
    const { curl, fetch: code, sdk, isComplete } = await snippets(idOf(first));
    expect(isComplete).toBe(false);
    for (const text of [curl, code, sdk]) expect(text).toContain('does not store the body');
    expect((await asCurl(runShell(curl, key.token))).status).toBe(201);
    expect((await runJs(code))[0]).toBe(201);
    expect(await runJs(sdk ?? '')).toEqual([expect.objectContaining({ id: expect.stringMatching(/^tkt_/) })]);
  });

  test('a snippet contains no key, even if the request did', async () => {
    const first = await sandbox.call(`/v1/servers?api_key=${key.token}`, key.token);
    const text = JSON.stringify(await snippets(idOf(first)));
    expect(text).not.toContain(key.token.slice(22, 54));
    expect(text).toContain('SLIPWAY_KEY');
  });

  test('a snippet of a read with a body leaves out the body and is not marked as whole', async () => {
    // Node's fetch and curl without -X send no body with a GET.
    const { statusCode } = await request(`${sandbox.apiUrl}/v1/servers?limit=1`, {
      ...{ method: 'GET', headers: { authorization: `Bearer ${key.token}` }, body: '{"a":1}' },
    });
    const [last] = await query('select request_id from request_records order by request_id desc limit 1');
    const { curl, fetch: code, sdk, isComplete } = await snippets(toId('req', String(last?.request_id)));
    const came = [(await asCurl(runShell(curl, key.token))).status, (await runJs(code))[0]];
    expect([isComplete, ...came]).toEqual([false, statusCode, statusCode]);
    expect(await runJs(sdk ?? '')).toEqual([expect.anything()]);
  });

  test('a snippet of a simulated fault requests the fault again, and one of a 304 is not whole', async () => {
    const headers = { 'Sandbox-Simulate': 'code=quota_exceeded, latency=5' };
    const simulated = await sandbox.call('/v1/me', key.token, { headers });
    const { curl, fetch: code, sdk, isComplete } = await snippets(idOf(simulated));
    expect(isComplete).toBe(true);
    expect((await asCurl(runShell(curl, key.token))).body).toMatchObject({ code: 'quota_exceeded' });
    expect((await runJs(code))[0]).toBe(simulated.status);
    await expect(runJs(sdk ?? '')).rejects.toThrow(expect.objectContaining({ code: 'quota_exceeded' }));

    const first = await sandbox.call('/v1/servers', key.token);
    const again = await sandbox.call('/v1/servers', key.token, {
      headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
    });
    expect([again.status, (await snippets(idOf(again))).isComplete]).toEqual([304, false]);
  });
});

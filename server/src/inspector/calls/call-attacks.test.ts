// Attacks on calls by a key's id: with another key or role, out of /v1, and with headers that a caller must not set.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import type { Role } from '../../access/authority/index.ts';
import { fromId, newUuid } from '../../kit/crypto/ids.ts';
import { createApiCallHandler } from '../../listeners/api-call-handler.ts';

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
const query = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  (await sandbox.database.superuser.query(text, values)).rows;
const recordCount = async (): Promise<unknown> => (await query('select count(*)::int as n from request_records'))[0]?.n;
const ticketsOf = (): string => `/v1/servers/${app.serverIds[0]}/tickets`;

describe('attacks on calls by a key’s id', () => {
  async function expectRefused(answer: Promise<Answer>, status: number, code: string): Promise<void> {
    const before = await recordCount();
    const { status: was, body } = await answer;
    expect([was, body.code]).toEqual([status, code]);
    expect(await recordCount()).toBe(before);
  }

  test('a viewer and an auditor may not use a key', async () => {
    for (const role of ['viewer', 'auditor'] as const)
      await expectRefused(callAs({ path: '/v1/me' }, { role }), 403, 'role_not_allowed');
  });

  test('a call refuses a missing key and keys of other apps and organisations with the same response', async () => {
    const sibling = await sandbox.newApp();
    const siblings = await sibling.key();
    const { body: foreignApp } = await sandbox.manage<{ id: string }>(
      'POST',
      '/apps',
      { name: 'Theirs' },
      {
        organisationId: newUuid(),
      },
    );
    expect(foreignApp.id).toMatch(/^app_/);
    const missing = 'key_01j9z3v8k6e5t8m2n4p6q8r0s7';
    const errors = [{ pointer: '/keyId', detail: 'must be a key of this app' }];
    for (const keyId of [siblings.id, missing]) {
      const { status, body } = await callAs({ keyId, path: '/v1/me' });
      expect([status, body.errors]).toEqual([400, errors]);
    }
    // A foreign app in our path with our key, and our app in the path of a foreign organisation.
    expect((await callAs({ path: '/v1/me' }, { app: sibling })).body.errors).toEqual(errors);
    await expectRefused(callAs({ path: '/v1/me' }, { organisationId: newUuid() }), 404, 'not_found');
  });

  test.each([
    ['an absolute URL', 'http://127.0.0.1:1/v1/me'],
    ['another host', '//127.0.0.1/v1/me'],
    ['a host behind the version', '/v1@127.0.0.1/me'],
    ['the management listener', '/organisations/org_01j9z3v8k6e5t8m2n4p6q8r0s1/apps'],
    ['dot segments', '/v1/../organisations'],
    ['dot segments at the end', '/v1/servers/..'],
    ['a single dot', '/v1/./me'],
    ['encoded dot segments', '/v1/%2e%2e/organisations'],
    ['partly encoded dot segments', '/v1/.%2E/organisations'],
    ['backslashes', '/v1\\..\\organisations'],
    ['a fragment', '/v1/me#/v1/servers'],
    ['a line break', '/v1/me\r\nx: y'],
    ['a space', '/v1/me HTTP/1.1'],
    ['NUL', '/v1/me\u0000'],
    ['a non-ASCII character', '/v1/m\u00e9'],
    ['nothing', ''],
    ['the version alone', '/v1'],
    ['the pages of problems', '/problems/missing-scope'],
  ])('%s is not accepted as a path', async (_, path) => {
    await expectRefused(callAs({ path }), 400, 'invalid_request');
  });

  test.each([
    ['without parameters', '/v1/me?'],
    ['with quotation marks', "/v1/servers?cursor='"],
    ['with dots', '/v1/servers?cursor=/../..'],
  ])('a query %s is sent unchanged', async (_, path) => {
    const { status, body } = await callAs({ path });
    const direct = await sandbox.call(path, key.token);
    expect([status, body.status]).toEqual([200, direct.status]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['Authorization', { Authorization: 'Bearer x' }],
    ['authorization', { authorization: 'Bearer x' }],
    ['a browser’s Origin', { Origin: 'http://evil.example' }],
    ['Sec-Fetch-Site', { 'Sec-Fetch-Site': 'same-origin' }],
    ['Host', { Host: 'evil.example' }],
    ['X-Forwarded-For', { 'X-Forwarded-For': '10.0.0.1' }],
    ['Content-Length', { 'Content-Length': '0' }],
    ['Transfer-Encoding', { 'Transfer-Encoding': 'chunked' }],
    ['Content-Type', { 'Content-Type': 'text/plain' }],
    ['a second spelling', { accept: 'application/json' }],
    ['a line break in a value', { Accept: 'application/json\r\nAuthorization: Bearer x' }],
    ['a header value that is a list', { Accept: ['application/json'] }],
    ['the prototype', JSON.parse('{"__proto__":{"Authorization":"Bearer x"}}')],
  ])('%s is not accepted as a header', async (_, headers) => {
    await expectRefused(callAs({ path: '/v1/me', headers }), 400, 'invalid_request');
  });

  test('a call with an unknown field, a wrong form or an oversized body is refused', async () => {
    const odd: [CallInput, number, string][] = [
      [{ path: '/v1/me', person: 'someone@else.example' }, 400, 'invalid_request'],
      [{ path: '/v1/me', kid: 'abcdefghijkl' }, 400, 'invalid_request'],
      [{ path: '/v1/me', method: 'CONNECT' }, 400, 'invalid_request'],
      [{ path: '/v1/me', method: 'get' }, 400, 'invalid_request'],
      [{ path: '/v1/me', keyId: key.token }, 400, 'invalid_request'],
      [{ method: 'POST', path: ticketsOf(), body: { subject: 's' } }, 400, 'invalid_request'],
      [{ method: 'POST', path: ticketsOf(), body: 'b'.repeat(200_001) }, 400, 'invalid_request'],
      [{ method: 'POST', path: ticketsOf(), body: 'b'.repeat(300_000) }, 413, 'body_too_large'],
    ];
    for (const [input, status, code] of odd) await expectRefused(callAs(input), status, code);
  });

  test('the public listener refuses the id of a key, and no response contains the secret', async () => {
    for (const credential of [key.id, key.token.slice(9, 21), key.token.slice(0, 21)]) {
      const { status, body } = await sandbox.call('/v1/me', credential);
      expect([status, body.code]).toEqual([401, 'invalid_key']);
    }
    expect((await callAs({ path: '/v1/me' })).text).not.toContain(key.token.slice(22, 54));
  });

  test('a call is refused with 401 if the key’s row does not match the named key and app', async () => {
    const sibling = await sandbox.newApp();
    const siblings = await sibling.key();
    const call = createApiCallHandler(sandbox, () => {});
    const ours = {
      kid: key.token.slice(9, 21),
      keyId: fromId('key', key.id) ?? '',
      appId: fromId('app', app.id) ?? '',
    };
    const statusOf = async (changes: Partial<typeof ours>): Promise<number> => {
      const used = { ...ours, person: 'tester@example.org', tokenId: undefined, ...changes };
      return (await call({ key: used, method: 'GET', path: '/v1/me', headers: {}, body: undefined })).status;
    };
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({ kid: siblings.token.slice(9, 21) })).toBe(401);
    expect(await statusOf({ keyId: fromId('key', siblings.id) ?? '' })).toBe(401);
    expect(await statusOf({ appId: fromId('app', sibling.id) ?? '' })).toBe(401);
    expect(await statusOf({ kid: 'notThereAtAl' })).toBe(401);
  });

  test('calls by a key’s id cannot be created for production, and a plane without them has no callApi', async () => {
    const production = { ...sandbox, plane: { ...sandbox.plane, environment: 'production' as const } };
    expect(() => createApiCallHandler(production, () => {})).toThrow(/sandbox alone/);
    expect(sandbox.plane.callApi).toBeUndefined();
  });
});

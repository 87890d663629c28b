// A call by a key's id through all parts: a signed-in member, the Console's server, the plane's private listener, /v1.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';

let home: TestConsole;
let member: TestVisitor;
let base: string;
let keyId: string;
let organisationId: string;

beforeAll(async () => {
  home = await startConsole('remote');
  member = (await home.newPerson()).visitor;
  const organisation = await member.call<{ id: string }>('POST', '/api/organisations', { name: 'Harbour Tools' });
  organisationId = organisation.body.id;
  const apps = `/api/sandbox/organisations/${organisationId}/apps`;
  const app = await member.call<{ id: string }>('POST', apps, { name: 'Bridge' });
  base = `${apps}/${app.body.id}`;
  const input = { name: 'A key', scopes: ['servers:read'], expiresInDays: 1 };
  keyId = (await member.call<{ key: { id: string } }>('POST', `${base}/keys`, input)).body.key.id;
});
afterAll(() => home.close());

const input = () => ({ keyId, method: 'GET', path: '/v1/servers?limit=1' });

test('a member can make a call, and the record contains their e-mail address', async () => {
  const { status, body } = await member.call<{ status: number; requestId: string }>('POST', `${base}/calls`, input());
  expect([status, body.status]).toEqual([200, 200]);
  const record = await member.call('GET', `${base}/requests/${body.requestId}`);
  const calledBy = expect.stringMatching(/^person\d+@example\.org$/);
  expect(record.body).toMatchObject({ keyId, calledBy, calledByTokenId: null });
});

test('the record of a call or a replay with an access token names the token', async () => {
  const tokenInput = { name: 'A script', scope: 'write', expiresInDays: 1 };
  const tokens = `/api/organisations/${organisationId}/access-tokens`;
  const made = await member.call<{ accessToken: { id: string }; token: string }>('POST', tokens, tokenInput);
  const script = { origin: undefined, 'slipway-console': undefined, authorization: `Bearer ${made.body.token}` };
  const as = <Body>(method: string, path: string, body?: unknown) =>
    home.newVisitor().call<Body>(method, base + path, body, script);
  const { requestId } = (await as<{ requestId: string }>('POST', '/calls', input())).body;
  const again = (await as<{ requestId: string }>('POST', `/requests/${requestId}/replay`, {})).body.requestId;
  for (const id of [requestId, again]) {
    const calledBy = expect.stringContaining('@example.org');
    const record = { calledBy, calledByTokenId: made.body.accessToken.id };
    expect((await as('GET', `/requests/${id}`)).body).toMatchObject(record);
  }
});

test('calls are refused from a foreign page, without the Console’s header, for other people and without a session', async () => {
  const before = (await member.call<{ data: unknown[] }>('GET', `${base}/requests`)).body.data.length;
  const stranger = (await home.newPerson()).visitor;
  const tries = [
    await member.call('POST', `${base}/calls`, input(), { origin: 'https://evil.example' }),
    await member.call('POST', `${base}/calls`, input(), { 'slipway-console': undefined }),
    await member.call('POST', `${base}/calls`, input(), { 'content-type': 'text/plain' }),
    await stranger.call('POST', `${base}/calls`, input()),
    await home.newVisitor().call('POST', `${base}/calls`, input()),
  ];
  expect(tries.map(({ status, body }) => [status, body.code])).toEqual([
    [403, 'cross_site_request'],
    [403, 'cross_site_request'],
    [415, 'unsupported_media_type'],
    [404, 'not_found'],
    [401, 'sign_in_required'],
  ]);
  const after = (await member.call<{ data: unknown[] }>('GET', `${base}/requests`)).body.data.length;
  expect(after).toBe(before);
});

// A call by a key's id the whole way: a signed-in member, the Console's server, the plane's private listener, /v1.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole, type Visitor } from './console-app.ts';

let home: TestConsole;
let member: Visitor;
let base: string;
let keyId: string;

beforeAll(async () => {
  home = await startConsole('remote');
  member = (await home.newPerson()).visitor;
  const organisation = await member.call<{ id: string }>('POST', '/api/organisations', { name: 'Harbour Tools' });
  const apps = `/api/sandbox/organisations/${organisation.body.id}/apps`;
  const app = await member.call<{ id: string }>('POST', apps, { name: 'Bridge' });
  base = `${apps}/${app.body.id}`;
  const wish = { name: 'A key', scopes: ['servers:read'], expiresInDays: 1 };
  keyId = (await member.call<{ key: { id: string } }>('POST', `${base}/keys`, wish)).body.key.id;
});
afterAll(() => home.close());

const wish = () => ({ keyId, method: 'GET', path: '/v1/servers?limit=1' });

test('a member makes it, and their e-mail address is in its record', async () => {
  const { status, body } = await member.call<{ status: number; requestId: string }>('POST', `${base}/calls`, wish());
  expect([status, body.status]).toEqual([200, 200]);
  const record = await member.call('GET', `${base}/requests/${body.requestId}`);
  expect(record.body).toMatchObject({ keyId, calledBy: expect.stringMatching(/^person\d+@example\.org$/) });
});

test('a foreign page, a page without the Console’s header, a stranger and nobody at all make none', async () => {
  const before = (await member.call<{ data: unknown[] }>('GET', `${base}/requests`)).body.data.length;
  const stranger = (await home.newPerson()).visitor;
  const tries = [
    await member.call('POST', `${base}/calls`, wish(), { origin: 'https://evil.example' }),
    await member.call('POST', `${base}/calls`, wish(), { 'slipway-console': undefined }),
    await member.call('POST', `${base}/calls`, wish(), { 'content-type': 'text/plain' }),
    await stranger.call('POST', `${base}/calls`, wish()),
    await home.newVisitor().call('POST', `${base}/calls`, wish()),
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

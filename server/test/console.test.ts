// The Console's API with each kind of link to a plane: in the same process and over its private listener.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid, toId } from '../src/kit/crypto/ids.ts';
import type { Answer } from './app.ts';
import { CONSOLE_URL, startConsole, type TestConsole, type TestVisitor } from './console-app.ts';

interface CreatedObject {
  id: string;
}

describe.each(['local', 'remote'] as const)('the Console over a %s link', (kind) => {
  let site: TestConsole;
  let owner: TestVisitor;
  let ownerId: string;
  let organisation: string;
  let base: string;

  beforeAll(async () => {
    site = await startConsole(kind);
    const { person, visitor } = await site.newPerson();
    owner = visitor;
    ownerId = person.id;
    organisation = (await owner.call<CreatedObject>('POST', '/api/organisations', { name: '  Harbour Tools ' })).body
      .id;
    base = `/api/sandbox/organisations/${organisation}`;
  });
  afterAll(() => site.close());

  const newApp = async (): Promise<string> =>
    (await owner.call<CreatedObject>('POST', `${base}/apps`, { name: 'Ticket bridge' })).body.id;

  test('the creator of an organisation is its owner', async () => {
    const { body } = await owner.call('GET', '/api/session');
    expect(body.organisations).toEqual([{ id: organisation, name: 'Harbour Tools', role: 'owner' }]);
  });

  test('an app, a key, an installation and an endpoint can be created one after the other', async () => {
    const app = await owner.call<CreatedObject>('POST', `${base}/apps`, { name: 'Ticket bridge' });
    expect([app.status, app.headers.get('content-type')]).toEqual([201, 'application/json; charset=utf-8']);
    const path = `${base}/apps/${app.body.id}`;
    const key = await owner.call<{ key: CreatedObject; token: string }>('POST', `${path}/keys`, {
      name: 'A key',
      scopes: ['events:read'],
      expiresInDays: 30,
    });
    expect(key.status).toBe(201);
    expect(key.body.token).toMatch(/^slw_test_/);
    expect(key.headers.get('cache-control')).toBe('no-store');
    expect((await owner.call('GET', `${path}/keys`)).text).not.toContain(key.body.token);
    const servers = await owner.call<{ data: { serverId: string }[] }>('GET', `${path}/installations?limit=2`);
    expect(servers.body.data).toHaveLength(2);
    const installation = `${path}/servers/${servers.body.data[0]?.serverId}/installation`;
    expect((await owner.call('PUT', installation, { state: 'paused' })).status).toBe(200);
    expect((await owner.call('PUT', `${installation}/scopes/events:read`, { state: 'revoked' })).status).toBe(200);
    const endpoint = await owner.call<{ endpoint: CreatedObject }>('POST', `${path}/endpoints`, {
      url: 'http://127.0.0.1:1/hooks',
      keyId: key.body.key.id,
      eventTypes: ['ping'],
    });
    expect(endpoint.status).toBe(201);
    const deletion = await owner.call('DELETE', `${path}/endpoints/${endpoint.body.endpoint.id}`);
    expect([deletion.status, deletion.text]).toEqual([204, '']);
    const revoked = await owner.call('POST', `${path}/keys/${key.body.key.id}/revoke`);
    expect(revoked.body).toMatchObject({ state: 'revoked' });
  });

  test('lists continue by cursor, and filters are passed on', async () => {
    const path = `${base}/apps/${await newApp()}`;
    const first = await owner.call<{ data: unknown[]; nextCursor: string }>('GET', `${path}/installations?limit=3`);
    const cursor = encodeURIComponent(first.body.nextCursor);
    const second = await owner.call<{ data: unknown[]; nextCursor: null }>(
      'GET',
      `${path}/installations?limit=3&cursor=${cursor}`,
    );
    expect([second.body.data.length, second.body.nextCursor]).toEqual([2, null]);
    expect((await owner.call('GET', `${path}/requests?method=POST&statusClass=4&limit=5`)).status).toBe(200);
  });

  test('a problem of the plane is passed on unchanged, with the request id in its body', async () => {
    const path = `${base}/apps/${await newApp()}`;
    const servers = await owner.call<{ data: { serverId: string }[] }>('GET', `${path}/installations?limit=1`);
    const installation = `${path}/servers/${servers.body.data[0]?.serverId}/installation`;
    await owner.call('PUT', installation, { state: 'revoked' });
    const conflict = await owner.call('PUT', installation, { state: 'paused' });
    const keyless = { url: 'http://127.0.0.1:1/hooks', keyId: toId('key', newUuid()), eventTypes: ['ping'] };
    const invalid = await owner.call('POST', `${path}/endpoints`, keyless);
    const missing = await owner.call('GET', `${base}/apps/${toId('app', newUuid())}`);
    // These paths also serve pages and have one method each.
    const unknown = await owner.call('GET', '/api/sign-in-link');
    expect(unknown.headers.get('allow')).toBe('POST');
    for (const [answer, status, code] of [
      [conflict, 409, 'conflict'],
      [invalid, 400, 'invalid_request'],
      [missing, 404, 'not_found'],
      [unknown, 405, 'method_not_allowed'],
    ] as const) {
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect(answer.body.type).toBe(`http://sandbox.test/problems/${code.replaceAll('_', '-')}`);
      expect(answer.body.requestId).toMatch(/^req_/);
      expect(answer.headers.get('request-id')).toBe(answer.body.requestId);
    }
    expect(invalid.body.errors).toMatchObject([{ pointer: '/keyId' }]);
    // The grant of a server concerns only /v1.
    expect(missing.body.detail).not.toContain('server');
  });

  test('an invalid request is refused before it is forwarded', async () => {
    const wrong = await owner.call('POST', `${base}/apps`, { name: '', colour: 'red' });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_request']);
    const odd = await owner.call('GET', `${base}/apps?no_such=1`);
    expect(odd.body.errors).toMatchObject([{ pointer: '/query/no_such' }]);
  });

  test('an organisation is not found for people outside of it', async () => {
    const app = await newApp();
    const { visitor: stranger } = await site.newPerson();
    await stranger.call('POST', '/api/organisations', { name: 'Elsewhere' });
    const key = { name: 'A key', scopes: ['events:read'], expiresInDays: 30 };
    const calls: [string, string, object?][] = [
      ['GET', `${base}/apps`],
      ['POST', `${base}/apps`, { name: 'Mine now' }],
      ['GET', `${base}/apps/${app}`],
      ['GET', `${base}/apps/${app}/keys`],
      ['POST', `${base}/apps/${app}/keys`, key],
      ['GET', `${base}/apps/${app}/installations`],
      ['GET', `${base}/apps/${app}/endpoints`],
      ['GET', `${base}/apps/${app}/deliveries`],
      ['GET', `${base}/apps/${app}/requests`],
    ];
    const without = (text: string): string => text.replace(/req_\w+/, '');
    const unknown = await stranger.call('GET', `/api/sandbox/organisations/${toId('org', newUuid())}/apps`);
    for (const [method, path, body] of calls) {
      const answer = await stranger.call(method, path, body);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(without(answer.text)).toBe(without(unknown.text));
    }
    const own = await stranger.call<{ organisations: CreatedObject[] }>('GET', '/api/session');
    const mine = `/api/sandbox/organisations/${own.body.organisations[0]?.id}`;
    expect((await stranger.call('GET', `${mine}/apps/${app}`)).status).toBe(404);
    expect((await stranger.call('GET', `${mine}/apps`)).body).toEqual({ data: [], nextCursor: null });
  });

  test('a request without a session is refused', async () => {
    const answer = await site.newVisitor().call('GET', `${base}/apps`);
    expect([answer.status, answer.body.code]).toEqual([401, 'sign_in_required']);
  });

  test('a viewer can read and not change, and a removed member is an outsider immediately', async () => {
    const { superuser } = site.database;
    const become = (role: string) =>
      superuser.query('update members set role = $1 where person_id = $2', [role, ownerId]);
    const app = await newApp();
    await become('viewer');
    const refused = await owner.call('POST', `${base}/apps`, { name: 'One more' });
    expect([refused.status, refused.body.code]).toEqual([403, 'role_not_allowed']);
    expect((await owner.call('GET', `${base}/apps/${app}`)).status).toBe(200);
    await become('owner');
    expect((await owner.call('POST', `${base}/apps`, { name: 'One more' })).status).toBe(201);
    await superuser.query('create table kept as select * from members where person_id = $1', [ownerId]);
    await superuser.query('delete from members where person_id = $1', [ownerId]);
    expect((await owner.call('GET', `${base}/apps/${app}`)).status).toBe(404);
    await superuser.query('insert into members select * from kept');
    await superuser.query('drop table kept');
  });

  test('the audit log of the plane names the person', async () => {
    await newApp();
    const { rows } = await site.plane.database.superuser.query('select distinct actor from audit_entries');
    const { body } = await owner.call<{ person: { email: string } }>('GET', '/api/session');
    expect(rows).toEqual([{ actor: body.person.email }]);
  });

  describe('pages of other sites', () => {
    const refused = [403, 'cross_site_request'];
    const refusalOf = async (answer: Promise<Answer>): Promise<unknown[]> => {
      const { status, body } = await answer;
      return [status, body?.code];
    };
    const FOREIGN = [
      'https://evil.example',
      'null',
      `${CONSOLE_URL}.evil.example`,
      'http://localhost:7001',
      'https://localhost:7000',
    ];

    test.each(FOREIGN)('a page at %s can read nothing and change nothing', async (origin) => {
      expect(await refusalOf(owner.call('GET', `${base}/apps`, undefined, { origin }))).toEqual(refused);
      expect(await refusalOf(owner.call('GET', '/api/session', undefined, { origin }))).toEqual(refused);
      expect(await refusalOf(owner.call('POST', `${base}/apps`, { name: 'x' }, { origin }))).toEqual(refused);
      expect(await refusalOf(owner.call('DELETE', '/api/session', undefined, { origin }))).toEqual(refused);
    });

    test('a page cannot change anything without the header that requires a preflight', async () => {
      const bare = { 'slipway-console': undefined };
      for (const headers of [bare, { ...bare, origin: undefined }]) {
        expect(await refusalOf(owner.call('POST', `${base}/apps`, { name: 'x' }, headers))).toEqual(refused);
        expect(await refusalOf(owner.call('POST', '/api/organisations', { name: 'x' }, headers))).toEqual(refused);
        expect(await refusalOf(owner.call('PUT', '/api/password', { password: 'a long enough one' }, headers))).toEqual(
          refused,
        );
        expect(await refusalOf(owner.call('DELETE', '/api/session', undefined, headers))).toEqual(refused);
        expect(
          await refusalOf(site.newVisitor().call('POST', '/api/session', { email: 'a@b.c', password: 'x' }, headers)),
        ).toEqual(refused);
      }
      expect((await owner.call('GET', `${base}/apps`, undefined, { ...bare, origin: undefined })).status).toBe(200);
    });

    test('a preflight from another site is refused', async () => {
      const answer = await owner.call('OPTIONS', `${base}/apps`, undefined, {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
      });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(answer.status).toBeGreaterThanOrEqual(400);
    });
  });
});

test('a plane refuses a Console with another management key', async () => {
  const site = await startConsole('local');
  const { visitor } = await site.newPerson();
  const { body } = await visitor.call<CreatedObject>('POST', '/api/organisations', { name: 'Harbour Tools' });
  Object.assign(site.plane.plane.secrets, {
    managementKey: { reveal: () => 'another key for tests, long enough as well' },
  });
  const answer = await visitor.call('GET', `/api/sandbox/organisations/${body.id}/apps`);
  expect([answer.status, answer.body.code]).toEqual([401, 'sign_in_required']);
  await site.close();
});

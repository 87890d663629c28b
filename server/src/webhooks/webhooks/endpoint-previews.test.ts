// The preview of a newer schema version on an endpoint's own events.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { fromId } from '../../kit/crypto/ids.ts';

interface Preview {
  data: { pinned: object; newer: object; added: string[]; removed: string[]; changed: string[] }[];
  errors?: { pointer: string }[];
}

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(async () => {
  app = await sandbox.newApp();
  key = await app.key();
});
afterAll(() => sandbox.close());

const manage = <Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> =>
  sandbox.manage<Body>(method, `/apps/${app.id}${path}`, body);
async function add(schemaVersions: object = {}): Promise<string> {
  const input = { url: 'https://bridge.example.org/', keyId: key.id, eventTypes: ['ticket.created', 'ping'] };
  return (await manage<{ endpoint: { id: string } }>('POST', '/endpoints', { ...input, schemaVersions })).body.endpoint
    .id;
}
const preview = (id: string, search = ''): Promise<Answer<Preview>> =>
  manage('GET', `/endpoints/${id}/preview${search}`);
const ticket = async (): Promise<void> => {
  const init = json({ subject: 's', body: '# Hello', requester: { name: 'Imke', reference: 'user-4711' } });
  expect((await sandbox.call(`/v1/servers/${app.serverIds[0]}/tickets`, key.token, init)).status).toBe(201);
};
interface Delivery {
  id: string;
  eventType: string | null;
  reason: string | null;
  body: string | null;
}
/** Returns the only delivery to an endpoint. */
async function deliveryTo(id: string): Promise<Delivery> {
  const list = await manage<{ data: Delivery[] }>('GET', `/deliveries?endpointId=${id}`);
  const [only] = list.body.data;
  return (await manage<Delivery>('GET', `/deliveries/${only?.id}`)).body;
}
const sentTo = async (id: string): Promise<string | null> => (await deliveryTo(id)).body;
const rule = (state: string): Promise<Answer> => manage('PUT', `/servers/${app.serverIds[0]}/installation`, { state });

describe('preview of a newer schema version', () => {
  test('shows events as they are delivered, as they would be, and the differences', async () => {
    const [pinned, newest] = [await add({ 'ticket.created': 1 }), await add()];
    await ticket();
    const [asPinned, asNewest] = [await sentTo(pinned), await sentTo(newest)];
    await manage('POST', '/world/events', { type: 'ping' });
    await manage('POST', `/endpoints/${pinned}/test`, { type: 'ticket.created' });
    for (const search of ['', '?type=ticket.created', '?type=ticket.created&schemaVersion=2']) {
      const { status, body } = await preview(pinned, search);
      expect([status, body.data.length]).toEqual([200, 1]);
      const [one] = body.data;
      expect([JSON.stringify(one?.pinned), JSON.stringify(one?.newer)]).toEqual([asPinned, asNewest]);
      expect([one?.added.sort(), one?.removed.sort(), one?.changed]).toEqual([
        ['/data/bodyMarkdown', '/data/requester/reference'],
        ['/data/body', '/data/requester/externalId'],
        ['/schemaVersion'],
      ]);
    }
    expect((await preview(newest)).body.data).toEqual([]);
  });

  test('shows the newest ten events, without skipped ones and those older than the version', async () => {
    const id = await add({ 'ticket.created': 1 });
    await manage('PATCH', `/endpoints/${id}`, { state: 'disabled' });
    await ticket();
    expect((await preview(id)).body.data).toEqual([]);
    await manage('PATCH', `/endpoints/${id}`, { state: 'enabled' });
    for (let made = 0; made < 11; made++) await ticket();
    const shown = (await preview(id)).body.data.map(({ newer }) => ('id' in newer ? newer.id : ''));
    expect(shown).toHaveLength(10);
    expect(shown).toEqual([...shown].sort().reverse());
    await sandbox.database.superuser.query(
      "update events set schema_version = 1, older_bodies = '{}' where app_id = $1",
      [fromId('app', app.id)],
    );
    expect((await preview(id)).body.data).toEqual([]);
  });

  test('refuses a version that does not exist', async () => {
    const id = await add({ 'ticket.created': 1 });
    for (const [search, pointer] of [
      ['?schemaVersion=2', '/query/schemaVersion'],
      ['?type=ticket.closed', '/query/type'],
      ['?type=ticket.created&schemaVersion=3', '/query/schemaVersion'],
      ['?type=ticket.created&schemaVersion=1', '/query/schemaVersion'],
      ['?type=ping&schemaVersion=2', '/query/schemaVersion'],
    ]) {
      const { status, body } = await preview(id, search);
      expect([search, status, body.errors?.map((error) => error.pointer)]).toEqual([search, 400, [pointer]]);
    }
  });
});

describe('event that its server withholds from the app', () => {
  const query = (text: string, ...more: string[]) =>
    sandbox.database.superuser.query(text, [fromId('app', app.id), ...more]);
  const attempted = (outcome: string) =>
    query(
      `insert into attempts (app_id, delivery_id, attempt_no, started_at, duration_us, outcome)
        select app_id, delivery_id, 1, now(), 1, $2 from deliveries where app_id = $1`,
      outcome,
    );

  test('a withheld event is not shown by its delivery either, whatever the reason of the delivery', async () => {
    const id = await add({ 'ticket.created': 1 });
    await ticket();
    expect(await sentTo(id)).toContain('# Hello');
    await rule('paused');
    expect(await deliveryTo(id)).toMatchObject({ reason: 'installation_paused', body: null });
    expect((await preview(id)).body.data).toEqual([]);
    await rule('authorised');
    expect(await sentTo(id)).toContain('# Hello');
    await rule('revoked');
    expect(await deliveryTo(id)).toMatchObject({ reason: 'installation_revoked', body: null });
    // A reason that hides the first one, as if the endpoint had been disabled.
    await query("update deliveries set reason = 'endpoint_disabled', status = 'skipped' where app_id = $1");
    expect(await deliveryTo(id)).toMatchObject({ reason: 'endpoint_disabled', body: null });
  });

  test.each([
    ['response', true],
    ['redirect', true],
    ['protocol', true],
    ['timeout', true],
    ['interrupted', true],
    ['dns', false],
    ['connect', false],
    ['tls', false],
    ['blocked_address', false],
    ['aborted_by_revoke', false],
  ])('after a revocation, an attempt with outcome %s shows the body of its delivery: %s', async (outcome, isShown) => {
    const id = await add();
    await ticket();
    await attempted(outcome);
    await rule('revoked');
    expect((await sentTo(id))?.includes('# Hello') ?? false).toBe(isShown);
  });

  test('a withheld event is not in the preview of a newer version, even if its delivery failed or was sent', async () => {
    const id = await add({ 'ticket.created': 1 });
    await ticket();
    await attempted('response');
    await query("update deliveries set status = 'failed', finished_at = now() where app_id = $1");
    await query('delete from queue where app_id = $1');
    const scope = `/servers/${app.serverIds[0]}/installation/scopes/tickets:create`;
    expect((await preview(id)).body.data).toHaveLength(1);
    await manage('PUT', scope, { state: 'revoked' });
    expect((await preview(id)).body.data).toEqual([]);
    await manage('PUT', scope, { state: 'authorised' });
    expect((await preview(id)).body.data).toHaveLength(1);
  });
});

test('a delivery stays on record after its event was deleted, without the deleted data', async () => {
  const id = await add();
  await ticket();
  await sandbox.database.superuser.query('delete from events where app_id = $1', [fromId('app', app.id)]);
  expect(await deliveryTo(id)).toMatchObject({ eventType: null, body: null });
});

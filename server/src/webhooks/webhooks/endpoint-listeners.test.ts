// Sealed header values and listeners: a member with a terminal reads the requests to a listener, and no member may read
// those values.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Answer, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { sendSignedRequest } from '../dispatch/attempt/attempt.ts';
import type { Endpoint } from './endpoint.ts';

interface EndpointBody extends Endpoint {
  errors?: { pointer: string; detail: string }[];
}

const HOOKS = 'https://bridge.example.org/hooks';
const SECRET = 'Bearer of-a-secret-of-theirs';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string };
let endpoint: Endpoint;
beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  key = await app.key();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  const input = { url: HOOKS, keyId: key.id, eventTypes: ['ping'], headers: { Authorization: SECRET } };
  endpoint = (await sandbox.manage<{ endpoint: Endpoint }>('POST', `/apps/${app.id}/endpoints`, input)).body.endpoint;
});
afterEach(() => sandbox.manage('DELETE', at()));

const at = (): string => `/apps/${app.id}/endpoints/${endpoint.id}`;
const get = async (): Promise<Endpoint> => (await sandbox.manage<Endpoint>('GET', at())).body;
const change = (body: unknown): Promise<Answer<EndpointBody>> => sandbox.manage<EndpointBody>('PATCH', at(), body);
const query = async (text: string): Promise<object[]> =>
  (await sandbox.database.superuser.query(text, [fromId('whe', endpoint.id)])).rows;

test('a change to a listener drops every header, reports this, and names the listener in the audit log', async () => {
  const first = await change({ url: 'listener:mine-1' });
  expect([first.status, first.body.headerNames]).toEqual([200, []]);
  expect(await query('select sealed_headers from endpoints where endpoint_id = $1')).toEqual([
    { sealed_headers: null },
  ]);
  const entryOf = async () => (await sandbox.manage<{ data: object[] }>('GET', '/audit-entries?limit=1')).body.data[0];
  expect(await entryOf()).toMatchObject({
    detail: { url: { from: `${new URL(HOOKS).origin}/*`, to: 'listener:mine-1' }, droppedHeaders: ['authorization'] },
  });
  expect((await change({ url: 'listener:theirs-2' })).status).toBe(200);
  expect(await entryOf()).toMatchObject({ detail: { url: { from: 'listener:mine-1', to: 'listener:theirs-2' } } });
  // The address changes back, and the headers are gone.
  expect((await change({ url: HOOKS })).body).toMatchObject({ url: HOOKS, headerNames: [] });
});

test('a listener with headers from before they were refused loses them with its next address', async () => {
  await query("update endpoints set url = 'listener:old-1' where endpoint_id = $1");
  const { body } = await change({ url: 'listener:old-2' });
  expect(body.headerNames).toEqual([]);
});

test('no header can be set on a listener, whether the endpoint is one or becomes one', async () => {
  const errors = [{ pointer: '/headers', detail: 'must be empty for a listener' }];
  const both = await change({ url: 'listener:mine-1', headers: { 'x-a': 'b' } });
  expect([both.status, both.body.errors]).toEqual([400, errors]);
  expect(await get()).toEqual(endpoint);
  await change({ url: 'listener:mine-1', headers: { authorization: null } });
  expect((await change({ headers: { 'x-a': 'b' } })).body.errors).toEqual(errors);
  const input = { url: 'listener:a-1', keyId: key.id, eventTypes: ['ping'], headers: { 'x-a': 'b' } };
  const made = await sandbox.manage<EndpointBody>('POST', `/apps/${app.id}/endpoints`, input);
  expect([made.status, made.body.errors]).toEqual([400, errors]);
});

test('a worker adds stored headers of the owner to a request, but not to a relay', async () => {
  const sent: Record<string, string>[] = [];
  const post = async ({ headers }: { headers: Record<string, string> }) => {
    sent.push(headers);
    return { kind: 'failure', failure: 'connect', detail: 'of a test', durationUs: 0 } as const;
  };
  type Args = Parameters<typeof sendSignedRequest>;
  // Both ways to send, and the parts of a flight that they use. The pre-send check never runs here.
  const tools = { outbound: { post }, relays: { post }, permits: {} } as unknown as Args[2];
  const attempt = { stopper: undefined, endpointId: 'e', claimToken: {}, onEnter() {} } as unknown as Args[1];
  for (const url of ['listener:mine-1', HOOKS]) {
    const headers = { 'webhook-id': 'evt_1' };
    await sendSignedRequest(
      { url, custom: { authorization: SECRET }, headers, body: Buffer.from('{}') },
      attempt,
      tools,
    );
  }
  expect(JSON.stringify(sent[0])).not.toContain(SECRET);
  expect(sent).toMatchObject([{ 'webhook-id': 'evt_1' }, { 'webhook-id': 'evt_1', authorization: SECRET }]);
});

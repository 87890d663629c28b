// A notice of a kind that release 0.1.0 does not know, while processes of that release and of this release serve the
// new schema.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ask, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { signConsoleAssertion } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';

interface UntakenNotice {
  id: string;
  kind: string;
  appId: string;
  pageOrigin?: string | null;
}

let sandbox: Sandbox;
let app: TestApp;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  app = await sandbox.newApp();
  const { token } = await app.key();
  await sandbox.call('/v1/servers', token, { headers: { origin: PAGE } });
  await sandbox.flush();
});

const PAGE = 'https://app.example.com';
const query = async (text: string, values: unknown[] = []) =>
  (await sandbox.database.superuser.query(text, values)).rows;

const pull = async (headers: Record<string, string>, taken: string[] = []) => {
  const assertion = await signConsoleAssertion('sandbox', sandbox.options.managementKey);
  const { body } = await ask<{ data: UntakenNotice[] }>(`${sandbox.managementUrl}/console/notices/pull`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${assertion}`, 'content-type': 'application/json' },
    body: JSON.stringify({ taken }),
  });
  return body.data.filter(({ appId }) => appId === app.id);
};
const fieldsOf = (notice: object | undefined) => Object.keys(notice ?? {}).sort();
const RELEASED_FIELDS = [
  ...['appId', 'appName', 'createdAt', 'daysAhead', 'daysFailing', 'disabledReason', 'endpointHost', 'endpointId'],
  ...['expiresAt', 'foundAt', 'id', 'keyCreatedBy', 'keyId', 'keyName', 'kid', 'kind', 'organisationId'],
];

test('hides unknown notice kinds and fields from a Console of 0.1.0, and returns every other notice', async () => {
  const leaked = await app.key();
  await sandbox.call('/v1/leaked-keys', undefined, json({ key: leaked.token }));
  const known = await pull({});
  expect(known.map(({ kind }) => kind)).toEqual(['key_leaked']);
  expect(fieldsOf(known[0])).toEqual(RELEASED_FIELDS);
  const all = await pull({ 'notice-kinds': 'a_later_kind, key_in_browser' });
  expect(all.map(({ kind, pageOrigin }) => [kind, pageOrigin])).toEqual([
    ['key_in_browser', PAGE],
    ['key_leaked', undefined],
  ]);
  expect(
    await pull(
      { 'notice-kinds': 'key_in_browser' },
      all.map(({ id }) => id),
    ),
  ).toEqual([]);
});

test('a notice of a new kind is not handed over by a plane of 0.1.0, and is not confused with a platform notice', async () => {
  const values = [fromId('app', app.id)];
  // The conditions of `listPendingNotices` and `listKeysToNotify` in release 0.1.0.
  expect(await query('select 1 from notices where app_id = $1 and taken_at is null', values)).toEqual([]);
  expect(await query('select 1 from notices where app_id = $1 and request_id is not null', values)).toEqual([]);
});

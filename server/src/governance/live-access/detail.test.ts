// A page of requests for live access is read with all details in a fixed number of queries.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../test/harness.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { type Database, firstOf, openDatabase } from '../../kit/db/db.ts';
import { upsertLiveAccess } from './access-store.ts';
import { readRequests } from './detail.ts';
import { insertRequest, insertStep } from './store.ts';

let database: TestDatabase;
let db: Database;
const organisationId = newUuid();
beforeAll(async () => {
  database = await cloneDatabase('console');
  db = openDatabase({ url: database.url, max: 2, queryTimeoutMs: 5_000, connectTimeoutMs: 5_000 });
  await database.superuser.query("insert into organisations (organisation_id, name) values ($1, 'Harbour Tools')", [
    organisationId,
  ]);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

async function addRequest(name: string, steps: readonly string[], hasAccess: boolean): Promise<void> {
  const app = { organisation_id: organisationId, app_id: newUuid(), app_name: name };
  const { request_id } = await insertRequest(db, { ...app, created_by: 'a test', personId: 'person' });
  for (const action of steps) await insertStep(db, request_id, { by: 'member', actor: 'a test', action });
  if (hasAccess) await upsertLiveAccess(db, { ...app, scopes: ['servers:read'], max_servers: null, status: 'active' });
}

async function read(): Promise<{ queries: number; read: [string, string[], boolean][] }> {
  let queries = 0;
  const query: Database['query'] = (statement) => {
    queries += 1;
    return db.query(statement);
  };
  const { requests } = await readRequests({ query, first: firstOf(query) }, organisationId, undefined, 100);
  return {
    queries,
    read: requests.map((one) => [one.appName, one.history.map(({ action }) => action), one.liveAccess !== null]),
  };
}

test('a page of requests takes as many queries as one request, and each request has its own steps and live access', async () => {
  await addRequest('one', ['created', 'submitted'], true);
  const { queries } = await read();
  for (const name of ['two', 'three', 'four']) await addRequest(name, ['created', name], name === 'three');
  expect(await read()).toEqual({
    queries,
    read: [
      ['four', ['created', 'four'], false],
      ['three', ['created', 'three'], true],
      ['two', ['created', 'two'], false],
      ['one', ['created', 'submitted'], true],
    ],
  });
  expect(queries).toBe(3);
});

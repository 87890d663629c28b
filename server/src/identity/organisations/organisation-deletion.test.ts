// The deletion of an organisation by an owner who enters its name. Each environment stops its access immediately, or as
// soon as the environment is reachable. The deletion can be cancelled within the grace period; afterwards each
// environment erases its data before the Console does.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import type { Role } from '../../access/authority/index.ts';
import { askPlanes, localLink, type PlaneLink } from '../../governance/environments/index.ts';
import { organisationLines } from '../../governance/organisation-status/export-lines.ts';
import {
  type OrganisationStatusServices,
  reportOrganisationStatuses,
} from '../../governance/organisation-status/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { type Database, DatabaseUnavailable, openDatabase } from '../../kit/db/db.ts';
import { createManagement } from '../../listeners/sandbox-management.ts';
import { eraseDueApps } from '../../tenancy/apps/index.ts';

let home: TestConsole;
let db: Database;
let services: OrganisationStatusServices;
let isReachable = true;
let link: PlaneLink;
let owner: TestVisitor;
let organisation: string;
let organisationId: string;
let app: string;
let appId: string;

beforeAll(async () => {
  const reached: PlaneLink = (call) =>
    isReachable ? link(call) : Promise.reject(new DatabaseUnavailable(new Error('The plane is away.')));
  home = await startConsole('local', { link: reached });
  link = localLink(createManagement(home.plane.plane, () => {}));
  db = openDatabase({ url: home.database.url, max: 2, queryTimeoutMs: 5_000, connectTimeoutMs: 1_000 });
  const { managementKey } = home.plane.options;
  const connection = { environment: 'sandbox', link: reached, managementKey } as const;
  services = { db, environments: [{ name: 'sandbox' }], askPlanes: askPlanes([connection]) };
  owner = (await home.newPerson()).visitor;
});
beforeEach(async () => {
  isReachable = true;
  const made = await owner.call<{ id: string }>('POST', '/api/organisations', { name: 'Harbour Tools' });
  organisation = made.body.id;
  organisationId = fromId('org', organisation) ?? '';
  const added = await owner.call<{ id: string }>('POST', `/api/sandbox/organisations/${organisation}/apps`, {
    name: 'Bridge',
  });
  app = added.body.id;
  appId = fromId('app', app) ?? '';
});
afterAll(async () => {
  await db.close();
  await home.close();
});

interface DeletionBody {
  eraseAt: string | null;
  environments: { name: string; isConfirmed: boolean }[];
  code: string;
}
const on = (path: string, body?: object, visitor = owner) =>
  visitor.call<DeletionBody>(path === '/deletion' ? 'GET' : 'POST', `/api/organisations/${organisation}${path}`, body);
const appStatus = async (): Promise<unknown> =>
  (await home.plane.database.superuser.query('select standing from apps where app_id = $1', [appId])).rows[0]?.standing;
const queryPlane = async (text: string, values: unknown[] = [organisationId]) =>
  (await home.database.superuser.query(text, values)).rows;
const push = () => reportOrganisationStatuses(services, (error) => expect(error).toBeUndefined());
const NAMED = { organisationName: 'Harbour Tools' };

async function memberOf(role: Role): Promise<TestVisitor> {
  const { person, visitor } = await home.newPerson();
  await queryPlane('insert into members (organisation_id, person_id, role) values ($1, $2, $3)', [
    organisationId,
    person.id,
    role,
  ]);
  return visitor;
}

describe('a deletion', () => {
  test('requires an owner who enters the name, and is in force when it is answered', async () => {
    const admin = await memberOf('admin');
    const stranger = (await home.newPerson()).visitor;
    for (const [path, body] of [['/delete', NAMED], ['/restore'], ['/export']] as const) {
      expect([(await on(path, body, admin)).status, (await on(path, body, stranger)).status]).toEqual([403, 404]);
    }
    for (const organisationName of ['Harbour', 'harbour tools', 'Harbour Tools 2']) {
      expect((await on('/delete', { organisationName })).status).toBe(400);
    }
    expect(await appStatus()).toBe('active');
    const { status, body } = await on('/delete', NAMED);
    expect([status, body.environments]).toEqual([200, [{ name: 'sandbox', isConfirmed: true }]]);
    const days = (Date.parse(body.eraseAt ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days * 10)).toBe(70);
    expect(await appStatus()).toBe('deleting');
    expect((await on('/delete', NAMED)).body.eraseAt).toBe(body.eraseAt);
    expect((await on('/deletion', undefined, admin)).body).toEqual(body);
  });

  test('can be cancelled, also concurrently with another deletion', async () => {
    await on('/delete', NAMED);
    expect((await on('/restore')).body).toMatchObject({ eraseAt: null, environments: [{ isConfirmed: true }] });
    expect(await appStatus()).toBe('suspended');
    await on('/delete', NAMED);
    const [first, second] = await Promise.all([on('/delete', NAMED), on('/restore')]);
    expect([first.status, second.status]).toEqual([200, 200]);
    // The environment has the status of the Console, whichever request was last.
    const isDeleted = (await on('/deletion')).body.eraseAt !== null;
    await push();
    expect(await appStatus()).toBe(isDeleted ? 'deleting' : 'suspended');
  });

  test('reaches an unreachable environment as soon as it is reachable', async () => {
    isReachable = false;
    const away = [{ name: 'sandbox', isConfirmed: false }];
    expect((await on('/delete', NAMED)).body.environments).toEqual(away);
    await push();
    expect([(await on('/deletion')).body.environments, await appStatus()]).toEqual([away, 'active']);
    isReachable = true;
    await push();
    expect(await appStatus()).toBe('deleting');
    expect((await on('/deletion')).body.environments).toEqual([{ name: 'sandbox', isConfirmed: true }]);
  });

  test('erases all environments first and the Console last', async () => {
    await on('/delete', NAMED);
    await queryPlane("update organisations set delete_at = now() - interval '1 second' where organisation_id = $1");
    isReachable = false;
    await push();
    expect((await on('/restore')).body.code).toBe('conflict');
    isReachable = true;
    await push();
    const { superuser } = home.plane.database;
    const erase = () => eraseDueApps(home.plane.worker, (error) => expect(error).toBeUndefined());
    await erase();
    await push();
    expect((await queryPlane('select from organisations where organisation_id = $1')).length).toBe(1);
    await superuser.query("update apps set erased_at = erased_at - interval '1 hour' where app_id = $1", [appId]);
    await erase();
    await push();
    const tables = ['organisations', 'members', 'standing_receipts', 'audit_entries'];
    for (const table of tables) {
      expect([table, await queryPlane(`select from ${table} where organisation_id = $1`)]).toEqual([table, []]);
    }
    const consoleEntries = 'select from audit_entries where organisation_id = $1';
    expect((await superuser.query(consoleEntries, [organisationId])).rows).toEqual([]);
    expect((await on('/deletion')).status).toBe(404);
  });

  test('cannot be cancelled by any statement after the erasure has begun', async () => {
    await queryPlane('update organisations set delete_at = now(), erasing_since = now() where organisation_id = $1');
    const back = queryPlane(
      'update organisations set erasing_since = null, delete_at = null where organisation_id = $1',
    );
    await expect(back).rejects.toMatchObject({ code: '23514' });
  });
});

test('an environment accepts the status from a Console that was restored from a backup', async () => {
  await on('/delete', NAMED);
  await on('/restore');
  await queryPlane('alter table organisations disable trigger count_standing', []);
  await queryPlane('update organisations set standing_version = 1 where organisation_id = $1');
  await queryPlane('alter table organisations enable trigger count_standing', []);
  await on('/delete', NAMED);
  await push();
  expect(await appStatus()).toBe('deleting');
});

test('an export contains all data without secrets, page by page, and ends with an end line', async () => {
  const base = `/api/sandbox/organisations/${organisation}/apps/${app}`;
  const input = { name: 'A key', scopes: ['events:read'], expiresInDays: 1 };
  const key = (await owner.call<{ key: { id: string }; token: string }>('POST', `${base}/keys`, input)).body;
  const hook = { url: 'http://127.0.0.1:1/hooks', keyId: key.key.id, eventTypes: ['ping'] };
  const endpoint = (await owner.call<{ signingSecret: string }>('POST', `${base}/endpoints`, hook)).body;
  for (let made = 0; made < 100; made++) {
    await home.plane.database.superuser.query(
      "insert into apps (app_id, organisation_id, name, created_by) values (gen_random_uuid(), $1, 'One of many', 'a test')",
      [organisationId],
    );
  }
  const { status, text, headers } = await on('/export');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; id?: string });
  const count = (kind: string): number => lines.filter((line) => line.kind === kind).length;
  expect(lines[0]).toEqual({ kind: 'organisation', id: organisation, name: 'Harbour Tools' });
  expect(lines.at(-1)).toEqual({ kind: 'end' });
  expect({ member: count('member'), app: count('app'), key: count('key'), endpoint: count('endpoint') }).toEqual({
    member: 1,
    app: 101,
    key: 1,
    endpoint: 1,
  });
  expect(count('installation')).toBeGreaterThan(0);
  expect(text).toContain('"action":"organisation.export"');
  expect(text).toContain('"action":"key.create"');
  for (const secret of [key.token, key.token.slice(22), endpoint.signingSecret]) expect(text).not.toContain(secret);
  isReachable = false;
  expect((await on('/export')).body.code).toBe('unavailable');
});

test('an export in progress ends when its reader loses access', async () => {
  const { person } = await home.newPerson();
  const become = (role: Role) =>
    queryPlane(
      `insert into members (organisation_id, person_id, role) values ($1, $2, $3)
      on conflict (organisation_id, person_id) do update set role = excluded.role`,
      [organisationId, person.id, role],
    );
  const actor = { kind: 'person', personId: person.id, name: person.email, organisationId, address: null } as const;
  const source = {
    services: { ...services, environments: [{ name: 'sandbox', apiUrl: '', receiverUrl: null }] },
    actor: { ...actor, role: 'owner' },
    name: 'Harbour Tools',
  } as const;
  const ends = [
    () => become('admin'),
    () => queryPlane('delete from members where person_id = $1', [person.id]),
    () =>
      queryPlane("update organisations set suspended_at = now(), suspended_reason = 'Why' where organisation_id = $1"),
  ];
  for (const end of ends) {
    await become('owner');
    for (const last of ['organisation', 'member', 'audit', 'app']) {
      await become('owner');
      await queryPlane(
        'update organisations set suspended_at = null, suspended_reason = null where organisation_id = $1',
      );
      const lines = organisationLines(source);
      let kind: string | undefined;
      while (kind !== last) kind = JSON.parse((await lines.next()).value).kind;
      await end();
      await expect(readOut(lines), `${end} after ${last}`).rejects.toMatchObject({ code: 'not_found' });
    }
  }
});

async function readOut(lines: AsyncIterable<string>): Promise<void> {
  for await (const _line of lines);
}

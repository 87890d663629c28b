// The Console's lease on the status of organisations, and the detection of a database that was rolled back by other
// means than a restore.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { cloneDatabase, type TestDatabase } from '../../../test/harness.ts';
import { backUp } from '../../../test/restore.fixture.ts';
import { isPlaneClosed, type Plane } from '../../access/authority/index.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';
import { type Database, openDatabase } from '../../kit/db/db.ts';
import { createManagement } from '../../listeners/sandbox-management.ts';
import { findConsoleGate } from '../../platform/restore-gate/index.ts';
import { askPlanes, localLink } from '../environments/index.ts';
import { type OrganisationStatusServices, reportOrganisationStatuses } from '../organisation-status/index.ts';
import { listUnreported } from './console-lease-store.ts';
import { announceLeases, announceReported } from './index.ts';

let sandbox: Sandbox;
let console: TestDatabase;
let db: Database;
let services: OrganisationStatusServices;
let organisationId: string;
let app: TestApp;
let token: string;
let isAway = false;
/** While true, status reports to the environment fail. */
let areReportsFailing = false;
/** The organisation whose status reports fail. */
let failingOrganisation: string | undefined;

beforeAll(async () => {
  sandbox = await startSandbox();
  console = await cloneDatabase('console');
  db = openDatabase({ url: console.url, max: 2, queryTimeoutMs: 5_000, connectTimeoutMs: 1_000 });
  const management = createManagement(sandbox.plane as Plane, () => {});
  const local = localLink(management);
  const { managementKey } = sandbox.options;
  const link: typeof local = (call) => {
    const isOfFailing = failingOrganisation !== undefined && call.path.includes(toId('org', failingOrganisation));
    if (isAway || ((areReportsFailing || isOfFailing) && call.path.endsWith('/standing')))
      return Promise.resolve({ status: 503, headers: {}, body: '{}' });
    return local(call);
  };
  services = {
    db,
    environments: [{ name: 'sandbox' }],
    askPlanes: askPlanes([{ environment: 'sandbox', link, managementKey }]),
  };
});
beforeEach(async () => {
  [isAway, areReportsFailing, failingOrganisation] = [false, false, undefined];
  organisationId = newUuid();
  await console.superuser.query("insert into organisations (organisation_id, name) values ($1, 'Leased')", [
    organisationId,
  ]);
  app = await sandbox.newApp(organisationId);
  ({ token } = await app.key());
});
afterAll(async () => {
  await db.close();
  await console.drop();
  await sandbox.close();
});

const onError = (error: unknown): void => {
  throw error;
};
const announce = () => announceLeases(services, onError);
const push = () => reportOrganisationStatuses(services, onError);
const answer = async (): Promise<unknown> => {
  const { status, body } = await sandbox.call('/v1/me', token);
  return status === 200 ? 'works' : (body.code as string);
};
const query = async (text: string, values: unknown[] = []) =>
  (await sandbox.database.superuser.query(text, values)).rows;
const atConsole = async (text: string, values: unknown[] = []) => (await console.superuser.query(text, values)).rows;
const gate = async () => (await query('select closed_because from plane_state'))[0]?.closed_because;
/** As if the lease had ended by the database's clock. */
const endLease = () => query("update plane_state set lease_until = clock_timestamp() - interval '1 second'");
/** As if the status had changed and its confirmations had been discarded so long ago. */
const raisedAgo = async (time: string): Promise<void> => {
  await atConsole('update organisations set standing_raised_at = now() - $2::interval where organisation_id = $1', [
    organisationId,
    time,
  ]);
  await forgottenLongAgo();
};
const forgottenLongAgo = () =>
  atConsole(
    `update facts set value = value || '{"forgottenAt": "2026-01-01T00:00:00Z"}' where name = 'witness_of_sandbox'`,
  );
/** Leaves the environment in the state after `reopen` of a restored database. */
const reopen = () =>
  query(`update plane_state set closed_at = null, closed_because = null, restore_epoch = gen_random_uuid(),
    lease_until = clock_timestamp()`);
const suspend = (id = organisationId) =>
  atConsole("update organisations set suspended_at = now(), suspended_reason = 'Abuse' where organisation_id = $1", [
    id,
  ]);

test('an environment without a Console works, and an environment whose Console stops closes when its lease ends', async () => {
  expect(await answer()).toBe('works');
  await announce();
  expect(await answer()).toBe('works');
  expect(await isPlaneClosed(sandbox.worker)).toBe(false);
  const [lease] = await query('select extract(epoch from lease_until - lease_at)::int as seconds from plane_state');
  expect(lease).toEqual({ seconds: 900 });
  await endLease();
  isAway = true;
  await announce();
  const { status, body } = await sandbox.call('/v1/servers', token);
  expect(status).toBe(503);
  expect(body).toMatchObject({ code: 'unavailable', detail: expect.stringMatching(/has not confirmed the status/) });
  expect(await isPlaneClosed(sandbox.worker)).toBe(true);
  isAway = false;
  await announce();
  expect(await answer()).toBe('works');
});

test('an organisation whose status stays unconfirmed for the lease is suspended alone, until its status is confirmed', async () => {
  await announce();
  const other = await sandbox.newApp(newUuid());
  const otherKey = await other.key();
  areReportsFailing = true;
  await atConsole(`update organisations set quotas = '{"apps": 7}' where organisation_id = $1`, [organisationId]);
  await push();
  await announce();
  expect(await answer()).toBe('works');
  await raisedAgo('15 minutes');
  await announce();
  expect(await answer()).toBe('app_suspended');
  expect((await sandbox.call('/v1/me', otherKey.token)).status).toBe(200);
  areReportsFailing = false;
  await push();
  expect(await answer()).toBe('works');
});

test('a Console that receives a later and stricter status adopts it as a suspension, until an operator resumes the organisation', async () => {
  const backup = await backUp(console, 'console');
  await suspend();
  await push();
  expect(await answer()).toBe('app_suspended');
  await backup.restore('restore');
  await backup.drop();
  await atConsole("delete from facts where name = 'restore_gate'");
  await atConsole('update organisations set standing_version = 1 where organisation_id = $1', [organisationId]);
  await push();
  const [adopted] = await atConsole('select suspended_reason from organisations where organisation_id = $1', [
    organisationId,
  ]);
  expect(adopted?.suspended_reason).toMatch(/sandbox knows a later status, suspended/);
  await push();
  expect(await answer()).toBe('app_suspended');
  await atConsole('update organisations set suspended_at = null, suspended_reason = null where organisation_id = $1', [
    organisationId,
  ]);
  await push();
  expect(await answer()).toBe('works');
});

test('a reopened environment stays closed until every status was reported again', async () => {
  await announce();
  const backup = await backUp(sandbox.database, 'plane');
  await suspend();
  await push();
  expect(await answer()).toBe('app_suspended');
  await backup.restore('restore');
  await backup.drop();
  await reopen();
  expect(await answer()).toBe('unavailable');
  await announce();
  await announce();
  expect(await answer()).toBe('unavailable');
  await push();
  await announce();
  expect(await answer()).toBe('app_suspended');
});

test('an approval counts as unreported unless its organisation is being deleted', async () => {
  await atConsole(
    `insert into live_access (organisation_id, app_id, production_app_id, app_name, scopes)
     values ($1, $1, $1, 'Approved', '{servers:read}')`,
    [organisationId],
  );
  const isUnreported = async () => (await listUnreported(db, 'production', 1_000)).includes(organisationId);
  expect(await isUnreported()).toBe(true);
  await atConsole("update organisations set delete_at = now() + interval '7 days' where organisation_id = $1", [
    organisationId,
  ]);
  await atConsole('update organisations set standing_version = 0 where organisation_id = $1', [organisationId]);
  expect(await isUnreported()).toBe(false);
});

test('the announcer wakes after a reopening when the last status is confirmed, and not before', async () => {
  let wakes = 0;
  const wakeIfReported = () => announceReported(services, { wake: () => void wakes++, stop: async () => {} });
  await announce();
  await suspend();
  await push();
  await announce();
  await wakeIfReported();
  await reopen();
  await announce();
  areReportsFailing = true;
  await push();
  await wakeIfReported();
  expect(wakes).toBe(0);
  areReportsFailing = false;
  await push();
  await wakeIfReported();
  expect(wakes).toBe(1);
  await announce();
  await wakeIfReported();
  expect(wakes).toBe(1);
});

test('an organisation whose report fails keeps a reopened environment closed, and the error names it after a minute', async () => {
  await announce();
  await push();
  await suspend();
  await push();
  await reopen();
  await announce();
  failingOrganisation = organisationId;
  await push();
  const errors: unknown[] = [];
  const announceLate = () => announceLeases(services, (error) => errors.push(error));
  await announceLate();
  expect(errors).toEqual([]);
  await forgottenLongAgo();
  await announceLate();
  expect(errors.map(String)).toEqual([
    `Error: The sandbox was reopened and stays closed: it has not confirmed each status and approval, for example of ${toId('org', organisationId)}.`,
  ]);
  const other = await sandbox.newApp(newUuid());
  expect((await sandbox.call('/v1/me', (await other.key()).token)).body.code).toBe('unavailable');
  failingOrganisation = undefined;
  await push();
  await announce();
  expect(await answer()).toBe('app_suspended');
});

test('reports more than one batch of organisations in one turn', async () => {
  await announce();
  await atConsole(`insert into organisations (organisation_id, name, standing_version, standing_raised_at)
    select gen_random_uuid(), 'Other', 1, now() from generate_series(1, 60)`);
  await push();
  expect(
    await atConsole(`select 1 from organisations o where name = 'Other'
      and not exists (select from standing_receipts r where r.organisation_id = o.organisation_id)`),
  ).toEqual([]);
  await atConsole("delete from organisations where name = 'Other'");
});

test('an active organisation whose status changed long ago is not suspended by the leases after a reopening', async () => {
  await announce();
  await atConsole(`update organisations set quotas = '{"apps": 7}' where organisation_id = $1`, [organisationId]);
  await push();
  await raisedAgo('30 days');
  await announce();
  expect(await answer()).toBe('works');
  await reopen();
  await announce();
  await announce();
  await push();
  await announce();
  expect(await answer()).toBe('works');
  const because = "select 1 from audit_entries where organisation_id = $1 and action = 'organisation.unconfirmed'";
  expect(await query(because, [organisationId])).toEqual([]);
});

test('a suspended organisation beyond the first page of unconfirmed ones is suspended before the lease is extended', async () => {
  await announce();
  await push();
  await announce();
  areReportsFailing = true;
  await atConsole(`insert into organisations (organisation_id, name, standing_version, standing_raised_at)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Other', 1, now() - interval '2 hours'
    from generate_series(1, 500) n`);
  await suspend();
  await raisedAgo('1 hour');
  await endLease();
  await announce();
  expect(await answer()).toBe('app_suspended');
  await atConsole("delete from organisations where name = 'Other'");
});

test('an environment that was rolled back by a snapshot closes, because the Console remembers an entry that it lacks', async () => {
  const backup = await backUp(sandbox.database, 'plane');
  await sandbox.manage(
    'POST',
    `/apps/${app.id}/keys`,
    { name: 'Later', scopes: ['servers:read'], expiresInDays: 1 },
    {
      organisationId,
    },
  );
  await announce();
  await backup.restore('by_hand');
  await backup.drop();
  expect(await gate()).toBeNull();
  await announce();
  expect(await gate()).toBe('regressed');
  expect(await answer()).toBe('unavailable');
  await query('update plane_state set closed_at = null, closed_because = null, restore_epoch = gen_random_uuid()');
  await announce();
  expect([await gate(), await answer()]).toEqual([null, 'works']);
});

test('a database that fails over without losing an entry does not close', async () => {
  await announce();
  const backup = await backUp(sandbox.database, 'plane');
  await backup.restore('by_hand');
  await backup.drop();
  await announce();
  expect([await gate(), await answer()]).toEqual([null, 'works']);
});

test('a Console that was rolled back by a snapshot closes, because an environment remembers an entry that it lacks', async () => {
  const enter = () =>
    atConsole(
      `insert into audit_entries (organisation_id, audit_id, actor_kind, actor, action, target, detail)
       values ($1, gen_random_uuid(), 'person', 'ada@example.org', 'organisation.rename', $2, '{}')`,
      [organisationId, toId('org', organisationId)],
    );
  await enter();
  await announce();
  const backup = await backUp(console, 'console');
  await enter();
  await announce();
  await announce();
  expect(await findConsoleGate(db)).toBeNull();
  await backup.restore('by_hand');
  await backup.drop();
  await announce();
  expect(await findConsoleGate(db)).toBe('regressed');
  expect(fromId('org', toId('org', organisationId))).toBe(organisationId);
});

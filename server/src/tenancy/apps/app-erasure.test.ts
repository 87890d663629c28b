// An app whose grace period has ended is erased from every table, in small steps and after any crash. An app that is
// not due keeps its rows.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { untilLocksWaited } from '../../../test/lock-waits.ts';
import { runAsRole, SQLSTATES } from '../../../test/run-as-role.ts';
import { fillTenant } from '../../../test/tenant.fixture.ts';
import { PLANE_ROLES } from '../../boot/provision.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { type Database, openDatabase } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import { ERASED_TABLES } from './erase-store.ts';
import { eraseDueApps } from './index.ts';

let sandbox: Sandbox;
let app: TestApp;
let appId: string;

beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
});
beforeEach(async () => {
  app = await sandbox.newApp();
  appId = fromId('app', app.id) ?? '';
});
afterAll(() => sandbox.close());

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await sandbox.database.superuser.query(text, values)).rows as Row[];

/** Reads from the catalogue every table that has rows of apps. */
async function tenantTables(): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c
     join pg_class p on p.oid = format('%I.%I', c.table_schema, c.table_name)::regclass
     where c.table_schema = 'public' and c.column_name = 'app_id' and p.relkind in ('r', 'p') and not p.relispartition
     order by 1`,
  );
  return rows.map(({ name }) => name);
}

async function countsOf(id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await tenantTables()) {
    const [row] = await query<{ count: number }>(`select count(*)::int as count from ${table} where app_id = $1`, [id]);
    counts[table] = row?.count ?? 0;
  }
  return counts;
}

/** Returns the counts without the tables of uses, which a node writes from memory up to seconds after the call. */
function omitUses(counts: Record<string, number>): Record<string, number> {
  const { key_uses: _keys, key_scope_uses: _scopes, grant_uses: _grants, ...others } = counts;
  return others;
}

const deleted = (when: string) =>
  query(`update apps set state = 'suspended', erase_at = now() ${when} where app_id = $1`, [appId]);
const comeDue = () => deleted("- interval '1 second'");
const stragglersHaveCome = () =>
  query("update apps set erased_at = erased_at - interval '10 minutes' where app_id = $1", [appId]);

const failures: unknown[] = [];
const erase = (worker: Database = sandbox.worker, rowsAtOnce?: number): Promise<void> =>
  eraseDueApps(worker, (error) => failures.push(error), rowsAtOnce);

test('erases every table with rows of apps, except the audit log and the receipts of revocations', async () => {
  expect([...ERASED_TABLES, 'apps', 'audit_entries', 'revocation_receipts'].sort()).toEqual(await tenantTables());
});

test('erases all rows of an app, keeps its audit log and its receipts, and keeps every row of another app', async () => {
  ({ appId } = await fillTenant(sandbox, sandbox.organisationId));
  const { appId: neighbour } = await fillTenant(sandbox, sandbox.organisationId);
  const before = await countsOf(appId);
  expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([]);
  const beside = await countsOf(neighbour);
  await comeDue();
  await erase();
  const remaining = omitUses(await countsOf(appId));
  const nothing = Object.fromEntries(Object.keys(remaining).map((table) => [table, 0]));
  expect(remaining).toEqual({ ...nothing, apps: 1, audit_entries: before.audit_entries, revocation_receipts: 1 });
  await query("insert into key_uses values ($1, gen_random_uuid(), now(), 'straggler')", [appId]);
  const stragglers = () => query("select from key_uses where client_address = 'straggler'");
  await erase();
  expect((await stragglers()).length).toBe(1);
  await stragglersHaveCome();
  await erase();
  expect((await stragglers()).length).toBe(0);
  expect((await countsOf(appId)).apps).toBe(0);
  expect(omitUses(await countsOf(neighbour))).toEqual(omitUses(beside));
  expect(failures).toEqual([]);
});

test('erases a few rows per statement, and the next worker continues after a crash', async () => {
  await comeDue();
  const erased: number[] = [];
  let statementsLeft = 0;
  const dying: Database = {
    ...sandbox.worker,
    async query<Row>(statement: Parameters<Database['query']>[0]) {
      if (statementsLeft-- === 0) throw new Error('The worker died.');
      const rows = await sandbox.worker.query<Row>(statement);
      const [first] = rows as { count?: number }[];
      if (first?.count !== undefined && !statement.values.includes('keys')) erased.push(first.count);
      return rows;
    },
  };
  let lives = 0;
  const isLeft = async () => (await query('select from apps where app_id = $1 and erased_at is null', [appId])).length;
  for (; (await isLeft()) === 1; lives++) {
    statementsLeft = lives * 5;
    await erase(dying, 20).catch((error) => failures.push(error));
  }
  // The last worker may also die, after it has erased everything.
  expect([lives - 1, lives]).toContain(failures.splice(0).length);
  expect(lives).toBeGreaterThan(5);
  expect(Math.max(...erased)).toBe(20);
  await stragglersHaveCome();
  await erase();
  expect(
    Object.entries(await countsOf(appId))
      .filter(([, count]) => count > 0)
      .map(([table]) => table),
  ).toEqual(['audit_entries']);
});

test('rejects a restore that is still waiting when the app’s erasure begins', async () => {
  await app.key();
  await deleted("+ interval '1 second'");
  const { superuser } = sandbox.database;
  await superuser.query('begin');
  await superuser.query('select from audit_heads for update');
  const restoring = sandbox.manage('POST', `/apps/${app.id}/restore`);
  await Promise.race([restoring, untilLocksWaited(superuser, 1)]);
  await until(async () => {
    const { rowCount } = await superuser.query('select from apps where app_id = $1 and erase_at <= clock_timestamp()', [
      appId,
    ]);
    return rowCount === 1;
  });
  const erasing = erase();
  await until(async () => (await countsOf(appId)).keys === 0);
  await superuser.query('commit');
  const { status, body } = await restoring;
  await erasing;
  expect([status, body.code, (await countsOf(appId)).keys]).toEqual([409, 'conflict', 0]);
  expect(failures).toEqual([]);
});

test('hides an app from the date of its erasure: reads and restores return 404, and its keys become invalid', async () => {
  const { token } = await app.key();
  await comeDue();
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/restore'],
    ['POST', '/resume'],
    ['GET', '/keys'],
  ] as const) {
    expect((await sandbox.manage(method, `/apps/${app.id}${path}`)).status).toBe(404);
  }
  expect((await sandbox.manage('GET', '/apps?limit=100')).text).not.toContain(app.id);
  expect((await sandbox.call('/v1/me', token)).body.code).toBe('app_suspended');
  await erase();
  expect((await sandbox.call('/v1/me', token)).body.code).toBe('invalid_key');
});

test('rejects in the database the erasure of an app that is not due, for every role', async () => {
  const { superuser } = sandbox.database;
  await deleted("+ interval '1 hour'");
  for (const role of PLANE_ROLES) {
    for (const statement of ["select erase_rows($1, 'tickets', 10)", 'select end_erasing($1)']) {
      const outcome = await runAsRole(superuser, { role, appId }, statement, [appId]);
      expect([role, outcome.refused]).toEqual([role, role === 'slipway_worker' ? 'P0001' : SQLSTATES.privilege]);
    }
  }
  await comeDue();
  for (const table of ['audit_entries', 'apps', 'revocation_receipts', 'workers']) {
    const outcome = await runAsRole(superuser, { role: 'slipway_worker' }, 'select erase_rows($1, $2, 10)', [
      appId,
      table,
    ]);
    expect([table, outcome.refused]).toEqual([table, table === 'workers' ? '42703' : 'P0001']);
  }
});

// Up to version 17, Postgres compiles a plan that a disabled scan makes look expensive, even for a small table.
test('runs the statements of a worker without JIT compilation, also if the database enables it', async () => {
  const { url, superuser } = sandbox.database;
  await superuser.query(`alter database ${new URL(url).pathname.slice(1)} set jit = on`);
  const worker = openDatabase({ url, role: 'slipway_worker', max: 1, queryTimeoutMs: 5_000, connectTimeoutMs: 5_000 });
  expect(await worker.query(sql`select current_setting('jit') as jit`)).toEqual([{ jit: 'off' }]);
  await worker.close();
});

// No role sees or writes another app's rows in any table. The test loops over the catalogue, so that a new table is
// covered immediately.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLANE_ROLES } from '../src/boot/provision.ts';
import { newUuid } from '../src/kit/crypto/ids.ts';
import { type Sandbox, startSandbox } from './app.ts';
import { type DatabaseRole, runAsRole, SQLSTATES } from './run-as-role.ts';
import { fillTenant } from './tenant.fixture.ts';

interface Tenant {
  appId: string;
  organisationId: string;
}

let sandbox: Sandbox;
let a: Tenant;
let b: Tenant;
let tables: string[];

// The tables of which a role sees all apps' rows, with the reason. Every other role sees one app's rows.
const SEES_ALL: Partial<Record<DatabaseRole, readonly string[]>> = {
  // Decides about access before the app of a key is known.
  slipway_authority: ['apps', 'keys', 'rate_buckets', 'revisions'],
  // Delivers and cleans up for all apps.
  slipway_worker: [
    'apps',
    'attempts',
    'capture_contents',
    'capture_gaps',
    'capture_keys',
    'captures',
    'deliveries',
    'deprecated_uses',
    'deprecation_answers',
    'deprecation_stages',
    'drills',
    'endpoint_health',
    'endpoints',
    'events',
    'forwarded_mutations',
    'grant_uses',
    'idempotency_keys',
    'ingested_events',
    'installation_restrictions',
    'installation_scopes',
    'installations',
    'key_scope_uses',
    'key_uses',
    'keys',
    'notices',
    'objects',
    'queue',
    'rate_buckets',
    'record_gaps',
    'redeliveries',
    'relays',
    'revocation_receipts',
    'stop_epochs',
    'stops',
    'workflow_runs',
    'worlds',
  ],
  // Adds to the counts of all apps together.
  slipway_recorder: [
    'capture_contents',
    'capture_gaps',
    'capture_keys',
    'captures',
    'deprecated_uses',
    'grant_uses',
    'key_scope_uses',
    'key_uses',
    'record_gaps',
  ],
  // Checks if workers have confirmed a barrier; the table contains no tenant's data, only the access to stop.
  slipway_manager: ['stops'],
};
const WITHOUT_POLICY = ['stops'];
// Counts the calls of each key of any app.
const WRITES_ALL: Partial<Record<DatabaseRole, readonly string[]>> = { slipway_authority: ['rate_buckets'] };

beforeAll(async () => {
  sandbox = await startSandbox({ webhookAllowHosts: ['127.0.0.1:1'] });
  const { superuser } = sandbox.database;
  a = await fillTenant(sandbox, sandbox.organisationId);
  b = await fillTenant(sandbox, newUuid());
  const found = await superuser.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute f on f.attrelid = c.oid and f.attname = 'app_id'
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  tables = found.rows.map((row) => row.name);
});
afterAll(() => sandbox.close());

/** Returns which apps' rows a role sees in a table; undefined without the privilege to read it. */
async function seen(role: DatabaseRole, table: string, as: Partial<Tenant>): Promise<string | undefined> {
  const result = await runAsRole(sandbox.database.superuser, { role, ...as }, `select distinct app_id from ${table}`);
  if (result.refused === SQLSTATES.privilege) return undefined;
  const ids = new Set(result.rows?.map((row) => row.app_id));
  return `${ids.has(a.appId) ? 'A' : ''}${ids.has(b.appId) ? 'B' : ''}`;
}

/** Returns the columns that an insert may name. */
async function columnsOf(table: string): Promise<string> {
  const { rows } = await sandbox.database.superuser.query<{ names: string }>(
    `select string_agg(format('%I', attname), ', ') as names from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows[0]?.names ?? '';
}

describe('every table with rows of apps', () => {
  test('the list of tables is complete, and each has rows of both apps, so that an empty result is meaningful', async () => {
    expect(tables).toEqual([
      'apps',
      'attempts',
      'audit_entries',
      'capture_contents',
      'capture_gaps',
      'capture_keys',
      'captures',
      'deliveries',
      'deprecated_uses',
      'deprecation_answers',
      'deprecation_stages',
      'drills',
      'endpoint_health',
      'endpoints',
      'events',
      'faults',
      'forwarded_mutations',
      'grant_uses',
      'idempotency_keys',
      'ingested_events',
      'installation_changes',
      'installation_restrictions',
      'installation_scopes',
      'installations',
      'key_scope_uses',
      'key_uses',
      'keys',
      'notices',
      'object_numbers',
      'objects',
      'publications',
      'queue',
      'rate_buckets',
      'record_gaps',
      'redeliveries',
      'relays',
      'request_records',
      'revisions',
      'revocation_receipts',
      'roadmap_items',
      'servers',
      'stop_epochs',
      'stops',
      'subject_sequences',
      'ticket_numbers',
      'tickets',
      'upstream_installations',
      'workflow_runs',
      'workflows',
      'worlds',
    ]);
    for (const table of tables) {
      const { rows } = await sandbox.database.superuser.query(
        `select distinct app_id from ${table} where app_id in ($1, $2)`,
        [a.appId, b.appId],
      );
      expect([table, rows.length]).toEqual([table, 2]);
    }
  });

  test('each table forces row-level security on its owner too', async () => {
    const { rows } = await sandbox.database.superuser.query<{ name: string }>(
      'select relname as name from pg_class where relname = any($1) and not (relrowsecurity and relforcerowsecurity)',
      [tables],
    );
    expect(rows.map((row) => row.name)).toEqual(WITHOUT_POLICY);
  });

  test('the primary key of each table begins with the app or the organisation', async () => {
    const { rows } = await sandbox.database.superuser.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
       join pg_attribute f on f.attrelid = c.oid and f.attnum = i.indkey[0]
       where c.relname = any($1) and f.attname not in ('app_id', 'organisation_id')`,
      [tables],
    );
    expect(rows.map((row) => row.name)).toEqual(WITHOUT_POLICY);
  });

  test('no role has privileges on partitions, which the table’s policies do not protect', async () => {
    const { rows } = await sandbox.database.superuser.query(
      `select c.relname, r.rolname from pg_class c cross join pg_roles r
       where c.relispartition and c.relkind = 'r' and r.rolname = any($1)
         and (has_any_column_privilege(r.rolname, c.oid, 'select, insert, update') or has_table_privilege(r.rolname, c.oid, 'delete, truncate'))`,
      [PLANE_ROLES],
    );
    expect(rows).toEqual([]);
  });
});

describe.each(PLANE_ROLES)('the rows that %s can access', (role) => {
  const expected = (table: string, own: string, visible: string | undefined): string | undefined =>
    visible === undefined ? undefined : SEES_ALL[role]?.includes(table) ? 'AB' : own;

  test('the role sees no row if no app is named', async () => {
    for (const table of tables) {
      const visible = await seen(role, table, {});
      expect([table, visible]).toEqual([table, expected(table, '', visible)]);
    }
  });

  test('the role sees only rows of the named app', async () => {
    for (const [tenant, own] of [
      [a, 'A'],
      [b, 'B'],
    ] as const) {
      for (const table of tables) {
        const visible = await seen(role, table, tenant);
        expect([table, visible]).toEqual([table, expected(table, own, visible)]);
      }
    }
  });

  test('the role writes and changes no row of another app', async () => {
    if (role === 'slipway_worker' || role === 'slipway_recorder')
      return expect(['slipway_worker', 'slipway_recorder']).toContain(role);
    const { superuser } = sandbox.database;
    const exempt = [...WITHOUT_POLICY, ...(WRITES_ALL[role] ?? [])];
    for (const table of tables.filter((name) => !exempt.includes(name))) {
      const { rows } = await superuser.query(`select to_jsonb(t) as row from ${table} t where app_id = $1 limit 1`, [
        b.appId,
      ]);
      const insert = `insert into ${table} (${await columnsOf(table)})
        select ${await columnsOf(table)} from jsonb_populate_record(null::${table}, $1)`;
      expect([table, await runAsRole(superuser, { role, ...a }, insert, [rows[0]?.row])]).toEqual([
        table,
        { refused: SQLSTATES.privilege },
      ]);
      for (const change of [`update ${table} set app_id = app_id`, `delete from ${table}`]) {
        const result = await runAsRole(superuser, { role, ...a }, `${change} where app_id = $1 returning app_id`, [
          b.appId,
        ]);
        expect([table, result.rows ?? []]).toEqual([table, []]);
      }
    }
  });
});

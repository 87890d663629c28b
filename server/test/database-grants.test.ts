// The privileges of each database role, compared with the list in database-grants.txt. A change of privileges must
// change the list, where a reviewer sees it.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLANE_ROLES } from '../src/boot/provision.ts';
import { cloneDatabase, type TestDatabase } from './harness.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase('plane');
});
afterAll(() => database.drop());

/**
 * One line per grant, as `role table: select, insert (a, b)`. Columns are named if the grant does not cover the whole
 * table, and system columns if they are granted.
 */
const GRANTS = `
  with role as (select oid, rolname from pg_roles where rolname = any($1)),
  tables as (select oid, relname from pg_class
    where relkind in ('r', 'p', 'v', 'm') and not relispartition and relnamespace = 'public'::regnamespace),
  columns as (
    select rolname, relname, privilege, string_agg(attname, ', ' order by attname) as columns
    from role cross join tables t cross join unnest(array['select', 'insert', 'update']) privilege
    join pg_attribute a on a.attrelid = t.oid and (a.attnum > 0 or a.attacl is not null) and not a.attisdropped
    where has_column_privilege(role.oid, t.oid, a.attnum, privilege)
      and not has_table_privilege(role.oid, t.oid, privilege)
    group by 1, 2, 3),
  granted as (
    select rolname, relname, privilege, privilege || ' (' || columns || ')' as words from columns
    union all
    select rolname, relname, privilege, privilege from role cross join tables t
      cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) privilege
    where has_table_privilege(role.oid, t.oid, privilege))
  select rolname || ' ' || relname || ': ' || string_agg(words, ', ' order by privilege) as line
  from granted group by rolname, relname order by rolname, relname`;

/** One line per policy, as `policy table name for roles: condition`. */
const POLICIES = `
  select 'policy ' || tablename || ' ' || policyname || ' for ' || lower(cmd) || ' to ' || array_to_string(roles, ', ') || ': '
    || coalesce(qual, '-') || coalesce(' / ' || with_check, '') as line
  from pg_policies where schemaname = 'public' order by tablename, policyname`;

const FUNCTIONS = `
  select rolname || ' may run ' || p.proname as line
  from pg_proc p cross join pg_roles r
  where r.rolname = any($1) and p.pronamespace = 'public'::regnamespace and p.prosecdef
    and has_function_privilege(r.oid, p.oid, 'execute') order by 1`;

async function linesOf(statement: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await database.superuser.query<{ line: string }>(statement, values);
  return rows.map((row) => row.line.replaceAll(/\s+/g, ' ').replaceAll(/\bslipway_sandbox\b/g, 'the owner'));
}

test('privileges of roles and policies equal the list', async () => {
  const lines = [
    ...(await linesOf(GRANTS, [PLANE_ROLES])),
    ...(await linesOf(FUNCTIONS, [PLANE_ROLES])),
    ...(await linesOf(POLICIES)),
  ];
  const list = readFileSync(new URL('database-grants.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines).toEqual(list);
});

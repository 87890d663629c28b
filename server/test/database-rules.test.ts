// Rules that the database enforces itself, even if the code above it is wrong.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLANE_ROLES } from '../src/boot/provision.ts';
import { fromId } from '../src/kit/crypto/ids.ts';
import { type Sandbox, startSandbox } from './app.ts';
import { type RoleContext, type RoleResult, runAsRole, SQLSTATES } from './run-as-role.ts';

let sandbox: Sandbox;
let appId: string;
let keyId: string;
let token: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  const app = await sandbox.newApp();
  const key = await app.key();
  appId = fromId('app', app.id) ?? '';
  keyId = fromId('key', key.id) ?? '';
  token = key.token;
});
afterAll(() => sandbox.close());

const manager = (): RoleContext => ({ role: 'slipway_manager', appId, organisationId: sandbox.organisationId });
const ask = (stage: RoleContext, text: string, values: unknown[] = []): Promise<RoleResult> =>
  runAsRole(sandbox.database.superuser, stage, text, values);
/** Returns the response to a superuser, for whom no privilege and no policy applies. */
const askAnyway = (text: string, values: unknown[] = []): Promise<string> =>
  sandbox.database.superuser.query(text, values).then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

describe('the lifetime of a key', () => {
  const insert = (life: string, createdAt = 'now()'): Promise<RoleResult> =>
    ask(
      manager(),
      `insert into keys (app_id, key_id, kid, verifier, pepper_version, name, scopes, created_by, created_at, expires_at)
       values ($1, gen_random_uuid(), 'abcdefghijkl', sha256('x'), 1, 'A key', '{servers:read}', 'a test',
         ${createdAt}, now() + interval '${life}') returning expires_at`,
      [appId],
    );

  test.each(['30 days', '1 second'])('a lifetime of %s is allowed', async (life) => {
    expect((await insert(life)).rows).toHaveLength(1);
  });

  test.each(['30 days 1 second', '31 days', '10 years', '-1 second'])('a lifetime of %s is refused', async (life) => {
    expect(await insert(life)).toEqual({ refused: SQLSTATES.check });
  });

  test('a forged creation date cannot lengthen the lifetime, because the database sets it', async () => {
    expect(await insert('40 days', "now() + interval '20 days'")).toEqual({ refused: SQLSTATES.check });
    expect((await insert('30 days', "now() - interval '20 days'")).rows).toHaveLength(1);
  });

  test.each([
    "expires_at = expires_at - interval '1 day'",
    "expires_at = expires_at + interval '1 second'",
    'expires_at = null',
  ])('no role can change the expiry: %s', async (change) => {
    expect(await ask(manager(), `update keys set ${change}`)).toEqual({ refused: SQLSTATES.privilege });
    expect(await askAnyway(`update keys set ${change} where key_id = $1`, [keyId])).toBe(SQLSTATES.check);
  });

  test.each([
    "scopes = '{workflows:run}'",
    "kid = 'zzzzzzzzzzzz'",
    "created_at = now() + interval '1 day'",
    'app_id = gen_random_uuid()',
    'key_id = gen_random_uuid()',
  ])('no role can change a fixed column: %s', async (change) => {
    expect(await askAnyway(`update keys set ${change} where key_id = $1`, [keyId])).toBe(SQLSTATES.check);
  });

  test.each(PLANE_ROLES)('%s can neither delete a key nor replace its verifier', async (role) => {
    const stage = { ...manager(), role };
    expect(await ask(stage, 'delete from keys')).toEqual({ refused: SQLSTATES.privilege });
    // The manager may move a key to another pepper, but no role may replace the verifier alone.
    const refused = role === 'slipway_manager' ? SQLSTATES.check : SQLSTATES.privilege;
    expect(await ask(stage, "update keys set verifier = sha256('x')")).toEqual({ refused });
  });
});

describe('revocations are final', () => {
  async function revoked(table: string, more = ''): Promise<string> {
    const { superuser } = sandbox.database;
    await superuser.query('begin');
    await superuser.query(`update ${table} set state = 'revoked'${more} where app_id = $1`, [appId]);
    const outcomes: string[] = [];
    for (const role of ['slipway_manager', 'slipway_sandbox', undefined]) {
      for (const state of table === 'keys' ? ['active'] : ['authorised', 'paused']) {
        await superuser.query('savepoint attempt');
        if (role === 'slipway_manager') await superuser.query(`set local role ${role}`);
        await superuser.query("select set_config('slipway.app_id', $1, true)", [appId]);
        outcomes.push(await askAnyway(`update ${table} set state = '${state}'${more && ', revoked_at = null'}`));
        await superuser.query('rollback to savepoint attempt');
      }
    }
    await superuser.query('rollback');
    return [...new Set(outcomes)].join();
  }

  test.each([
    ['keys', ', revoked_at = now()'],
    ['installations', ''],
    ['installation_scopes', ''],
  ])('no role can undo a revocation in %s, not even a superuser', async (table, more) => {
    expect(await revoked(table, more)).toBe(SQLSTATES.check);
  });

  test('a server has at most one installation that is not revoked, and a scope one grant', async () => {
    const again = `insert into installations (app_id, installation_id, server_id)
      select app_id, gen_random_uuid(), server_id from installations where app_id = $1 limit 1`;
    expect(await ask(manager(), again, [appId])).toEqual({ refused: '23505' });
    const scope = `insert into installation_scopes (app_id, grant_id, installation_id, scope)
      select app_id, gen_random_uuid(), installation_id, scope from installation_scopes where app_id = $1 limit 1`;
    expect(await ask(manager(), scope, [appId])).toEqual({ refused: '23505' });
  });

  test.each(PLANE_ROLES)('%s can delete neither an installation nor a scope of one', async (role) => {
    for (const table of ['installations', 'installation_scopes']) {
      expect(await ask({ ...manager(), role }, `delete from ${table}`)).toEqual({ refused: SQLSTATES.privilege });
    }
  });
});

describe('storage of secrets', () => {
  test.each(PLANE_ROLES)('only the role that verifies keys reads the verifier (%s)', async (role) => {
    const result = await ask({ ...manager(), role }, 'select verifier from keys');
    if (role === 'slipway_authority') expect(result.rows?.length).toBeGreaterThan(0);
    else expect(result).toEqual({ refused: SQLSTATES.privilege });
  });

  test('no table contains the secret of a key', async () => {
    const { superuser } = sandbox.database;
    const { rows: tables } = await superuser.query<{ name: string }>(
      "select c.oid::regclass::text as name from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    for (const secretPart of [token, token.slice(22), token.slice(22, 54)]) {
      for (const { name } of tables) {
        const { rowCount } = await superuser.query(`select from ${name} t where strpos(t::text, $1) > 0`, [secretPart]);
        expect([name, rowCount]).toEqual([name, 0]);
      }
    }
  });

  test('only the roles that sign and create signing secrets can read them', async () => {
    for (const role of PLANE_ROLES) {
      const result = await ask({ ...manager(), role }, 'select sealed_secret from endpoints');
      const isReader = role === 'slipway_worker' || role === 'slipway_manager';
      expect([role, result.refused]).toEqual([role, isReader ? undefined : SQLSTATES.privilege]);
    }
  });
});

describe('database roles', () => {
  test('no role is a superuser, bypasses row-level security, creates objects or can log in', async () => {
    const { rows } = await sandbox.database.superuser.query(
      `select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, rolcanlogin
       from pg_roles where rolname = any($1)`,
      [PLANE_ROLES],
    );
    expect(rows).toHaveLength(PLANE_ROLES.length);
    for (const { rolname: _name, ...powers } of rows)
      expect(Object.values(powers)).toEqual([false, false, false, false, false, false]);
  });

  test('no role owns an object, and the login role is no superuser and bypasses nothing', async () => {
    const { rows } = await sandbox.database.superuser.query(
      `select c.relname from pg_class c join pg_roles r on r.oid = c.relowner where r.rolname = any($1)
       union all select p.proname from pg_proc p join pg_roles r on r.oid = p.proowner where r.rolname = any($1)`,
      [PLANE_ROLES],
    );
    expect(rows).toEqual([]);
    const login = await sandbox.database.superuser.query(
      "select rolsuper or rolbypassrls or rolcreaterole as is_privileged from pg_roles where rolname = 'slipway_sandbox'",
    );
    expect(login.rows).toEqual([{ is_privileged: false }]);
  });

  test.each(PLANE_ROLES)('%s can create nothing in the schema and disable no trigger', async (role) => {
    const stage = { ...manager(), role };
    expect(await ask(stage, 'create table own (id int)')).toEqual({ refused: SQLSTATES.privilege });
    expect(await ask(stage, 'alter table keys disable trigger guard_key')).toEqual({ refused: SQLSTATES.privilege });
    expect(await ask(stage, 'set local session_replication_role = replica')).toEqual({ refused: SQLSTATES.privilege });
    expect(await ask(stage, 'truncate keys, apps cascade')).toEqual({ refused: SQLSTATES.privilege });
  });

  test('only the worker can maintain partitions, and nothing beyond that', async () => {
    for (const role of PLANE_ROLES) {
      const result = await ask({ role }, "select tend_partitions('events', '1 day', '4 days', '1 year')");
      expect([role, result.refused]).toEqual([role, role === 'slipway_worker' ? undefined : SQLSTATES.privilege]);
    }
    expect(
      (await ask({ role: 'slipway_worker' }, "select tend_partitions('keys', '1 hour', '1 hour', '0')")).refused,
    ).toBe('P0001');
  });

  test('no role changes or deletes audit entries', async () => {
    for (const role of PLANE_ROLES) {
      const stage = { ...manager(), role };
      expect(await ask(stage, "update audit_entries set actor = 'nobody'")).toEqual({ refused: SQLSTATES.privilege });
      expect(await ask(stage, 'delete from audit_entries')).toEqual({ refused: SQLSTATES.privilege });
    }
  });
});

// Creates the roles and databases that an operator creates once (docs/operate/install.md has the same as SQL), for the
// embedded Postgres and for tests. All of them may already exist.
import pg from 'pg';
import type { Environment } from '../access/authority/index.ts';
import type { Secret } from '../kit/crypto/secret.ts';
import { withConnection } from '../kit/db/db.ts';

/** Roles that own nothing and cannot log in. A login is a member of each, and each pool uses one of them. */
export const PLANE_ROLES = [
  'slipway_api',
  'slipway_authority',
  'slipway_manager',
  'slipway_worker',
  'slipway_recorder',
] as const;

interface Login {
  /** Also the name of the database that it owns. */
  name: string;
  password: Secret;
  roles: readonly string[];
}

export async function provision(superuserUrl: string, logins: readonly Login[]): Promise<void> {
  await withConnection({ connectionString: superuserUrl }, async (client) => {
    for (const role of new Set(logins.flatMap((login) => login.roles))) await createRole(client, role, 'nologin');
    for (const login of logins) await createLogin(client, login);
  });
}

/** Returns the roles that are missing, or of which the login is not a member. */
export async function findMissingRoles(databaseUrl: string): Promise<string[]> {
  const { rows } = await withConnection({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 }, (client) =>
    client.query<{ role: string }>(
      `select wanted as role from unnest($1::text[]) as wanted left join pg_roles r on r.rolname = wanted
       where r.oid is null or not pg_has_role(session_user, r.oid, 'member')`,
      [PLANE_ROLES],
    ),
  );
  return rows.map(({ role }) => role);
}

/**
 * Claims a migrated database for an environment unless it is already claimed. Returns its environment; undefined if it
 * is unclaimed. Without an environment it only reads.
 */
export async function claimDatabase(databaseUrl: string, environment: Environment | undefined) {
  return withConnection({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 }, async (client) => {
    if (environment !== undefined)
      await client.query('update plane_state set environment = $1 where environment is null', [environment]);
    const { rows } = await client.query<{ environment: Environment | null }>('select environment from plane_state');
    return rows[0]?.environment ?? undefined;
  });
}

interface RolePrivileges {
  role: string;
  is_superuser: boolean;
  bypasses: boolean;
  is_owner: boolean;
}

/**
 * Returns why these roles do not isolate tenants; undefined if they do. Row-level security does not restrict a
 * superuser or a role with BYPASSRLS, and hardly restricts a table's owner. Memberships of a role count too. The login
 * owns the tables, but no query runs as the login.
 */
export async function findPrivilegedRole(
  databaseUrl: string,
  roles: readonly string[] = PLANE_ROLES,
): Promise<string | undefined> {
  const { rows } = await withConnection({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 }, (client) =>
    client.query<RolePrivileges>(
      `select r.rolname as role, bool_or(played.rolsuper) as is_superuser, bool_or(played.rolbypassrls) as bypasses,
         r.rolname <> session_user and exists (
           select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
             and pg_has_role(r.oid, relowner, 'member')) as is_owner
       from pg_roles r join pg_roles played on pg_has_role(r.oid, played.oid, 'member')
       where r.rolname = any($1) or r.rolname = session_user
       group by r.rolname, r.oid order by r.rolname`,
      [roles],
    ),
  );
  for (const { role, is_superuser, bypasses, is_owner } of rows) {
    const might = is_superuser
      ? 'is a superuser'
      : bypasses
        ? 'bypasses row-level security'
        : is_owner && 'owns tables';
    if (might)
      return `The database role ${role} ${might}, or may play a role with this right: it would see the rows of all tenants.`;
  }
  return undefined;
}

async function exists(client: pg.Client, catalog: 'pg_roles' | 'pg_database', name: string): Promise<boolean> {
  const column = catalog === 'pg_roles' ? 'rolname' : 'datname';
  const { rowCount } = await client.query(`select from ${catalog} where ${column} = $1`, [name]);
  return rowCount === 1;
}

/** Creates the role unless it exists. An existing role keeps the password with which it was created. */
async function createRole(client: pg.Client, role: string, attributes: string): Promise<void> {
  if (await exists(client, 'pg_roles', role)) return;
  await client.query(`create role ${pg.escapeIdentifier(role)} ${attributes}`);
}

async function createLogin(client: pg.Client, login: Login): Promise<void> {
  const name = pg.escapeIdentifier(login.name);
  await createRole(client, login.name, `login password ${pg.escapeLiteral(login.password.reveal())}`);
  for (const role of login.roles) await client.query(`grant ${pg.escapeIdentifier(role)} to ${name}`);
  if (await exists(client, 'pg_database', login.name)) return;
  await client.query(`create database ${name} owner ${name} encoding 'UTF8' template template0`);
  await client.query(`revoke all on database ${name} from public`);
}

// The SQL that removes the access named by a line of the journal. Each statement only removes access and is idempotent.

import type { TenantTransaction } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { Revocation, RevocationKind } from './journal.ts';

type RevocationStatement = (tenant: TenantTransaction, revocation: Revocation, actor: string) => ReturnType<typeof sql>;

const grantStatement =
  (table: ReturnType<typeof sql>, column: ReturnType<typeof sql>, state: 'paused' | 'revoked'): RevocationStatement =>
  ({ appId }, { id }) =>
    sql`update ${table} set state = ${state}, changed_at = clock_timestamp()
    where app_id = ${appId} and ${column} = ${id} and state <> 'revoked' and state <> ${state} returning 1`;

/**
 * Restores the restriction of an organisation, even of a server that the database does not know. Such a server gets a
 * row without a reported state, so that the restriction applies to the next report of the upstream API.
 */
const restrictionStatement =
  (state: 'paused' | 'revoked'): RevocationStatement =>
  ({ appId }, { id, scope }) =>
    sql`
    with unknown as (insert into upstream_installations (app_id, server_id, version) values (${appId}, ${id}, 0)
      on conflict do nothing)
    insert into installation_restrictions as r (app_id, server_id, scope, state)
    values (${appId}, ${id}, ${scope ?? null}, ${state})
    on conflict (app_id, server_id, scope) do update set state = excluded.state
      where r.state <> strictest(r.state, excluded.state) returning 1`;

const REVOCATION_STATEMENTS: Record<RevocationKind, RevocationStatement> = {
  'key.revoked': ({ appId }, { id }, actor) => sql`update keys
    set state = 'revoked', revoked_at = clock_timestamp(), revoked_by = ${actor}
    where app_id = ${appId} and key_id = ${id} and state = 'active' returning 1`,
  'key.ends': ({ appId }, { id, until }) => sql`update keys set ends_at = least(ends_at, ${until ?? null}::timestamptz)
    where app_id = ${appId} and key_id = ${id} and state = 'active'
      and (ends_at is null or ends_at > ${until ?? null}::timestamptz) returning 1`,
  'server.paused': grantStatement(sql`installations`, sql`installation_id`, 'paused'),
  'server.revoked': grantStatement(sql`installations`, sql`installation_id`, 'revoked'),
  'scope.paused': grantStatement(sql`installation_scopes`, sql`grant_id`, 'paused'),
  'scope.revoked': grantStatement(sql`installation_scopes`, sql`grant_id`, 'revoked'),
  'restriction.paused': restrictionStatement('paused'),
  'restriction.revoked': restrictionStatement('revoked'),
  'app.suspended': ({ appId }) => sql`update apps set state = 'suspended'
    where app_id = ${appId} and state = 'active' returning 1`,
  'app.event_scopes': ({ appId }) => sql`update apps set enforces_event_scopes = true
    where app_id = ${appId} and not enforces_event_scopes returning 1`,
};

/** Applies a revocation. Returns true if it took access away. */
export async function applyRevocation(
  tenant: TenantTransaction,
  revocation: Revocation,
  actor: string,
): Promise<boolean> {
  const withheld = await withholdGrant(tenant, revocation);
  const changedRows = await tenant.query(REVOCATION_STATEMENTS[revocation.kind](tenant, revocation, actor));
  return withheld || changedRows.length > 0;
}

/**
 * Restricts the grant in production in the name of the organisation. No later report of the upstream API lifts the
 * restriction. A trigger changes the grant.
 */
async function withholdGrant(tenant: TenantTransaction, { kind, id }: Revocation): Promise<boolean> {
  const [of, state] = kind.split('.');
  if (of !== 'server' && of !== 'scope') return false;
  const grant =
    of === 'server'
      ? sql`select i.app_id, i.server_id, '*', ${state} from installations i join upstream_installations u using (app_id, server_id)
          where i.app_id = ${tenant.appId} and i.installation_id = ${id} and i.state <> 'revoked'`
      : sql`select i.app_id, i.server_id, g.scope, ${state}
          from installation_scopes g join installations i using (app_id, installation_id)
            join upstream_installations u using (app_id, server_id)
          where g.app_id = ${tenant.appId} and g.grant_id = ${id} and g.state <> 'revoked' and i.state <> 'revoked'`;
  const rows =
    await tenant.query(sql`insert into installation_restrictions as r (app_id, server_id, scope, state) ${grant}
    on conflict (app_id, server_id, scope) do update set state = excluded.state
      where r.state <> strictest(r.state, excluded.state) returning 1`);
  return rows.length > 0;
}

/** Returns the organisation of an app. Requires the login role, which sees every app. */
export async function findOrganisationOf(owner: Queryable, appId: string): Promise<string | undefined> {
  const rows = await owner.query<{ organisation_id: string }>(
    sql`select organisation_id from apps where app_id = ${appId}`,
  );
  return rows[0]?.organisation_id;
}

// The SQL that removes all access after a restore without a journal, a bounded number of rows each time.

import type { TenantTransaction } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { type ConsoleAccessCounts, HAS_STATEMENT, type PlaneAccessCounts, UNRESTRICTED } from './reopen-store.ts';

/**
 * Revokes keys of the app, pauses its grants and enforces the rule about the scopes of events. Returns how many of
 * each.
 */
export async function revokeAppAccess(
  tenant: TenantTransaction,
  actor: string,
  limit: number,
): Promise<PlaneAccessCounts> {
  const { appId } = tenant;
  const keys = await tenant.query(sql`
    update keys set state = 'revoked', revoked_at = clock_timestamp(), revoked_by = ${actor}
    where app_id = ${appId} and key_id in (
      select key_id from keys where app_id = ${appId} and state = 'active' order by key_id limit ${limit}) returning key_id`);
  const withheld = await withholdGrants(tenant, limit);
  const servers = await tenant.query(sql`
    update installations set state = 'paused', changed_at = clock_timestamp()
    where app_id = ${appId} and installation_id in (select installation_id from installations i
      where app_id = ${appId} and state = 'authorised' and not ${HAS_STATEMENT} order by installation_id limit ${limit}) returning installation_id`);
  const scopes = await tenant.query(sql`
    update installation_scopes set state = 'paused', changed_at = clock_timestamp()
    where app_id = ${appId} and grant_id in (
      select grant_id from installation_scopes g join installations i using (app_id, installation_id)
      where g.app_id = ${appId} and g.state = 'authorised' and not ${HAS_STATEMENT} order by grant_id limit ${limit}) returning grant_id`);
  const rules = await tenant.query(sql`update apps set enforces_event_scopes = true
    where app_id = ${appId} and not enforces_event_scopes returning app_id`);
  return {
    keys: keys.length,
    servers: withheld.servers + servers.length,
    scopes: withheld.scopes + scopes.length,
    rules: rules.length,
  };
}

/**
 * Restricts every known server and scope of production in the name of the organisation. No later report of the upstream
 * API lifts the restriction. A trigger pauses the grants.
 */
async function withholdGrants(
  tenant: TenantTransaction,
  limit: number,
): Promise<Pick<PlaneAccessCounts, 'servers' | 'scopes'>> {
  const { appId } = tenant;
  const rows = await tenant.query<{ scope: string }>(sql`
    insert into installation_restrictions (app_id, server_id, scope, state)
    select o.app_id, o.server_id, o.scope, 'paused' from (${UNRESTRICTED}) o
    where o.app_id = ${appId} order by o.server_id, o.scope limit ${limit}
    on conflict do nothing returning scope`);
  const servers = rows.filter(({ scope }) => scope === '*').length;
  return { servers, scopes: rows.length - servers };
}

interface AccessTableSpec {
  name: Sql;
  where: Sql;
}
const all = (name: Sql): AccessTableSpec => ({ name, where: sql`` });

const TABLES = {
  sessions: all(sql`"session"`),
  mailedLinks: all(sql`mailed_links`),
  verifications: all(sql`"verification"`),
  deviceSignIns: all(sql`device_sign_ins`),
  providerSignIns: all(sql`provider_sign_ins`),
  providerLinks: all(sql`provider_links`),
  legacyProviderLinks: { name: sql`account`, where: sql`where "providerId" = 'oidc'` },
  operators: all(sql`operators`),
} as const satisfies Record<string, AccessTableSpec>;

export type AccessTable = keyof typeof TABLES;

/** Deletes rows that give access. Returns their number. */
export async function deleteAccess(db: Queryable, table: AccessTable, limit: number): Promise<number> {
  const { name, where } = TABLES[table];
  const rows = await db.query(
    sql`delete from ${name} where ctid = any (array(select ctid from ${name} ${where} limit ${limit})) returning 1`,
  );
  return rows.length;
}

/**
 * Cancels removals of a second factor, because the person may have cancelled the removal since the backup. Returns
 * their number.
 */
export async function cancelRemovals(db: Queryable, limit: number): Promise<number> {
  // The row of an earlier removal that was carried out stays, because it keeps production keys closed.
  const rows = await db.query(sql`
    with pending as (select person_id from second_factor_removals where due_at is not null limit ${limit}),
    ended as (delete from second_factor_removals r using pending p where r.person_id = p.person_id and r.removed_at is null),
    kept as (update second_factor_removals r set due_at = null, cancel_hash = null
      from pending p where r.person_id = p.person_id and r.removed_at is not null)
    select from pending`);
  return rows.length;
}

export type OrganisationAccess = Pick<ConsoleAccessCounts, 'tokens' | 'invitations' | 'members' | 'owners'> & {
  /** Members who are owners because the operator named them. */
  named: number;
};

/**
 * Deletes access tokens of the organisation, revokes its invitations and suspends its members. The members with the
 * addresses in `owners` become its owners.
 */
export async function revokeOrganisationAccess(
  tx: Queryable,
  organisationId: string,
  owners: readonly string[],
  limit: number,
): Promise<OrganisationAccess> {
  const tokens =
    await tx.query(sql`delete from access_tokens where organisation_id = ${organisationId} and token_id in (
    select token_id from access_tokens where organisation_id = ${organisationId} limit ${limit}) returning 1`);
  const invitations = await tx.query(sql`update invitations set revoked_at = clock_timestamp()
    where organisation_id = ${organisationId} and invitation_id in (select invitation_id from invitations
      where organisation_id = ${organisationId} and accepted_at is null and revoked_at is null limit ${limit})
    returning 1`);
  const named = sql`person_id in (select id from "user" where lower(email) = any(${owners}::text[]))`;
  const promoted = await tx.query(sql`update members set role = 'owner', suspended_at = null
    where organisation_id = ${organisationId} and ${named} and (role <> 'owner' or suspended_at is not null) returning 1`);
  const suspended = await tx.query<{ role: string }>(sql`update members set suspended_at = clock_timestamp()
    where organisation_id = ${organisationId} and person_id in (select person_id from members
      where organisation_id = ${organisationId} and suspended_at is null and not (${named}) limit ${limit})
    returning role`);
  const ofOwners = suspended.filter(({ role }) => role === 'owner').length;
  return {
    tokens: tokens.length,
    invitations: invitations.length,
    members: suspended.length - ofOwners,
    owners: ofOwners,
    named: promoted.length,
  };
}

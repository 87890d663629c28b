// The SQL of reopening, for either database: the existing access, and the gate itself. It runs as the login role, which
// sees all tenants.
import { SCOPES } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';

/** An owner of an organisation, by the address of the account in lower case. */
export interface OrganisationOwner {
  organisationId: string;
  email: string;
}

export interface PlaneAccessCounts {
  keys: number;
  servers: number;
  scopes: number;
  /** The number of apps with the earlier rule about the scopes of events. */
  rules: number;
}

/**
 * Selects servers of production as a whole (`*`) and their scopes that the organisation does not restrict. Those that
 * the upstream API withholds are included, because the organisation may have restricted them too since the backup.
 */
export const UNRESTRICTED: Sql = sql`select u.app_id, u.server_id, c.scope
  from upstream_installations u cross join unnest(${['*', ...SCOPES]}::text[]) as c (scope)
  where not exists (select from installation_restrictions r
    where r.app_id = u.app_id and r.server_id = u.server_id and r.scope = c.scope)`;

/** True if installation `i` belongs to production, where a restriction pauses it. */
export const HAS_STATEMENT: Sql = sql`exists (select from upstream_installations u where u.app_id = i.app_id and u.server_id = i.server_id)`;

/**
 * Returns how many keys are active, how many grants of servers and scopes are to be paused, and how many apps have the
 * earlier rule.
 */
export async function countPlaneAccess(db: Queryable): Promise<PlaneAccessCounts> {
  const rows = await db.query<PlaneAccessCounts>(sql`select
    (select count(*) from keys where state = 'active') as keys,
    (select count(*) from installations i where state = 'authorised' and not ${HAS_STATEMENT})
      + (select count(*) from (${UNRESTRICTED}) o where o.scope = '*') as servers,
    (select count(*) from installation_scopes g join installations i using (app_id, installation_id)
      where g.state = 'authorised' and not ${HAS_STATEMENT})
      + (select count(*) from (${UNRESTRICTED}) o where o.scope <> '*') as scopes,
    (select count(*) from apps where not enforces_event_scopes) as rules`);
  return rows[0] as PlaneAccessCounts; // aggregates return one row
}

/** Returns the next apps with access after an app, in the order of their ids. */
export function listAppsWithAccess(
  db: Queryable,
  after: string | undefined,
  limit: number,
): Promise<{ app_id: string; organisation_id: string }[]> {
  const beyond = after === undefined ? sql`` : sql`and a.app_id > ${after}`;
  return db.query(sql`select a.app_id, a.organisation_id from apps a
    where (not a.enforces_event_scopes
      or exists (select from keys k where k.app_id = a.app_id and k.state = 'active')
      or exists (select from installations i where i.app_id = a.app_id and i.state = 'authorised')
      or exists (select from installation_scopes g where g.app_id = a.app_id and g.state = 'authorised')
      or exists (select from (${UNRESTRICTED}) o where o.app_id = a.app_id)) ${beyond}
    order by a.app_id limit ${limit}`);
}

/**
 * Opens the gate. The new epoch invalidates all caches and positions, also if the restore was made by other means. If a
 * Console has announced leases, access begins with the next lease, which the Console extends after every status and
 * approval was confirmed again.
 */
export async function openPlaneGate(db: Queryable): Promise<void> {
  await db.query(
    sql`update plane_state set closed_at = null, closed_because = null, restore_epoch = gen_random_uuid(),
      lease_until = case when lease_until is not null then clock_timestamp() end`,
  );
}

export interface ConsoleAccessCounts {
  sessions: number;
  tokens: number;
  links: number;
  /** Identities at an identity provider that sign a person in. */
  providerLinks: number;
  invitations: number;
  /** Number of members who are not owners. */
  members: number;
  owners: number;
  removals: number;
  operators: number;
}

/**
 * Counts the remaining access: open sessions, tokens, links, provider links and invitations, and members and operators
 * with access. Also counts owners other than `kept`, and pending removals of a second factor.
 */
export async function countConsoleAccess(
  db: Queryable,
  kept: readonly OrganisationOwner[],
): Promise<ConsoleAccessCounts> {
  const rows = await db.query<ConsoleAccessCounts>(sql`select
    (select count(*) from "session") as sessions,
    (select count(*) from access_tokens) as tokens,
    (select count(*) from mailed_links) + (select count(*) from "verification") + (select count(*) from device_sign_ins)
      + (select count(*) from provider_sign_ins) as links,
    (select count(*) from provider_links)
      + (select count(*) from account where "providerId" = 'oidc') as "providerLinks",
    (select count(*) from invitations where accepted_at is null and revoked_at is null) as invitations,
    (select count(*) from members where role <> 'owner' and suspended_at is null) as members,
    (select count(*) from members m join "user" u on u.id = m.person_id
      where m.role = 'owner' and m.suspended_at is null and not exists (${among(kept)})) as owners,
    (select count(*) from second_factor_removals where due_at is not null) as removals,
    (select count(*) from operators) as operators`);
  return rows[0] as ConsoleAccessCounts; // aggregates return one row
}

/** Matches a member `m` whose account `u` belongs to the owners. */
const among = (owners: readonly OrganisationOwner[]) => sql`select from unnest(
    ${owners.map(({ organisationId }) => organisationId)}::uuid[], ${owners.map(({ email }) => email)}::text[]) as n (of, email)
  where n.of = m.organisation_id and n.email = lower(u.email)`;

/** Returns the next organisations, in the order of their ids. */
export async function listOrganisationIds(db: Queryable, after: string | undefined, limit: number): Promise<string[]> {
  const beyond = after === undefined ? sql`` : sql`where organisation_id > ${after}`;
  const rows = await db.query<{ organisation_id: string }>(
    sql`select organisation_id from organisations ${beyond} order by organisation_id limit ${limit}`,
  );
  return rows.map((row) => row.organisation_id);
}

/** Returns the owners of the organisation, the first who joined first. */
export function listOwners(db: Queryable, organisationId: string): Promise<{ organisation: string; email: string }[]> {
  return db.query(sql`select o.name as organisation, lower(u.email) as email
    from members m join organisations o using (organisation_id) join "user" u on u.id = m.person_id
    where m.organisation_id = ${organisationId} and m.role = 'owner' order by m.joined_at, m.person_id`);
}

/** Returns how many organisations have none of these owners. */
export async function countWithoutOwner(db: Queryable, owners: readonly OrganisationOwner[]): Promise<number> {
  const rows = await db.query<{ organisations: number }>(sql`select count(*) as organisations from organisations
    where not organisation_id = any(${owners.map(({ organisationId }) => organisationId)}::uuid[])`);
  return rows[0]?.organisations ?? 0;
}

/** Returns those of the given owners who are members, with any role. */
export function listMembersAmong(db: Queryable, owners: readonly OrganisationOwner[]): Promise<OrganisationOwner[]> {
  return db.query(sql`select m.organisation_id as "organisationId", lower(u.email) as email
    from members m join "user" u on u.id = m.person_id where exists (${among(owners)})`);
}

const RESEND_LIMIT = 500;

/**
 * Makes the Console report every organisation to every environment. An environment that knows a later status responds
 * with it.
 */
export async function resendEveryStatus(db: Queryable): Promise<void> {
  let changed: unknown[];
  do {
    changed = await db.query(sql`delete from standing_receipts where ctid = any (array(
      select ctid from standing_receipts limit ${RESEND_LIMIT})) returning 1`);
  } while (changed.length > 0);
  do {
    changed = await db.query(sql`update organisations set standing_version = 1 where organisation_id in (
      select organisation_id from organisations where standing_version = 0 limit ${RESEND_LIMIT}) returning 1`);
  } while (changed.length > 0);
}

/**
 * Opens the gate and draws a new epoch of the Console. Environments then ignore the entries that they remember from the
 * old epoch.
 */
export async function openConsoleGate(db: Queryable): Promise<void> {
  await db.query(sql`insert into facts (name, value) values ('console_epoch', to_jsonb(gen_random_uuid()))
    on conflict (name) do update set value = excluded.value`);
  await db.query(sql`delete from facts where name = 'restore_gate'`);
}

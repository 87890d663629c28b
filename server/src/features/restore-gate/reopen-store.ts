// The SQL of reopening, on either database: what access there is, and the gate itself. As the login, which sees all tenants.
import type { Queryable } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';

export interface PlaneAccess {
  keys: number;
  servers: number;
  scopes: number;
}

/** Returns how many keys are active, and how many grants of servers and scopes are authorised. */
export async function countPlaneAccess(db: Queryable): Promise<PlaneAccess> {
  const rows = await db.query<PlaneAccess>(sql`select
    (select count(*) from keys where state = 'active') as keys,
    (select count(*) from installations where state = 'authorised') as servers,
    (select count(*) from installation_scopes where state = 'authorised') as scopes`);
  return rows[0] as PlaneAccess; // aggregates have a row
}

/** Returns apps that have access, the next after an app in the order of their ids. */
export function listAppsWithAccess(
  db: Queryable,
  after: string | undefined,
  limit: number,
): Promise<{ app_id: string; organisation_id: string }[]> {
  const beyond = after === undefined ? sql`` : sql`and a.app_id > ${after}`;
  return db.query(sql`select a.app_id, a.organisation_id from apps a
    where (exists (select from keys k where k.app_id = a.app_id and k.state = 'active')
      or exists (select from installations i where i.app_id = a.app_id and i.state = 'authorised')
      or exists (select from installation_scopes g where g.app_id = a.app_id and g.state = 'authorised')) ${beyond}
    order by a.app_id limit ${limit}`);
}

/**
 * Opens the gate. Caches and positions from before die with the epoch, also where the restore was made by other means. Where a Console has
 * announced leases, access begins with its next one: the Console has reported every status again then.
 */
export async function openPlaneGate(db: Queryable): Promise<void> {
  await db.query(
    sql`update plane_state set closed_at = null, closed_because = null, restore_epoch = gen_random_uuid(),
      lease_until = case when lease_until is not null then clock_timestamp() end`,
  );
}

export interface ConsoleAccess {
  sessions: number;
  tokens: number;
  links: number;
  invitations: number;
  members: number;
  operators: number;
}

/** Returns how many sessions, tokens, links and invitations are open, and how many members and operators have access. */
export async function countConsoleAccess(db: Queryable): Promise<ConsoleAccess> {
  const rows = await db.query<ConsoleAccess>(sql`select
    (select count(*) from "session") as sessions,
    (select count(*) from access_tokens) as tokens,
    (select count(*) from mailed_links) + (select count(*) from "verification") + (select count(*) from device_sign_ins)
      + (select count(*) from provider_sign_ins) as links,
    (select count(*) from invitations where accepted_at is null and revoked_at is null) as invitations,
    (select count(*) from members where role <> 'owner' and suspended_at is null) as members,
    (select count(*) from operators) as operators`);
  return rows[0] as ConsoleAccess; // aggregates have a row
}

/** Returns organisations that have members to suspend, tokens or open invitations, the next in the order of their ids. */
export async function listOrganisationsWithAccess(
  db: Queryable,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const beyond = after === undefined ? sql`` : sql`and o.organisation_id > ${after}`;
  const rows = await db.query<{ organisation_id: string }>(sql`select o.organisation_id from organisations o
    where (exists (select from access_tokens t where t.organisation_id = o.organisation_id)
      or exists (select from invitations i
        where i.organisation_id = o.organisation_id and i.accepted_at is null and i.revoked_at is null)
      or exists (select from members m
        where m.organisation_id = o.organisation_id and m.role <> 'owner' and m.suspended_at is null)) ${beyond}
    order by o.organisation_id limit ${limit}`);
  return rows.map((row) => row.organisation_id);
}

const RAISED = 500;

/** Makes the Console report every organisation to every environment, which answers with a later status if it knows one. */
export async function raiseEveryStatus(db: Queryable): Promise<void> {
  let changed: unknown[];
  do {
    changed = await db.query(sql`delete from standing_receipts where ctid = any (array(
      select ctid from standing_receipts limit ${RAISED})) returning 1`);
  } while (changed.length > 0);
  do {
    changed = await db.query(sql`update organisations set standing_version = 1 where organisation_id in (
      select organisation_id from organisations where standing_version = 0 limit ${RAISED}) returning 1`);
  } while (changed.length > 0);
}

/** Draws a new epoch of the Console: what environments remember of it from before says nothing. */
export async function openConsoleGate(db: Queryable): Promise<void> {
  await db.query(sql`insert into facts (name, value) values ('console_epoch', to_jsonb(gen_random_uuid()))
    on conflict (name) do update set value = excluded.value`);
  await db.query(sql`delete from facts where name = 'restore_gate'`);
}

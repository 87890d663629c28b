// The SQL that takes away what a line of the journal says; each only removes, and a second time changes nothing.
import type { Queryable } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';
import type { TenantTransaction } from '../authority/index.ts';
import type { Kind, Revocation } from './journal.ts';

type Apply = (tenant: TenantTransaction, revocation: Revocation, actor: string) => ReturnType<typeof sql>;

const grant =
  (table: ReturnType<typeof sql>, column: ReturnType<typeof sql>, state: 'paused' | 'revoked'): Apply =>
  ({ appId }, { id }) =>
    sql`update ${table} set state = ${state}, changed_at = clock_timestamp()
    where app_id = ${appId} and ${column} = ${id} and state <> 'revoked' and state <> ${state} returning 1`;

const APPLY: Record<Kind, Apply> = {
  'key.revoked': ({ appId }, { id }, actor) => sql`update keys
    set state = 'revoked', revoked_at = clock_timestamp(), revoked_by = ${actor}
    where app_id = ${appId} and key_id = ${id} and state = 'active' returning 1`,
  'key.ends': ({ appId }, { id, until }) => sql`update keys set ends_at = least(ends_at, ${until ?? null}::timestamptz)
    where app_id = ${appId} and key_id = ${id} and state = 'active'
      and (ends_at is null or ends_at > ${until ?? null}::timestamptz) returning 1`,
  'server.paused': grant(sql`installations`, sql`installation_id`, 'paused'),
  'server.revoked': grant(sql`installations`, sql`installation_id`, 'revoked'),
  'scope.paused': grant(sql`installation_scopes`, sql`grant_id`, 'paused'),
  'scope.revoked': grant(sql`installation_scopes`, sql`grant_id`, 'revoked'),
  'app.suspended': ({ appId }) => sql`update apps set state = 'suspended'
    where app_id = ${appId} and state = 'active' returning 1`,
};

/** Whether it took something away. */
export async function applyRevocation(
  tenant: TenantTransaction,
  revocation: Revocation,
  actor: string,
): Promise<boolean> {
  return (await tenant.query(APPLY[revocation.kind](tenant, revocation, actor))).length > 0;
}

/** As the login, which sees every app. */
export async function findOrganisationOf(owner: Queryable, appId: string): Promise<string | undefined> {
  const rows = await owner.query<{ organisation_id: string }>(
    sql`select organisation_id from apps where app_id = ${appId}`,
  );
  return rows[0]?.organisation_id;
}

// The SQL that locks an access until a transaction ends, so that a change that would end the access waits for it.
import { defineItemRead } from '../../kit/db/item-statement-store.ts';
import { WouldBlockError } from '../../kit/db/shared-transaction.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { Tenant, TenantWriter } from './store.ts';

interface LockedAccess {
  key_id: string;
  server_id: string;
}
const LOCKED_ACCESS_COLUMNS = sql`key_id uuid, server_id uuid`;
const lockKeysOf = (rows: Sql): Sql => sql`${rows}
  cross join lateral unnest(array[item.app_id, item.key_id, item.server_id]) with ordinality as held (id, at)`;

// The order is fixed, so that two transactions never wait for each other.
const LOCK_SHARED = defineItemRead<LockedAccess, never>(
  LOCKED_ACCESS_COLUMNS,
  (rows) =>
    sql`select pg_advisory_xact_lock_shared(access_lock(app_id, held.id)) from ${lockKeysOf(rows)} order by nth, at`,
);
const TRY_LOCK_SHARED = defineItemRead<LockedAccess, { is_held: boolean }>(
  LOCKED_ACCESS_COLUMNS,
  (rows) => sql`select nth, bool_and(pg_try_advisory_xact_lock_shared(access_lock(app_id, held.id))) as is_held
    from ${lockKeysOf(rows)} group by nth`,
);

/**
 * Locks an access until the transaction ends. A change that would end the access waits for this lock (by a database
 * trigger). If the change came first, the lock waits for the change. Read what the access allows in a later statement,
 * whose snapshot is newer. Rejects with WouldBlockError if other mutations of the transaction would have to wait too.
 */
export async function lockAccess(tenant: TenantWriter, { keyId, serverId }: { keyId: string; serverId: string }) {
  const held = { key_id: keyId, server_id: serverId };
  if (!tenant.isShared) return tenant.sendEach(LOCK_SHARED, [held]);
  const [row] = await tenant.each(TRY_LOCK_SHARED, held);
  if (!row?.is_held) throw new WouldBlockError();
}

/** Makes the app's mutations wait until the transaction ends, with one lock instead of one lock per server. */
export async function lockApp(tenant: Tenant): Promise<void> {
  await tenant.query(sql`select hold_app(${tenant.appId})`);
}

/**
 * Returns true if the app is active, and keeps it active until the transaction ends. For work outside of requests: the
 * call never waits for a lock, so a job that receives false must try again later.
 */
export async function tryLockActiveApp(tenant: Tenant): Promise<boolean> {
  const [held, active] = await Promise.all([
    tenant.query<{ ok: boolean }>(sql`
      select pg_try_advisory_xact_lock_shared(access_lock(${tenant.appId}, ${tenant.appId})) as ok`),
    tenant.query(sql`select from apps where app_id = ${tenant.appId} and standing = 'active'`),
  ]);
  return held[0]?.ok === true && active.length === 1;
}

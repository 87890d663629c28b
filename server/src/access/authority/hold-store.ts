// The SQL of what holds access until a transaction ends, so that whatever would end the access waits for it.
import { readsEach } from '../../kit/db/each-store.ts';
import { Aside } from '../../kit/db/shared-transaction.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { Tenant, WritingRows } from './store.ts';

interface Held {
  key_id: string;
  server_id: string;
}
const HELD_COLUMNS = sql`key_id uuid, server_id uuid`;
const heldBy = (rows: Sql): Sql => sql`${rows}
  cross join lateral unnest(array[i.app_id, i.key_id, i.server_id]) with ordinality as held (id, at)`;

// Always in this order: two transactions never wait for each other.
const HOLD = readsEach<Held, never>(
  HELD_COLUMNS,
  (rows) =>
    sql`select pg_advisory_xact_lock_shared(access_lock(app_id, held.id)) from ${heldBy(rows)} order by nth, at`,
);
const TRY_HOLD = readsEach<Held, { is_held: boolean }>(
  HELD_COLUMNS,
  (rows) => sql`select nth, bool_and(pg_try_advisory_xact_lock_shared(access_lock(app_id, held.id))) as is_held
    from ${heldBy(rows)} group by nth`,
);

/**
 * Holds what gives access until the transaction ends: whatever would end it (a trigger of the database sees to that) waits,
 * or has been waited for. What they allow is read after it, in a statement of its own, whose snapshot is younger. Where others
 * would wait too it rejects, with Aside.
 */
export async function holdAccess(tenant: WritingRows, { keyId, serverId }: { keyId: string; serverId: string }) {
  const held = { key_id: keyId, server_id: serverId };
  if (!tenant.isShared) return tenant.sendEach(HOLD, [held]);
  const [row] = await tenant.each(TRY_HOLD, held);
  if (!row?.is_held) throw new Aside();
}

/** From here on the app's mutations wait, until the transaction ends: one lock in place of one for each server. */
export async function holdApp(tenant: Tenant): Promise<void> {
  await tenant.query(sql`select hold_app(${tenant.appId})`);
}

/**
 * For what works beside requests: whether the app is active, and if so it stays that until the transaction ends. It waits for
 * nobody, so a job that is told no comes again.
 */
export async function holdActiveApp(tenant: Tenant): Promise<boolean> {
  const [held, active] = await Promise.all([
    tenant.query<{ ok: boolean }>(sql`
      select pg_try_advisory_xact_lock_shared(access_lock(${tenant.appId}, ${tenant.appId})) as ok`),
    tenant.query(sql`select from apps where app_id = ${tenant.appId} and standing = 'active'`),
  ]);
  return held[0]?.ok === true && active.length === 1;
}

// The SQL of what a change on many servers at once means for deliveries that wait. Each tells how many they are.
import { textArray } from '../../kit/pg-arrays.ts';
import { type Sql, sql } from '../../kit/sql.ts';
import type { GrantState, Tenant, TenantTransaction } from '../authority/index.ts';
import { countStop, unheld } from './stop-store.ts';

/** In which states of the queue a delivery is concerned when a server gets this state. */
const CONCERNED: Record<GrantState, readonly string[]> = {
  authorised: ['held'],
  paused: ['waiting'],
  revoked: ['waiting', 'held'],
};

const concerned = (tenant: Tenant, serverIds: readonly string[], state: GrantState): Sql => sql`
  app_id = ${tenant.appId} and server_id = any(${textArray(serverIds)}::text[]::uuid[])
    and state = any(${textArray(CONCERNED[state])}::text[])`;

const count = async (tenant: Tenant, statement: Sql): Promise<number> =>
  (await tenant.query<{ count: number }>(statement))[0]?.count ?? 0;

export function countDeliveriesOfServers(
  tenant: Tenant,
  serverIds: readonly string[],
  state: GrantState,
): Promise<number> {
  return count(tenant, sql`select count(*)::int as count from queue where ${concerned(tenant, serverIds, state)}`);
}

/** Ends for good what waits. What is in flight is stopped after the commit. */
export async function cancelDeliveriesOfServers(
  tenant: TenantTransaction,
  serverIds: readonly string[],
): Promise<number> {
  countStop(tenant);
  return count(
    tenant,
    sql`with gone as (
      delete from queue where ${unheld(concerned(tenant, serverIds, 'revoked'))} returning app_id, delivery_id),
    told as (
      update deliveries d set status = 'cancelled', reason = 'installation_revoked', finished_at = clock_timestamp()
      from gone where d.app_id = gone.app_id and d.delivery_id = gone.delivery_id)
    select count(*)::int as count from gone`,
  );
}

/** Sets aside what waits, until it is released. */
export async function holdDeliveriesOfServers(
  tenant: TenantTransaction,
  serverIds: readonly string[],
): Promise<number> {
  countStop(tenant);
  return count(
    tenant,
    sql`with held as (
      update queue set state = 'held' where ${unheld(concerned(tenant, serverIds, 'paused'))} returning app_id, delivery_id),
    told as (
      update deliveries d set status = 'held', reason = 'installation_paused'
      from held where d.app_id = held.app_id and d.delivery_id = held.delivery_id)
    select count(*)::int as count from held`,
  );
}

/** Lets go what was held. Whether it may really be made is judged again when it is claimed. */
export async function releaseDeliveriesOfServers(tenant: Tenant, serverIds: readonly string[]): Promise<number> {
  return count(
    tenant,
    sql`with released as (
      update queue set state = 'waiting', due_at = greatest(due_at, clock_timestamp())
      where ${concerned(tenant, serverIds, 'authorised')} returning app_id, delivery_id),
    told as (
      update deliveries d set status = 'pending', reason = null
      from released where d.app_id = released.app_id and d.delivery_id = released.delivery_id)
    select count(*)::int as count from released`,
  );
}

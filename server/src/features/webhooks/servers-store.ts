// The SQL of what a change on many servers at once means for deliveries that wait. Each tells how many they are, of those that
// are looked at.
import { textArray } from '../../kit/pg-arrays.ts';
import { type Sql, sql } from '../../kit/sql.ts';
import type { GrantState, Tenant, TenantTransaction } from '../authority/index.ts';
import { CANCELLED_AT_ONCE, cancelSome, countStop, holdSome, lookedAt, releaseSome } from './stop-store.ts';

/** In which states of the queue a delivery is concerned when a server gets this state. */
const CONCERNED: Record<GrantState, readonly string[]> = {
  authorised: ['held'],
  paused: ['waiting'],
  revoked: ['waiting', 'held'],
};

const concerned = (serverIds: readonly string[], state: GrantState): Sql => sql`
  server_id = any(${textArray(serverIds)}::text[]::uuid[]) and state = any(${textArray(CONCERNED[state])}::text[])`;

const count = async (tenant: Tenant, statement: Sql): Promise<number> =>
  (await tenant.query<{ count: number }>(statement))[0]?.count ?? 0;

export async function countDeliveriesOfServers(
  tenant: Tenant,
  serverIds: readonly string[],
  state: GrantState,
): Promise<number> {
  const found = await count(
    tenant,
    sql`select count(*)::int as count from ${lookedAt(tenant)} where ${concerned(serverIds, state)}`,
  );
  return state === 'revoked' ? Math.min(found, CANCELLED_AT_ONCE) : found;
}

/** Ends for good what waits. What is in flight is stopped after the commit. */
export function cancelDeliveriesOfServers(tenant: TenantTransaction, serverIds: readonly string[]): Promise<number> {
  countStop(tenant);
  return count(tenant, cancelSome(tenant, concerned(serverIds, 'revoked'), 'installation_revoked'));
}

/** Sets aside what waits, until it is released. */
export function holdDeliveriesOfServers(tenant: TenantTransaction, serverIds: readonly string[]): Promise<number> {
  countStop(tenant);
  return count(tenant, holdSome(tenant, concerned(serverIds, 'paused'), 'installation_paused'));
}

/** Lets go what was held. */
export function releaseDeliveriesOfServers(tenant: Tenant, serverIds: readonly string[]): Promise<number> {
  return count(tenant, releaseSome(tenant, concerned(serverIds, 'authorised')));
}

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

export async function countDeliveriesOfServers(
  tenant: Tenant,
  serverIds: readonly string[],
  state: GrantState,
): Promise<number> {
  const rows = await tenant.query<{ count: number }>(
    sql`select count(*)::int as count from ${lookedAt(tenant)} where ${concerned(serverIds, state)}`,
  );
  const found = rows[0]?.count ?? 0;
  return state === 'revoked' ? Math.min(found, CANCELLED_AT_ONCE) : found;
}

/** Ends for good what waits. What is in flight is stopped after the commit. */
export function cancelDeliveriesOfServers(tenant: TenantTransaction, serverIds: readonly string[]): Promise<number> {
  countStop(tenant);
  return cancelSome(tenant, concerned(serverIds, 'revoked'), 'installation_revoked');
}

/** Sets aside what waits, until it is released. */
export function holdDeliveriesOfServers(tenant: TenantTransaction, serverIds: readonly string[]): Promise<number> {
  countStop(tenant);
  return holdSome(tenant, concerned(serverIds, 'paused'), 'installation_paused');
}

/** Lets go what was held. */
export function releaseDeliveriesOfServers(tenant: TenantTransaction, serverIds: readonly string[]): Promise<number> {
  return releaseSome(tenant, concerned(serverIds, 'authorised'));
}

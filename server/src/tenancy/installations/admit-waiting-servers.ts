// Gives free places under the cap to waiting servers, oldest installation first, without a new statement of the
// upstream API.
import type { TenantWork } from '../../access/authority/index.ts';
import { applyGrantChangesToDeliveries } from './apply-grant-changes.ts';
import { findInstallationRows, lockServers } from './bulk-store.ts';
import { markChangesAutomatic } from './change-store.ts';
import { assignPlaces, countFreePlaces, listWaitingServers, lockPlaces } from './waiting-servers-store.ts';

/**
 * Limits the work of one call. A statement frees one place. A raised cap frees several places, which are assigned in
 * rounds. Servers beyond the last round wait for the next change.
 */
const ADMITTED_IN_ONE_ROUND = 100;
const ROUNDS = 100;

/**
 * Locks the waiting servers and this server in the order of their ids. Call it before a change that may free a place,
 * so that two such changes cannot deadlock.
 */
export async function lockWaitingServers({ tenant }: Pick<TenantWork, 'tenant'>, serverId?: string): Promise<void> {
  const waiting = await listWaitingServers(tenant, ADMITTED_IN_ONE_ROUND);
  await lockServers(tenant, [...waiting, ...(serverId === undefined ? [] : [serverId])]);
}

/**
 * Assigns the free places to waiting servers. Call it after the change that may have freed a place and before the
 * events are emitted.
 */
export async function admitWaitingServers(context: TenantWork): Promise<void> {
  const { tenant } = context;
  await lockPlaces(tenant);
  for (let round = 0; round < ROUNDS; round++) {
    const waiting = await listWaitingServers(tenant, ADMITTED_IN_ONE_ROUND);
    const free = await countFreePlaces(tenant);
    const admitted = waiting.slice(0, Math.max(0, free ?? ADMITTED_IN_ONE_ROUND));
    if (admitted.length === 0) return;
    markChangesAutomatic(tenant, 'A place under the cap on servers became free.');
    const [, , rows] = await Promise.all([
      lockServers(tenant, admitted),
      assignPlaces(tenant, admitted),
      findInstallationRows(tenant, admitted),
    ]);
    const resumed = [...rows.values()].filter(({ state }) => state === 'authorised');
    await applyGrantChangesToDeliveries(
      context,
      resumed.map(({ server_id: serverId }) => ({ serverId, scope: null })),
      'authorised',
    );
  }
}

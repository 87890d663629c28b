// Creates and replaces the sandbox data of a contract whose resources have no tables of their own.
import { lockApp, type Tenant, type TenantTransaction } from '../../access/authority/index.ts';
import { grantor, isGranted, isWritable, resources, servers as serverResource } from '../../access/contracts/index.ts';
import {
  accountOf,
  continueNumbers,
  deleteAllStored,
  hasTable,
  insertObjects,
  insertSandboxObjects,
} from '../../resources/objects/index.ts';
import { lockServerIds } from '../../resources/servers/index.ts';
import { HISTORY_ENDS_MS } from '../../resources/synthetic.ts';
import { authoriseServers } from '../../tenancy/installations/index.ts';
import { sandboxObjects } from './sandbox-objects.ts';
import { PRESET_KINDS, type WorldSpec } from './world.ts';

/** False for the default contract, whose world consists of servers with objects. */
export const hasStoredObjects = !resources.some(hasTable);

/** The number of servers that one round of statements handles. */
const SERVERS_AT_ONCE = 100;

export function* splitIntoBatches<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += SERVERS_AT_ONCE) yield all.slice(at, at + SERVERS_AT_ONCE);
}

/** True if some objects are below no object that grants scopes. Their account grants the scopes. */
const hasAccount = !resources.every(isGranted);

/**
 * Creates the objects, and the servers whose grants permit access to them: one for each object of the granting resource,
 * and the account. `existing` are servers whose grants stay unchanged. Returns the servers.
 */
export async function fillObjects(
  tenant: Tenant,
  { preset, seed, epoch }: WorldSpec,
  existing: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const { counts, script } = PRESET_KINDS[preset];
  const objects = sandboxObjects(resources, { appId: tenant.appId, seed, epoch, script }, counts);
  const granting = grantor ? (objects.get(grantor) ?? []) : [];
  const servers = [
    ...(hasAccount ? [serverOf(accountOf(tenant.appId), 'Account', HISTORY_ENDS_MS)] : []),
    ...granting.map((one) => serverOf(one.object_id, one.key, Date.parse(one.created_at))),
  ];
  for (const some of splitIntoBatches(servers)) {
    await insertObjects(tenant, serverResource, some);
    const fresh = some.map(({ serverId }) => serverId).filter((id) => !existing.has(id));
    if (fresh.length > 0) await authoriseServers(tenant, fresh);
  }
  for (const [resource, rows] of objects) {
    await insertSandboxObjects(tenant, rows, isWritable(resource));
    if (resource.identity?.form === 'integer') await continueNumbers(tenant, resource.kind);
  }
  return servers.map(({ serverId }) => serverId);
}

/** Returns the server of an object that grants scopes. Lists show the current name of the object (`SERVER_NAME`). */
const serverOf = (serverId: string, name: string, createdMs: number) => ({
  serverId,
  name,
  slug: name,
  description: '',
  iconUrl: '',
  locale: 'en',
  timezone: 'UTC',
  memberCount: 0,
  createdAt: new Date(createdMs).toISOString(),
});

/**
 * Replaces all objects. Mutations of the app wait until the transaction ends. Servers that stay keep their grants.
 * Returns the servers without objects, which the caller removes.
 */
export async function replaceObjects(tenant: TenantTransaction, spec: WorldSpec): Promise<string[]> {
  const before = await lockServerIds(tenant);
  await lockApp(tenant);
  await deleteAllStored(tenant);
  const after = new Set(await fillObjects(tenant, spec, new Set(before)));
  return before.filter((serverId) => !after.has(serverId));
}

// Creates and replaces the sandbox data of a contract whose resources have no tables of their own.
import { lockApp, type Tenant, type TenantTransaction } from '../../access/authority/index.ts';
import { resources, servers } from '../../access/contracts/index.ts';
import {
  accountOf,
  continueNumbers,
  deleteAllStored,
  hasTable,
  insertObjects,
  insertSandboxObjects,
  isWritable,
} from '../../resources/objects/index.ts';
import { lockServerIds } from '../../resources/servers/index.ts';
import { HISTORY_ENDS_MS } from '../../resources/synthetic.ts';
import { authoriseServers } from '../../tenancy/installations/index.ts';
import { sandboxObjects } from './sandbox-objects.ts';
import { PRESET_KINDS, type WorldSpec } from './world.ts';

/** False for the default contract, whose world consists of servers with objects. */
export const hasStoredObjects = !resources.some(hasTable);

/** Creates the objects of an app that has none, and the account whose grants permit access to them. */
export async function fillObjects(tenant: Tenant, { preset, seed, epoch }: WorldSpec): Promise<void> {
  const { counts, script } = PRESET_KINDS[preset];
  await makeAccount(tenant);
  const objects = sandboxObjects(resources, { appId: tenant.appId, seed, epoch, script }, counts);
  for (const [resource, rows] of objects) {
    await insertSandboxObjects(tenant, rows, isWritable(resource));
    if (resource.identity?.form === 'integer') await continueNumbers(tenant, resource.kind);
  }
}

async function makeAccount(tenant: Tenant): Promise<void> {
  const serverId = accountOf(tenant.appId);
  const existing = await lockServerIds(tenant);
  if (existing.includes(serverId)) return;
  const account = {
    serverId,
    name: 'Account',
    slug: 'account',
    description: 'Grants the app access to its objects.',
    iconUrl: '',
    locale: 'en',
    timezone: 'UTC',
    memberCount: 0,
    createdAt: new Date(HISTORY_ENDS_MS).toISOString(),
  };
  await insertObjects(tenant, servers, [account]);
  await authoriseServers(tenant, [serverId]);
}

/** Replaces all objects. Mutations of the app wait until the transaction ends. The account and its grants remain. */
export async function replaceObjects(tenant: TenantTransaction, spec: WorldSpec): Promise<void> {
  await lockServerIds(tenant);
  await lockApp(tenant);
  await deleteAllStored(tenant);
  await fillObjects(tenant, spec);
}

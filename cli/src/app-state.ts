// Reads the current state of an app, as far as a file of `slipway apply` can describe it.
import type { Endpoint, Fault, Key, ManagementClient, World } from '@slipway/sdk/management';
import { UsageError } from './errors.ts';
import { escapeText } from './text.ts';

export interface AppState {
  appId: string;
  world: World;
  /** Active keys that were not replaced, newest first. */
  keys: readonly Key[];
  endpoints: readonly Endpoint[];
  faults: readonly Fault[];
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of items) all.push(one);
  return all;
}

/** Returns the id of the app with this name, or undefined. An app that is being deleted does not count. */
export async function findAppId(
  api: ManagementClient,
  organisationId: string,
  name: string,
): Promise<string | undefined> {
  const apps = await collect(api.listApps({ organisationId, limit: 100 }));
  const fitting = apps.filter((app) => app.state !== 'deleting' && (app.name === name || app.id === name));
  if (fitting.length > 1)
    throw new UsageError(`more than one app is called ${escapeText(name)}: select one with --app and its identifier.`);
  return fitting[0]?.id;
}

export async function readAppState(
  api: ManagementClient,
  at: { organisationId: string; appId: string },
): Promise<AppState> {
  const [world, keys, endpoints, faults] = await Promise.all([
    api.getWorld(at),
    collect(api.listKeys({ ...at, limit: 100 })),
    collect(api.listEndpoints({ ...at, limit: 100 })),
    collect(api.listFaults({ ...at, limit: 100 })),
  ]);
  const usable = keys.filter((key) => key.state === 'active' && key.successorId === null);
  return {
    appId: at.appId,
    world,
    keys: usable.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt)),
    endpoints,
    faults,
  };
}

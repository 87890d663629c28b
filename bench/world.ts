// The data of the benchmarks: a separate Postgres, apps, their servers and keys.

import { type Environment, openTenant, SCOPES, setOrganisation } from '../server/src/access/authority/index.ts';
import type { OpenPlane } from '../server/src/boot/plane.ts';
import { PLANE_ROLES, provision } from '../server/src/boot/provision.ts';
import { startEmbeddedPostgres } from '../server/src/embedded/index.ts';
import { newUuid } from '../server/src/kit/crypto/ids.ts';
import { secret } from '../server/src/kit/crypto/secret.ts';
import { migrate } from '../server/src/kit/db/migrate.ts';
import { runHousekeeping } from '../server/src/platform/housekeeping/index.ts';
import { DEFAULT_WORLD, makeWorld, PRESET_KINDS } from '../server/src/sandbox/world/index.ts';
import { insertApp } from '../server/src/tenancy/apps/index.ts';
import { makeKey } from '../server/src/tenancy/keys/index.ts';
import { openBenchPlane } from './plane.ts';

const PASSWORD = 'for benchmarks only';

export interface BenchDatabase {
  url: string;
  /** The same database as a superuser. */
  superuserUrl: string;
  stop(): Promise<void>;
}

/** Starts a migrated sandbox database on an embedded Postgres in the folder. */
export async function startBenchDatabase(folder: string): Promise<BenchDatabase> {
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
  await provision(postgres.connection('postgres', postgres.superuserPassword, 'postgres'), [
    { name: 'slipway_sandbox', password: secret(PASSWORD), roles: PLANE_ROLES },
  ]);
  const url = postgres.connection('slipway_sandbox', PASSWORD, 'slipway_sandbox');
  const superuserUrl = postgres.connection('postgres', postgres.superuserPassword, 'slipway_sandbox');
  await migrate(url, new URL('../server/migrations/plane', import.meta.url).pathname);
  return { url, superuserUrl, stop: () => postgres.stop() };
}

/** Creates apps, and returns the keys of each. */
export async function makeApps(
  url: string,
  size: { apps: number; keysPerApp: number; serversPerApp: number },
  environment: Environment = 'sandbox',
): Promise<string[][]> {
  const open = openBenchPlane(url, undefined, environment);
  await runHousekeeping(open.worker);
  const organisationId = newUuid();
  const keys: string[][] = [];
  for (let app = 0; app < size.apps; app++) keys.push(await makeApp(open, organisationId, size));
  await open.close();
  return keys;
}

function makeApp(
  { plane }: OpenPlane,
  organisationId: string,
  size: { keysPerApp: number; serversPerApp: number },
): Promise<string[]> {
  return plane.db.manager.transaction(async (tx) => {
    const appId = newUuid();
    setOrganisation(tx, organisationId);
    await insertApp(tx, { appId, organisationId, name: 'Bench', createdBy: 'bench' });
    const tenant = openTenant(tx, appId);
    const { large, small } = PRESET_KINDS;
    await makeWorld(tenant, DEFAULT_WORLD, {
      ...(size.serversPerApp > 100 ? large : small).counts,
      servers: size.serversPerApp,
    });
    const tokens: string[] = [];
    for (let index = 0; index < size.keysPerApp; index++) {
      const input = { name: `Key ${index}`, scopes: SCOPES, expiresInDays: 30, createdBy: 'bench' };
      tokens.push((await makeKey(tenant, plane, input)).token);
    }
    return tokens;
  });
}

// The large world, on its own Postgres: its long transaction would delay every event feed on the shared one.
import { chmod, copyFile, mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countExaminedRows } from '../../../test/rows-read.ts';
import { openTenant, setOrganisation, type Tenant, type TenantTransaction } from '../../access/authority/index.ts';
import { PLANE_ROLES, provision } from '../../boot/provision.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../embedded/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { openDatabase, withConnection } from '../../kit/db/db.ts';
import { migrate } from '../../kit/db/migrate.ts';
import { insertApp } from '../../tenancy/apps/index.ts';
import { listObjectRows } from '../objects/store.ts';
import { OBJECT_KINDS } from '../objects/world-object.ts';
import { rebuildWorld } from './rebuild-world.ts';
import { countWorld } from './store.ts';
import type { WorldSpec } from './world.ts';

const PASSWORD = 'for tests only';
/** A page of 25 objects, and the row that shows that another page follows. */
const PAGE_ROWS = 26;

const MIGRATIONS = new URL('../../../migrations/plane', import.meta.url).pathname;

/**
 * Runs a function with the URL of an empty database of the owner, a folder that does not exist yet, and the superuser's
 * URL.
 */
async function onPostgres(run: (url: string, folder: string, superuser: string) => Promise<void>): Promise<void> {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), 'slipway-large-')));
  await chmod(dataDir, 0o711); // lets the user that runs Postgres pass through if the tests run as root
  let postgres: EmbeddedPostgres | undefined;
  try {
    postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
    await provision(postgres.connection('postgres', postgres.superuserPassword, 'postgres'), [
      { name: 'slipway_sandbox', password: secret(PASSWORD), roles: PLANE_ROLES },
    ]);
    const url = postgres.connection('slipway_sandbox', PASSWORD, 'slipway_sandbox');
    const superuser = postgres.connection('postgres', postgres.superuserPassword, 'slipway_sandbox');
    await run(url, join(dataDir, 'migrations'), superuser);
  } finally {
    await postgres?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

test('apps that are older than worlds have one after the upgrade', async () => {
  await onPostgres(async (url, folder, superuser) => {
    const files = (await readdir(MIGRATIONS)).sort();
    const ours = files.findIndex((file) => file.endsWith('_world.sql'));
    await mkdir(folder);
    for (const file of files.slice(0, ours)) await copyFile(join(MIGRATIONS, file), join(folder, file));
    await migrate(url, folder);
    const appId = newUuid();
    await withConnection({ connectionString: superuser }, async (client) => {
      await client.query(
        "insert into apps (app_id, organisation_id, name, created_by) values ($1, $1, 'Old', 'a test')",
        [appId],
      );
    });
    await migrate(url, MIGRATIONS);
    await withConnection({ connectionString: superuser }, async (client) => {
      const { rows } = await client.query('select app_id, preset, speed from worlds');
      expect(rows).toEqual([{ app_id: appId, preset: 'small', speed: 1 }]);
    });
  });
});

test('a world of 10,000 servers and 200,000 publications can be created and replaced by a small one', async () => {
  await onPostgres(async (url) => {
    await migrate(url, MIGRATIONS);
    const manager = openDatabase({
      url,
      role: 'slipway_manager',
      max: 1,
      queryTimeoutMs: 5_000,
      connectTimeoutMs: 5_000,
    });
    const [appId, organisationId] = [newUuid(), newUuid()];
    const asManager = <T>(run: (tenant: TenantTransaction) => Promise<T>): Promise<T> =>
      manager.transaction(async (tx) => {
        setOrganisation(tx, organisationId);
        return run(openTenant(tx, appId));
      });
    const reset = async (input: Partial<WorldSpec>): Promise<string> => {
      const begun = performance.now();
      await asManager((tenant) => rebuildWorld(tenant, input));
      return `${JSON.stringify(input)} in ${Math.round(performance.now() - begun)} ms`;
    };
    await asManager((tx) => insertApp(tx, { appId, organisationId, name: 'Large', createdBy: 'a test' }));
    const times = [await reset({ preset: 'large' })];
    expect(await asManager(countWorld)).toMatchObject({ servers: 10_000, publications: 200_000, workflows: 40_000 });
    for (const kind of OBJECT_KINDS) {
      const page = (tenant: Tenant) => listObjectRows(tenant, { kind, serverId: undefined }, undefined, PAGE_ROWS);
      const count = await asManager((tenant) => countExaminedRows(tenant, page));
      expect([kind, Math.max(PAGE_ROWS, count)]).toEqual([kind, PAGE_ROWS]);
    }
    times.push(await reset({ preset: 'small', seed: 'another' }), await reset({}));
    expect(await asManager(countWorld)).toMatchObject({ servers: 5, publications: 60 });
    console.log(times.join('\n'));
    await manager.close();
  });
}, 180_000);

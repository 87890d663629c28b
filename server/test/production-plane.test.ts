// Production next to the sandbox: each has its own database and processes without parts of the other, behind one
// Console.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signAssertion } from '../src/access/authority/index.ts';
import { createLifetime, startPlane } from '../src/boot/process.ts';
import { claimDatabase } from '../src/boot/provision.ts';
import { start as startConsoleRole } from '../src/boot/roles/console.ts';
import { ConfigError, readConfig, refuseOtherCredentials, refuseProduction } from '../src/config/config.ts';
import { remoteLink } from '../src/governance/environments/index.ts';
import { fromId, newUuid, toId } from '../src/kit/crypto/ids.ts';
import type { Secret } from '../src/kit/crypto/secret.ts';
import { OPERATOR, startConsole, type TestConsole, type TestVisitor } from './console-app.ts';
import { type Production, startProduction } from './production.fixture.ts';
import { readSources } from './sources.ts';

let production: Production;
let site: TestConsole;
beforeAll(async () => {
  production = await startProduction();
  const { managementKey } = production.options;
  const link = remoteLink('production', production.managementUrl);
  site = await startConsole('local', { production: { environment: 'production', link, managementKey } });
});
afterAll(async () => {
  await site.close();
  await production.close();
});

async function owner(): Promise<{ visitor: TestVisitor; organisationId: string }> {
  const { visitor } = await site.newPerson();
  const created = await visitor.call<{ id: string }>('POST', '/api/organisations', { name: 'Harbour Tools' });
  return { visitor, organisationId: created.body.id };
}

describe('production behind the Console', () => {
  test('production is listed if it is connected, and its apps are read under its own path', async () => {
    const { visitor, organisationId } = await owner();
    const app = await production.newApp(fromId('org', organisationId));
    const listed = await visitor.call<{ data: { name: string }[] }>('GET', '/api/environments');
    expect(listed.body.data.map(({ name }) => name)).toEqual(['sandbox', 'production']);
    const apps = `/organisations/${organisationId}/apps`;
    const read = await visitor.call('GET', `/api/production${apps}`);
    expect([read.status, read.body]).toMatchObject([200, { data: [{ id: app.id }] }]);
    expect((await visitor.call('GET', `/api/sandbox${apps}`)).body).toMatchObject({ data: [] });
    expect((await visitor.call('GET', `/api/sandbox${apps}/${app.id}`)).status).toBe(404);
    expect((await visitor.call('GET', `/api/production${apps}/${app.id}`)).status).toBe(200);
  });

  test('operations that create apps, change sandbox data, simulate faults or call by a key’s id do not exist in production', async () => {
    const { visitor, organisationId } = await owner();
    const app = await production.newApp(fromId('org', organisationId));
    const apps = `/api/production/organisations/${organisationId}/apps`;
    expect((await visitor.call('POST', apps, { name: 'Mine' })).status).toBe(405);
    for (const path of ['world', 'faults', 'calls', 'world/resets'])
      expect([path, (await visitor.call('GET', `${apps}/${app.id}/${path}`)).status]).toEqual([path, 404]);
  });

  test('only operators see failures of the upstream API, one per operation and hour', async () => {
    const app = await production.newApp();
    const { token } = await app.key();
    // Nothing listens at the upstream address of this production.
    for (const _ of [1, 2]) expect((await production.call('/v1/servers', token)).status).toBe(503);
    await production.flushFailures();
    const { visitor } = await site.newPerson();
    expect((await visitor.call('GET', '/api/operator/upstream-failures')).status).toBe(403);
    const operator = site.newVisitor();
    await operator.signInByLink(await site.identity.ensurePerson(OPERATOR, 'Operator'));
    const failures = await operator.call('GET', '/api/operator/upstream-failures');
    expect(failures.body).toMatchObject({ data: [{ operationId: 'listServers', kind: 'unreachable', count: 2 }] });
  });

  test('an assertion of one environment’s management key is refused in the other', async () => {
    const organisationId = newUuid();
    const actor = { kind: 'person', personId: 'p', name: 'p', organisationId, role: 'owner', address: null } as const;
    const path = `/organisations/${toId('org', organisationId)}/apps`;
    const ask = async (environment: 'sandbox' | 'production', key: Secret) => {
      const assertion = await signAssertion(actor, environment, key);
      const answer = await remoteLink(
        'production',
        production.managementUrl,
      )({ method: 'GET', path, assertion, body: undefined });
      return answer.status;
    };
    const [own, theirs] = [production.options.managementKey, site.plane.options.managementKey];
    expect([await ask('production', own), await ask('production', theirs)]).toEqual([200, 401]);
    // An assertion that the right key signed for the other environment is refused too.
    expect(await ask('sandbox', own)).toBe(401);
  });

  test('a Console without production has neither its paths nor its name', async () => {
    const alone = await startConsole('local');
    try {
      const { visitor } = await alone.newPerson();
      const listed = await visitor.call<{ data: { name: string }[] }>('GET', '/api/environments');
      expect(listed.body.data.map(({ name }) => name)).toEqual(['sandbox']);
      const organisation = await visitor.call<{ id: string }>('POST', '/api/organisations', { name: 'Harbour' });
      const path = `/api/production/organisations/${organisation.body.id}/apps`;
      expect((await visitor.call('GET', path)).status).toBe(404);
    } finally {
      await alone.close();
    }
  });
});

describe('databases of the environments', () => {
  const log = { info: () => {}, error: () => {} };
  const startOn = async (environment: 'sandbox' | 'production', databaseUrl: string): Promise<string> => {
    const lifetime = createLifetime(log);
    const { peppers, masterKeys, managementKey, rate } = production.options;
    const secrets = { peppers, masterKeys, managementKey };
    const outwards = { webhookAllowHosts: [], webhookAllowCidrs: [], githubKeys: undefined };
    const options = { environment, databaseUrl, publicUrl: 'http://x.test', secrets, rate, ...outwards };
    const end = await startPlane(options, log, lifetime).then(
      () => 'started',
      (error: Error) => `${error.name}: ${error.message}`,
    );
    await lifetime.stop();
    return end;
  };

  test('a database of the other environment is refused, and an unmarked one is marked by the first process', async () => {
    const url = production.database.url;
    expect(await startOn('sandbox', url)).toMatch(/^ConfigError: .*SLIPWAY_SANDBOX_DATABASE_URL .* production/);
    expect(await startOn('production', url)).toBe('started');
    const { url: unclaimed } = site.plane.database;
    expect(await claimDatabase(unclaimed, undefined)).toBeUndefined();
    expect(await startOn('sandbox', unclaimed)).toBe('started');
    expect(await startOn('production', unclaimed)).toMatch(
      /^ConfigError: .*SLIPWAY_PRODUCTION_DATABASE_URL .* sandbox/,
    );
  });
});

describe('settings of the environments', () => {
  const long = 'x'.repeat(32);
  const refusal = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    return '';
  };
  const OF_PRODUCTION = ['DATABASE_URL', 'PEPPER', 'OTHER_PEPPERS', 'MASTER_KEY', 'OTHER_MASTER_KEYS'];

  test('a setting of production keeps the single process of Console and sandbox from starting', () => {
    expect(refusal(() => refuseProduction(readConfig({ SLIPWAY_PRODUCTION_API_PORT: '4100' })))).toMatch(
      /^SLIPWAY_PRODUCTION_API_PORT is set.*slipway-server console/,
    );
    expect(refusal(() => refuseProduction(readConfig({})))).toBe('');
  });

  test.each([
    'sandbox',
    'production',
  ] as const)('a process of the %s refuses secrets of the other environment', (environment) => {
    const other = environment === 'sandbox' ? 'PRODUCTION' : 'SANDBOX';
    const upstream = environment === 'sandbox' ? ['IDENTITY_KEY', 'INGEST_KEY'] : [];
    for (const name of [...OF_PRODUCTION, 'MANAGEMENT_KEY', ...upstream]) {
      const setting = `SLIPWAY_${other}_${name}`;
      const value = name === 'DATABASE_URL' ? 'postgres://x' : long;
      const config = readConfig({ [setting]: value });
      expect(refusal(() => refuseOtherCredentials(config, environment))).toMatch(new RegExp(`^${setting} is set`));
    }
    expect(refusal(() => refuseOtherCredentials(readConfig({}), environment))).toBe('');
  });

  test('the Console requires the settings of production completely or not at all, without its secrets', async () => {
    const log = { info: () => {}, error: () => {} };
    const started = (settings: Record<string, string>): Promise<string> =>
      startConsoleRole(readConfig(settings), log, createLifetime(log)).then(
        () => 'started',
        (error: Error) => error.message,
      );
    const sandbox = { SLIPWAY_SANDBOX_MANAGEMENT_KEY: long, SLIPWAY_SANDBOX_MANAGEMENT_URL: 'http://127.0.0.1:1' };
    const whole: Record<string, string> = {
      SLIPWAY_PRODUCTION_API_URL: 'https://api.example.org',
      SLIPWAY_PRODUCTION_MANAGEMENT_KEY: long,
      SLIPWAY_PRODUCTION_MANAGEMENT_URL: 'http://127.0.0.1:1',
    };
    for (const missing of Object.keys(whole)) {
      const half = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== missing));
      expect(await started({ ...sandbox, ...half })).toMatch(new RegExp(`^${missing} is missing`));
    }
    expect(await started({ ...sandbox, ...whole, SLIPWAY_PRODUCTION_PEPPER: long })).toMatch(/PEPPER is set/);
  });

  test('production’s API names missing settings of the upstream API, and refuses plain http to other hosts', () => {
    const whole: Record<string, string> = {
      SLIPWAY_PRODUCTION_UPSTREAM_URL: 'https://platform.example.org/base/',
      SLIPWAY_PRODUCTION_IDENTITY_KEY: long,
      SLIPWAY_PRODUCTION_INGEST_KEY: long,
    };
    for (const missing of Object.keys(whole)) {
      const half = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== missing));
      expect(refusal(() => readConfig(half).needUpstream())).toMatch(new RegExp(`^${missing} is missing`));
    }
    expect(readConfig(whole).needUpstream().url).toBe('https://platform.example.org/base');
    const clear = { ...whole, SLIPWAY_PRODUCTION_UPSTREAM_URL: 'http://platform.example.org' };
    expect(refusal(() => readConfig(clear).needUpstream())).toMatch(/UPSTREAM_URL is plain http/);
  });
});

describe('modules that a process loads', () => {
  const sources = new Map(readSources().map((source) => [source.path, source]));
  /** Returns the modules that are loaded at run time from the entry. Dynamic imports belong to other roles. */
  function loadedBy(entry: string): Set<string> {
    const found = new Set<string>();
    const look = (path: string): void => {
      const source = sources.get(path);
      if (!source || found.has(path)) return;
      found.add(path);
      for (const { target, names, isDynamic } of source.imports)
        if (!isDynamic && !/^\s*type\b/.test(names)) look(target);
    };
    look(entry);
    return found;
  }
  const among = (loaded: Set<string>, pattern: RegExp): string[] => [...loaded].filter((path) => pattern.test(path));
  const MAIN = 'server/src/commands/program.ts';
  const OF_PRODUCTION = /\/(production-[\w-]+|production\/.*)\.ts$/;
  const OF_SANDBOX = /\/(sandbox-[\w-]+|all-in-one|(sandbox|calls|captures|first-run|evidence|embedded)\/.*)\.ts$/;

  test.each(['api', 'worker'])('the sandbox’s %s loads no code of production', (role) => {
    const loaded = new Set([...loadedBy(MAIN), ...loadedBy(`server/src/boot/roles/sandbox-${role}.ts`)]);
    expect(loaded.size).toBeGreaterThan(100);
    expect(among(loaded, OF_PRODUCTION)).toEqual([]);
    expect(among(loaded, OF_SANDBOX).length).toBeGreaterThan(10);
  });

  test.each([
    'api',
    'worker',
  ])('production’s %s loads no code that simulates, makes sandbox data or calls by a key’s id', (role) => {
    const loaded = new Set([...loadedBy(MAIN), ...loadedBy(`server/src/boot/roles/production-${role}.ts`)]);
    expect(loaded.size).toBeGreaterThan(100);
    expect(among(loaded, OF_SANDBOX)).toEqual([]);
  });

  test('the single process loads no code of production', () => {
    const loaded = loadedBy('server/src/boot/all-in-one.ts');
    expect(among(loaded, /\/production\//)).toEqual([]);
  });
});

// The primary is killed under load, and its synchronous standby is promoted. With durable records, each request that was
// answered has its record on the new primary.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBenchPlane } from '../bench/plane.ts';
import { makeApps } from '../bench/world.ts';
import { PLANE_ROLES, provision } from '../server/src/boot/provision.ts';
import { fromId } from '../server/src/kit/crypto/ids.ts';
import { secret } from '../server/src/kit/crypto/secret.ts';
import { migrate } from '../server/src/kit/db/migrate.ts';
import { createSandboxApi } from '../server/src/listeners/sandbox-api.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from './replicated-postgres.ts';
import { until } from './slipway.ts';

const PLANE = 'slipway_sandbox';
const CLIENTS = 16;

let postgres: ReplicatedPostgres;
beforeAll(async () => {
  postgres = await startReplicatedPostgres();
  const { primary } = postgres;
  await provision(primary.url(), [{ name: PLANE, password: secret('for tests only'), roles: PLANE_ROLES }]);
  await migrate(primary.url(PLANE, PLANE), new URL('../server/migrations/plane', import.meta.url).pathname);
});
afterAll(() => postgres.remove());

test('a failover loses no record of an answered request', async () => {
  const { primary, standby } = postgres;
  const [tokens = []] = await makeApps(primary.url(PLANE, PLANE), { apps: 1, keysPerApp: CLIENTS, serversPerApp: 2 });
  await postgres.setSynchronous(true);
  const url = `postgres://${PLANE}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/${PLANE}`;
  const open = openBenchPlane(url, () => {}, 'sandbox', 'durable');
  const options = { recorder: open.recorder, trustedProxies: [], onInternalError: () => {} };
  const api = createSandboxApi(open.plane, options);
  const apiUrl = await api.listen({ host: '127.0.0.1', port: 0 });

  const answered: string[] = [];
  let isOver = false;
  async function load(token: string): Promise<void> {
    while (!isOver) {
      const response = await fetch(`${apiUrl}/v1/servers`, { headers: { authorization: `Bearer ${token}` } });
      await response.text();
      if (response.status !== 503) answered.push(response.headers.get('request-id') ?? '');
    }
  }
  const clients = Promise.all(tokens.map(load));
  await until(() => answered.length > 500);
  await primary.kill();
  await postgres.promote();
  const before = answered.length;
  await until(() => answered.length > before + 100, 60_000);
  isOver = true;
  await clients;
  await api.close();
  await open.close();

  const rows = await standby.query('select request_id::text as id from request_records', PLANE);
  const recorded = new Set(rows.map(({ id }) => id));
  expect(answered.filter((id) => !recorded.has(fromId('req', id)))).toEqual([]);
});

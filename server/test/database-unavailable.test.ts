// Access that cannot be confirmed is denied within a bounded time with its own problem, and recovers without
// intervention.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKeyToken } from '../src/access/authority/index.ts';
import { type Sandbox, startSandbox, type TestApp } from './app.ts';
import { type FrozenProxy, startProxy, unreachable } from './freezable-proxy.ts';
import { until } from './harness.ts';
import { type ApiNode, type NodeAnswer, startNode } from './node.ts';

let sandbox: Sandbox;
let app: TestApp;
let key: { id: string; token: string };
const nodes: ApiNode[] = [];

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  key = await app.key();
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await sandbox.close();
});

function start(databaseUrl: string): ApiNode {
  const node = startNode(sandbox, { databaseUrl, patience: 1 });
  nodes.push(node);
  return node;
}

function expectUnavailable(answer: NodeAnswer): void {
  expect([answer.status, answer.code]).toEqual([503, 'unavailable']);
  expect(answer.headers['retry-after']).toBe('1');
  expect(answer.headers['www-authenticate']).toBeUndefined();
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['request-id']).toBe(answer.body.requestId);
  expect(JSON.stringify(answer.body)).not.toMatch(/postgres|slipway_|timeout|ECONN|127\.0\.0\.1/i);
}

const tickets = (): string => `/v1/servers/${app.serverIds[0]}/tickets`;
const written = async (): Promise<number> =>
  (await sandbox.database.superuser.query('select count(*)::int as n from tickets')).rows[0].n;

describe('without a reachable database', () => {
  test('each call with a well-formed key gets 503', async () => {
    const node = start(await unreachable(sandbox.options.databaseUrl));
    for (const path of ['/v1/servers', '/v1/me', `/v1/servers/${app.serverIds[0]}`]) {
      expectUnavailable(await node.call('GET', path, key.token));
    }
    expectUnavailable(await node.call('POST', tickets(), key.token, { subject: 's', body: 'b' }));
    expectUnavailable(await node.call('GET', '/v1/me', newKeyToken('sandbox').token));
  });

  test('operations without a database access respond normally', async () => {
    const node = start(await unreachable(sandbox.options.databaseUrl));
    expect((await node.call('GET', '/v1/servers', 'nonsense')).code).toBe('invalid_key');
    expect((await node.call('GET', '/v1/servers', newKeyToken('production').token)).code).toBe('wrong_environment');
    expect((await node.call('GET', '/v1/openapi.json', '')).status).toBe(200);
  });
});

describe('with frozen database connections', () => {
  let proxy: FrozenProxy;
  let node: ApiNode;
  beforeAll(async () => {
    proxy = await startProxy(sandbox.options.databaseUrl);
    node = start(proxy.url);
  });
  afterAll(async () => {
    await nodes.pop()?.close();
    await proxy.close();
  });
  const call = (path: string): Promise<NodeAnswer> => node.call('GET', path, key.token);
  const back = (): Promise<true> => until(async () => (await call('/v1/servers')).status === 200);

  test('each call gets 503 until the connection thaws, even for a cached page', async () => {
    expect((await call('/v1/servers')).status).toBe(200);
    proxy.freeze();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => call(index % 2 ? '/v1/servers' : '/v1/me')),
    );
    for (const answer of answers) expectUnavailable(answer);
    // Newly opened connections freeze too.
    expectUnavailable(await call('/v1/servers'));
    proxy.thaw();
    await back();
  });

  test('a mutation during the freeze gets 503 and writes nothing, or gets its response', async () => {
    await back();
    const before = await written();
    proxy.freeze();
    expectUnavailable(await node.call('POST', tickets(), key.token, { subject: 's', body: 'b' }));
    proxy.thaw();
    await back();
    expect(await written()).toBe(before);
  });

  test('a revocation that was answered during the freeze holds after it', async () => {
    await back();
    const own = await app.key();
    expect((await node.call('GET', '/v1/me', own.token)).status).toBe(200);
    proxy.freeze();
    const during = node.call('GET', '/v1/me', own.token);
    await sandbox.manage('POST', `/apps/${app.id}/keys/${own.id}/revoke`);
    expectUnavailable(await during);
    proxy.thaw();
    const after = await until(async () => {
      const answer = await node.call('GET', '/v1/me', own.token);
      return answer.status !== 503 && answer;
    });
    expect(after.code).toBe('revoked_key');
  });
});

describe('after Postgres has terminated every connection', () => {
  const endAll = () =>
    sandbox.database.superuser.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  /** Returns the first response that is not a 503. */
  const untilConfirmed = (call: () => Promise<NodeAnswer>): Promise<NodeAnswer> =>
    until(async () => {
      const answer = await call();
      if (answer.status === 503) expectUnavailable(answer);
      return answer.status !== 503 && answer;
    });

  test('connections are opened again', async () => {
    const node = start(sandbox.options.databaseUrl);
    expect((await node.call('GET', '/v1/servers', key.token)).status).toBe(200);
    await endAll();
    expect((await untilConfirmed(() => node.call('GET', '/v1/servers', key.token))).status).toBe(200);
    // Mutations use connections of another pool.
    const create = () => node.call('POST', tickets(), key.token, { subject: 's', body: 'b' });
    expect((await untilConfirmed(create)).status).toBe(201);
  });

  test('a revocation that was answered just before holds, and a later one is answered', async () => {
    const node = start(sandbox.options.databaseUrl);
    const [before, after] = [await app.key(), await app.key()];
    for (const { token } of [before, after]) expect((await node.call('GET', '/v1/servers', token)).status).toBe(200);
    const revoke = ({ id }: { id: string }) => sandbox.manage('POST', `/apps/${app.id}/keys/${id}/revoke`);
    expect((await revoke(before)).status).toBe(200);
    await endAll();
    expect((await untilConfirmed(() => node.call('GET', '/v1/servers', before.token))).code).toBe('revoked_key');
    await until(async () => (await revoke(after)).status === 200);
    expect((await untilConfirmed(() => node.call('GET', '/v1/servers', after.token))).code).toBe('revoked_key');
  });
});

// A backup of production alone is restored into another database. The gate is closed until `reopen` has applied the
// revocation journal.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../scripts/nodes/free-port.ts';
import { SCOPES } from '../server/src/access/authority/index.ts';
import { copyPreparedData } from './prepared-data.ts';
import { type ProductionInstance, startProductionInstance } from './production-instance.ts';
import { type SlipwayInstance, until } from './slipway.ts';
import { ask, send } from './visitor.ts';

const of = ['--environment', 'production'];
const API = ['api', ...of];
const WORKER = ['worker', ...of];

interface MadeKey {
  key: { id: string };
  token: string;
}

let production: ProductionInstance;
let instance: SlipwayInstance;
let journal: string;
let server: string;
let token: string;
let early: MadeKey;
let late: MadeKey;
/** The settings of the restored database. */
let copySettings: { SLIPWAY_PRODUCTION_DATABASE_URL: string };
let copyUrl: string;

beforeAll(async () => {
  production = await startProductionInstance(copyPreparedData);
  const { manage, ingest, appId, upstream, settings } = production;
  instance = production.instance;
  server = upstream.serverIds[0] ?? '';
  journal = join(dirname(instance.dataDir), 'journal');
  const worker = instance.start({ ...settings, SLIPWAY_PRODUCTION_REVOCATION_JOURNAL: journal }, WORKER);
  await Promise.all([instance.start(settings, API).ready, worker.ready]);
  const order = { version: 1, name: 'Ticket bridge', scopes: SCOPES, maxServers: null, standing: 'active' };
  expect((await manage('PUT', '/live-access', order, 'itself')).status).toBe(200);
  token = (await makeKey('Live')).token;
  const scopes = SCOPES.map((scope) => ({ scope, state: 'authorised' }));
  const grant = { version: 1, serverName: 'Harbour 0', state: 'authorised', scopes };
  expect((await ingest('PUT', `/apps/${appId}/servers/${server}`, grant)).status).toBe(200);
  expect((await create('before')).status).toBe(201);
});
afterAll(() => production?.remove());

const makeKey = async (name: string) => {
  const body = { name, scopes: SCOPES, expiresInDays: 30 };
  return (await production.manage<MadeKey>('POST', '/keys', body)).body;
};
const create = (key: string, at = production.apiUrl) =>
  send<Record<string, unknown>>(
    `${at}/v1/servers/${server}/tickets`,
    { subject: 'Once', body: 'From a test.' },
    { authorization: `Bearer ${token}`, 'idempotency-key': key },
  );
const command = async (args: string[], given = production.settings) => {
  const run = instance.start(given, args);
  run.child.stdin?.on('error', () => {}); // a command that does not read standard input
  run.child.stdin?.end('a passphrase for tests, of no other use');
  return { code: await run.exited, stdout: run.stdout(), stderr: run.stderr() };
};
const posts = () => production.upstream.requests.filter(({ method }) => method === 'POST').length;

test('a backup of production alone is restored into another database with its secrets, and is closed', async () => {
  const { postgres, settings } = production;
  const file = join(dirname(instance.dataDir), 'production.slipway');
  const key = 'SLIPWAY_SANDBOX_MASTER_KEY';
  const mixed = await command(['backup', file, ...of], { ...settings, [key]: Buffer.alloc(32, 8).toString('base64') });
  expect([mixed.code, mixed.stderr]).toEqual([1, expect.stringContaining(key)]);
  [early, late] = [await makeKey('Early'), await makeKey('Late')];
  const revoke = ({ key: { id } }: MadeKey) => production.manage('POST', `/keys/${id}/revoke`, {});
  const linesOf = (kind: string) => () =>
    existsSync(journal) && readFileSync(journal, 'utf8').split(`"${kind}"`).length - 1;
  expect((await revoke(early)).status).toBe(200);
  await until(() => linesOf('key.revoked')() === 1);
  const taken = await command(['backup', file, ...of], settings);
  expect(taken).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/: \d+ rows of production\.$/m) });
  expect(readFileSync(file).includes(token)).toBe(false);

  expect((await revoke(late)).status).toBe(200);
  const scope = `/servers/${server}/installation/scopes/roadmap:read`;
  expect((await production.manage('PUT', scope, { state: 'paused' })).status).toBe(200);
  await until(
    () => linesOf('key.revoked')() === 2 && linesOf('scope.paused')() === 1 && linesOf('restriction.paused')() === 1,
  );

  await postgres.query('create database slipway_copy owner slipway_production', 'postgres');
  const copy = Object.assign(new URL(postgres.productionUrl), { pathname: '/slipway_copy' }).href;
  copySettings = { SLIPWAY_PRODUCTION_DATABASE_URL: copy };
  const asSandbox = await command(['restore', file], postgres.settings);
  expect([asSandbox.code, asSandbox.stderr]).toEqual([1, expect.stringContaining('does not contain the Console')]);
  expect(await command(['restore', file, ...of], copySettings)).toMatchObject({ code: 0, stderr: '' });
  const secretsFile = join(instance.dataDir, 'production-secrets.env');
  expect(statSync(secretsFile).mode & 0o777).toBe(0o600);
  const secrets = readFileSync(secretsFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(/=(.*)/s).slice(0, 2));
  const given = Object.fromEntries(secrets.filter(([name]) => !name?.endsWith('_VERSION')));
  expect(settings).toMatchObject(given);
  expect(Object.keys(given).length).toBe(5);
  const again = await command(['restore', file, ...of], { ...copySettings, SLIPWAY_DATA_DIR: `${instance.dataDir}2` });
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/has content already/)]);

  const port = String(await freePort());
  const portSettings = {
    SLIPWAY_PRODUCTION_API_PORT: port,
    SLIPWAY_PRODUCTION_MANAGEMENT_PORT: String(await freePort()),
  };
  await instance.start({ ...settings, ...Object.fromEntries(secrets), ...copySettings, ...portSettings }, API).ready;
  copyUrl = `http://127.0.0.1:${port}`;
  const closed = await create('before', copyUrl);
  expect(closed).toMatchObject({
    status: 503,
    body: { code: 'unavailable', detail: expect.stringMatching(/restored from a backup and is closed/) },
  });
});

test('reopen of production applies the journal: access that was revoked after the backup stays revoked, and other access works', async () => {
  const before = posts();
  const reopened = { ...production.settings, ...copySettings };
  const reopen = ['reopen', ...of, '--journal', journal];
  expect((await command(reopen, reopened)).stdout).toMatch(/^Production: would apply 3 lines of the journal\. /);
  expect((await create('before', copyUrl)).status).toBe(503);
  expect(await command([...reopen, '--yes'], reopened)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Production: 3 lines .*1 key\.revoked.*1 restriction\.paused.*The gate is open\.$/m),
  });
  const readAs = (path: string, key: string) =>
    ask(`${copyUrl}/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  expect((await readAs('/servers', late.token)).body.code).toBe('revoked_key');
  expect((await readAs('/servers', early.token)).body.code).toBe('revoked_key');
  expect((await readAs(`/servers/${server}`, token)).status).toBe(200);
  expect((await readAs(`/servers/${server}/roadmap`, token)).status).toBe(403);
  const replayed = await create('before', copyUrl);
  expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect(posts()).toBe(before);
});

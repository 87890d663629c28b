// A start is refused with a database role to which row-level security does not apply.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLifetime, startPlane } from '../src/boot/process.ts';
import { findPrivilegedRole, PLANE_ROLES } from '../src/boot/provision.ts';
import { newUuid } from '../src/kit/crypto/ids.ts';
import { secret } from '../src/kit/crypto/secret.ts';
import { createLog } from '../src/kit/telemetry/log.ts';
import { cloneDatabase, type TestDatabase } from './harness.ts';

let database: TestDatabase;
// Roles belong to the cluster: each has a unique name and is dropped at the end.
const name = `test_${newUuid().replaceAll('-', '')}`;
const roles = ['super superuser', 'bypass bypassrls', 'owner in role slipway_sandbox', 'plain'].map(
  (role) => `${name}_${role}`,
);
const nameOf = (role: string): string => `${name}_${role}`;

beforeAll(async () => {
  database = await cloneDatabase('plane');
  for (const role of roles) await database.superuser.query(`create role ${role.replace(' ', ' nologin ')}`);
  await database.superuser.query(`create role ${name}_indirect nologin in role ${name}_bypass`);
});
afterAll(async () => {
  for (const role of ['indirect', 'super', 'bypass', 'owner', 'plain'])
    await database.superuser.query(`drop role ${nameOf(role)}`);
  await database.drop();
});

test('the default roles are accepted: they are no superusers, bypass nothing and own nothing', async () => {
  expect(await findPrivilegedRole(database.url)).toBeUndefined();
  expect(await findPrivilegedRole(database.url, [...PLANE_ROLES, nameOf('plain')])).toBeUndefined();
});

test.each([
  ['super', 'is a superuser'],
  ['bypass', 'bypasses row-level security'],
  ['indirect', 'bypasses row-level security'],
  ['owner', 'owns tables'],
])('a privileged role is refused: %s', async (role, why) => {
  const refusal = await findPrivilegedRole(database.url, [...PLANE_ROLES, nameOf(role)]);
  expect(refusal).toBe(
    `The database role ${nameOf(role)} ${why}, or may play a role with this right: it would see the rows of all tenants.`,
  );
});

test('a plane does not start with the login of a superuser', async () => {
  const url = new URL(inject('superuserUrl'));
  url.pathname = new URL(database.url).pathname;
  const log = createLog(false);
  const lifetime = createLifetime(log);
  const secrets = {
    peppers: { current: 1, keys: { 1: secret('p') } },
    masterKeys: { current: 'm1', keys: { m1: secret(Buffer.alloc(32).toString('base64')) } },
    managementKey: secret('m'),
  };
  const rest = {
    publicUrl: 'http://sandbox.test',
    webhookAllowHosts: [],
    webhookAllowCidrs: [],
    githubKeys: undefined,
    rate: { perSecond: 1, burst: 1 },
  };
  await expect(
    startPlane({ environment: 'sandbox', databaseUrl: url.href, secrets, ...rest }, log, lifetime),
  ).rejects.toThrow(/^The database role \w+ is a superuser/);
  await lifetime.stop();
});

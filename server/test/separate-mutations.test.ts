// Mutations that run in their own transaction, because they wait or are large, delay no other mutation.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fromId } from '../src/kit/crypto/ids.ts';
import { type Sandbox, startSandbox } from './app.ts';
import { untilLocksWaited } from './lock-waits.ts';
import { type ApiNode, type NodeAnswer, startNode } from './node.ts';
import { recordMutations, type StartedMutation } from './recorded-mutations.ts';

interface Client {
  appId: string;
  serverId: string;
  token: string;
}

let sandbox: Sandbox;
let node: ApiNode;
let held: Client;
let other: Client;
const begun: StartedMutation[] = [];

async function newClient(): Promise<Client> {
  const app = await sandbox.newApp();
  const { token } = await app.key();
  return { appId: fromId('app', app.id) ?? '', serverId: app.serverIds[0] ?? '', token };
}

beforeAll(async () => {
  sandbox = await startSandbox();
  node = startNode(sandbox, {}, recordMutations(begun));
});
beforeEach(async () => {
  [held, other] = await Promise.all([newClient(), newClient()]);
  begun.length = 0;
});
afterAll(async () => {
  await node.close();
  await sandbox.close();
});

const create = ({ serverId, token }: Client, body = 'b'): Promise<NodeAnswer> =>
  node.call('POST', `/v1/servers/${serverId}/tickets`, token, { subject: 's', body });

test('waiting mutations of one app delay neither other apps nor lists', async () => {
  const { superuser } = sandbox.database;
  await superuser.query('begin');
  await superuser.query('select pg_advisory_xact_lock(access_lock($1, $1))', [held.appId]);
  const waiting = Array.from({ length: 30 }, () => create(held));
  // The limit of one app. Connections are left for other apps' mutations in their own transactions.
  await untilLocksWaited(superuser, 8);
  const answers = await Promise.all([
    create(other),
    create(other, 'b'.repeat(10_000)),
    node.call('GET', '/v1/servers', other.token),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 200]);
  await superuser.query('rollback');
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([201]));
});

test('a large mutation does not share a transaction', async () => {
  expect((await create(other)).status).toBe(201);
  expect((await create(other, 'b'.repeat(10_000))).status).toBe(201);
  expect(begun.map(({ isShared }) => isShared)).toEqual([true, false]);
});

test('many large mutations of one app do not delay a ticket of another app', async () => {
  const large = '\u6f22'.repeat(10_000);
  const answers = Array.from({ length: 40 }, () => create(held, large));
  expect((await create(other)).status).toBe(201);
  // They wait for each other, and some wait too long.
  for (const { status } of await Promise.all(answers)) expect([201, 504]).toContain(status);
  expect(begun.filter(({ isShared }) => isShared)).toHaveLength(1);
});

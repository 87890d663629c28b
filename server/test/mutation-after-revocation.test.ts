// A mutation that is delayed between its authentication and its transaction writes nothing after its access has ended.
// A mutation that is already writing is awaited, so that nothing is written after the response.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fromId } from '../src/kit/crypto/ids.ts';
import { type Sandbox, startSandbox, type TestApp } from './app.ts';
import { until } from './harness.ts';
import { untilLocksWaited, untilMutationsWait } from './lock-waits.ts';
import { type ApiNode, startNode } from './node.ts';
import { createGate } from './request-gate.ts';

let sandbox: Sandbox;
let node: ApiNode;
let app: TestApp;
let key: { id: string; token: string };
const gate = createGate();

beforeAll(async () => {
  sandbox = await startSandbox();
  node = startNode(sandbox, {}, gate.exchange);
});
beforeEach(async () => {
  app = await sandbox.newApp();
  key = await app.key();
  gate.shut();
});
afterAll(async () => {
  await node.close();
  await sandbox.close();
});

const TICKET = { subject: 's', body: 'b' };
const ticketPath = (): string => `/v1/servers/${app.serverIds[0]}/tickets`;

/** Counts what the API wrote, apart from the world's own tickets and the event of a pause. */
async function written(): Promise<unknown> {
  const { rows } = await sandbox.database.superuser.query(
    `select (select count(*)::int from tickets t where t.app_id = a.app_id and t.subject = 's') as tickets,
       (select count(*)::int from events e where e.app_id = a.app_id and e.type = 'ticket.created') as events
     from apps a order by app_id desc limit 1`,
  );
  return rows[0];
}

const server = (): string => `/apps/${app.id}/servers/${app.serverIds[0]}/installation`;
const end = (how: string, body?: object) => sandbox.manage('POST', `/apps/${app.id}/${how}`, body);
const STOPS: [string, string, () => Promise<{ status: number }>][] = [
  ['a revoked key', 'revoked_key', () => sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`)],
  ['a paused installation', 'installation_paused', () => sandbox.manage('PUT', server(), { state: 'paused' })],
  ['a revoked installation', 'installation_revoked', () => sandbox.manage('PUT', server(), { state: 'revoked' })],
  [
    'a paused scope',
    'installation_paused',
    () => sandbox.manage('PUT', `${server()}/scopes/tickets:create`, { state: 'paused' }),
  ],
  [
    'a revoked scope',
    'installation_revoked',
    () => sandbox.manage('PUT', `${server()}/scopes/tickets:create`, { state: 'revoked' }),
  ],
  ['a suspended app', 'app_suspended', () => end('suspend')],
  ['an app that is being deleted', 'app_suspended', () => end('delete', {})],
];

describe.each(STOPS)('mutations with %s', (_, code, stop) => {
  test('the end of access refuses a mutation that was authenticated before and has not written', async () => {
    const answer = node.call('POST', ticketPath(), key.token, TICKET);
    await until(() => gate.authenticatedCount() === 1);
    expect((await stop()).status).toBe(200);
    gate.open();
    expect((await answer).code).toBe(code);
    expect(await written()).toEqual({ tickets: 0, events: 0 });
  });

  test('the end of access waits for a mutation that is already writing', async () => {
    gate.open();
    const { superuser } = sandbox.database;
    expect((await node.call('POST', ticketPath(), key.token, TICKET)).status).toBe(201);
    await superuser.query('begin');
    await superuser.query('select from ticket_numbers for update');
    const answer = node.call('POST', ticketPath(), key.token, TICKET);
    await untilMutationsWait(superuser, 1);
    let isStopped = false;
    const stopping = stop().then((stopped) => {
      isStopped = true;
      return stopped;
    });
    await untilLocksWaited(superuser, 2);
    expect(isStopped).toBe(false);
    await superuser.query('commit');
    expect((await answer).status).toBe(201);
    expect((await stopping).status).toBe(200);
    expect(await written()).toEqual({ tickets: 2, events: 2 });
    expect((await node.call('POST', ticketPath(), key.token, TICKET)).code).toBe(code);
  });
});

test('a mutation that waited for a change of its access is judged by the new access', async () => {
  gate.open();
  const { superuser } = sandbox.database;
  await superuser.query('begin');
  await superuser.query("update installations set state = 'paused' where app_id = $1", [fromId('app', app.id)]);
  const answer = node.call('POST', ticketPath(), key.token, TICKET);
  await untilLocksWaited(superuser, 1);
  await superuser.query('commit');
  expect((await answer).code).toBe('installation_paused');
  expect(await written()).toMatchObject({ tickets: 0 });
});

// A mutation that waits for a row of others holds no access meanwhile: what ends the access waits for those alone that have all they
// need, one of a server and not a row of them.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { fromId } from '../src/kit/crypto/ids.ts';
import { sql } from '../src/kit/db/sql.ts';
import { type Answer, type Sandbox, startSandbox, type TestApp } from './app.ts';
import { type ApiNode, type NodeAnswer, startNode } from './node.ts';
import { untilWaiting } from './waiting.ts';

// Nobody loses patience while a test looks on: each waits where it is, in the transaction that it shares.
vi.mock('../src/access/authority/tenant-store.ts', async (original) => ({
  ...(await original<typeof import('../src/access/authority/tenant-store.ts')>()),
  sharedSetting: (appIds: readonly string[]) =>
    sql`select set_config('slipway.app_ids', ${`{${appIds.join(',')}}`}, true)`,
}));

let sandbox: Sandbox;
let nodes: ApiNode[];
let app: TestApp;
let key: { id: string; token: string };
let workflowId: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  nodes = [startNode(sandbox), startNode(sandbox), startNode(sandbox)];
});
beforeEach(async () => {
  app = await sandbox.newApp();
  key = await app.key();
  const list = await sandbox.call<{ data: { id: string }[] }>(`/v1/servers/${app.serverIds[0]}/workflows`, key.token);
  workflowId = list.body.data.at(-1)?.id ?? '';
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await sandbox.close();
});

const createTicket = (node: ApiNode | undefined): Promise<NodeAnswer> | undefined =>
  node?.call('POST', `/v1/servers/${app.serverIds[0]}/tickets`, key.token, { subject: 's', body: 'b' });
const createRun = (node: ApiNode | undefined): Promise<NodeAnswer> | undefined =>
  node?.call('POST', `/v1/workflows/${workflowId}/runs`, key.token, { input: { memberName: 'Imke' } });

const appUuid = (): string => fromId('app', app.id) ?? '';
const server = (): string => `/apps/${app.id}/servers/${app.serverIds[0]}/installation`;
const pauseScope = (scope: string): Promise<Answer> =>
  sandbox.manage('PUT', `${server()}/scopes/${scope}`, { state: 'paused' });

async function written(): Promise<number> {
  const { rows } = await sandbox.database.superuser.query<{ n: number }>(
    `select (select count(*) from tickets where app_id = $1 and subject = 's')::int
       + (select count(*) from workflow_runs where app_id = $1 and request_id is not null)::int as n`,
    [appUuid()],
  );
  return rows[0]?.n ?? Number.NaN;
}

const ticketNumbers = 'select from ticket_numbers where app_id = $1 for update';
describe.each<[string, string, typeof createTicket, () => Promise<Answer>, string]>([
  [
    'a ticket for its number, when the scope is paused',
    ticketNumbers,
    createTicket,
    () => pauseScope('tickets:create'),
    'installation_paused',
  ],
  [
    'a ticket for its number, when the installation is revoked',
    ticketNumbers,
    createTicket,
    () => sandbox.manage('PUT', server(), { state: 'revoked' }),
    'installation_revoked',
  ],
  [
    'a ticket for its number, when the key is revoked',
    ticketNumbers,
    createTicket,
    () => sandbox.manage('POST', `/apps/${app.id}/keys/${key.id}/revoke`),
    'revoked_key',
  ],
  [
    'a run for its workflow, when the scope is paused',
    'select from workflows where app_id = $1 for update',
    createRun,
    () => pauseScope('workflows:run'),
    'installation_paused',
  ],
])('%s', (_, hold, create, end, code) => {
  test('is not waited for, and writes nothing', async () => {
    const { superuser } = sandbox.database;
    // Allowed once: from then on it is judged in the trip that writes.
    expect((await create(nodes[0]))?.status).toBeLessThan(300);
    const before = await written();
    await superuser.query('begin');
    await superuser.query(hold, [appUuid()]);
    const answer = create(nodes[0]);
    await untilWaiting(superuser, 1);
    expect((await end()).status).toBe(200);
    await superuser.query('rollback');
    expect((await answer)?.code).toBe(code);
    expect(await written()).toBe(before);
  });
});

test('of those that wait for a number on a server, on whichever node, none holds its access', async () => {
  const { superuser } = sandbox.database;
  for (const node of nodes) expect((await createTicket(node))?.status).toBe(201);
  await superuser.query('begin');
  await superuser.query(ticketNumbers, [appUuid()]);
  const answers = nodes.map(createTicket);
  await untilWaiting(superuser, nodes.length);
  const { rows } = await superuser.query(
    `select from pg_locks where locktype = 'advisory' and granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  expect(rows).toEqual([]);
  await superuser.query('rollback');
  expect((await Promise.all(answers)).map((answer) => answer?.status)).toEqual([201, 201, 201]);
});

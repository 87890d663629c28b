// Mutations that arrive together share a transaction: each stays within its own app, is refused separately, and delays
// no other.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { lockAllowedAccess } from '../src/access/authority/index.ts';
import { fromId, newUuid } from '../src/kit/crypto/ids.ts';
import { defineItemRead } from '../src/kit/db/item-statement-store.ts';
import { sql } from '../src/kit/db/sql.ts';
import { insertTicket } from '../src/resources/tickets/store.ts';
import { type Sandbox, startSandbox, type TestApp } from './app.ts';
import { until } from './harness.ts';
import { untilLocksWaited } from './lock-waits.ts';
import { type ApiNode, type NodeAnswer, startNode } from './node.ts';
import { recordMutations, type StartedMutation } from './recorded-mutations.ts';
import { createGate } from './request-gate.ts';

interface Client {
  app: TestApp;
  appId: string;
  keyId: string;
  serverId: string;
  token: string;
}

let sandbox: Sandbox;
let node: ApiNode;
const gate = createGate();
const begun: StartedMutation[] = [];
let clients: Client[];

beforeAll(async () => {
  sandbox = await startSandbox();
  node = startNode(sandbox, {}, (plane) => ({ ...gate.exchange(plane), ...recordMutations(begun)(plane) }));
});
beforeEach(async () => {
  clients = await Promise.all(
    [1, 2, 3].map(async () => {
      const app = await sandbox.newApp();
      const { id: keyId, token } = await app.key();
      return { app, keyId, appId: fromId('app', app.id) ?? '', serverId: app.serverIds[0] ?? '', token };
    }),
  );
});
afterAll(async () => {
  await node.close();
  await sandbox.close();
});

const TICKET = { subject: 's', body: 'b' };
interface MutationRequest {
  by: Client;
  on?: Client;
  idempotencyKey?: string;
}

/** Starts all mutations in one tick of the event loop. */
async function sendTogether(inputs: readonly MutationRequest[]): Promise<Promise<NodeAnswer>[]> {
  gate.shut();
  const answers = inputs.map(({ by, on = by, idempotencyKey }) =>
    node.call('POST', `/v1/servers/${on.serverId}/tickets`, by.token, TICKET, {
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    }),
  );
  await until(() => gate.authenticatedCount() === inputs.length);
  gate.open();
  return answers;
}

interface StoredTicketRow {
  app_id: string;
  number: number;
  transaction: string;
  events: number;
}

/** Returns the tickets that these tests created in the clients' apps. */
async function written(): Promise<StoredTicketRow[]> {
  const { rows } = await sandbox.database.superuser.query<StoredTicketRow>(
    `select app_id, number, xmin::text as transaction, (select count(*)::int from events e
       where e.app_id = t.app_id and e.subject_id = t.ticket_id and e.xmin = t.xmin) as events
     from tickets t where subject = 's' and app_id = any($1) order by app_id, number`,
    [clients.map(({ appId }) => appId)],
  );
  return rows;
}

const statuses = async (answers: readonly Promise<NodeAnswer>[]): Promise<unknown[]> =>
  (await Promise.all(answers)).map(({ status, code }) => code ?? status);
const [first, second, third] = [0, 1, 2].map((index) => () => clients[index] as Client) as [
  () => Client,
  () => Client,
  () => Client,
];

test('concurrent mutations share one transaction, and each app’s tickets have contiguous numbers and events', async () => {
  const inputs = [first(), second(), first(), third(), first()].map((by) => ({ by, idempotencyKey: newUuid() }));
  const answers = await Promise.all(await sendTogether(inputs));
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
  const rows = await written();
  expect(new Set(rows.map(({ transaction }) => transaction)).size).toBe(1);
  expect(rows.map(({ events }) => events)).toEqual(Array(5).fill(1));
  const numbers = rows.filter(({ app_id }) => app_id === first().appId).map(({ number }) => number);
  expect(numbers).toEqual([0, 1, 2].map((index) => (numbers[0] ?? 0) + index));
  // Each response has the number of its own ticket.
  const mine = answers.filter((_, index) => inputs[index]?.by === first()).map(({ body }) => body.number);
  expect(mine.sort()).toEqual(numbers);
});

test('the response, the stored response, the event in each version and the row have the same number and time', async () => {
  const metadata = { number: '-1', text: '"number":-1' };
  const idempotencyKey = newUuid();
  const { app, appId, serverId, token } = first();
  const ask = (): Promise<NodeAnswer> =>
    node.call(
      'POST',
      `/v1/servers/${serverId}/tickets`,
      token,
      { ...TICKET, metadata },
      { 'idempotency-key': idempotencyKey },
    );
  const [made, again] = [await ask(), await ask()];
  expect([made.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
  expect(again.body).toEqual(made.body);
  const shown = await node.call('GET', `/v1/tickets/${made.body.id}`, token);
  expect(shown.body).toEqual(made.body);
  const { rows } = await sandbox.database.superuser.query<{ body: string; older_bodies: string[] }>(
    "select body, older_bodies from events where app_id = $1 and type = 'ticket.created' order by event_id desc limit 1",
    [appId],
  );
  const { number, createdAt } = made.body;
  expect(number).toBeGreaterThan(0);
  for (const text of [rows[0]?.body, ...(rows[0]?.older_bodies ?? [])])
    expect(JSON.parse(text ?? '').data).toMatchObject({ number, createdAt, metadata });
  expect(rows[0]?.older_bodies).toHaveLength(1);
  expect(app.id).toBe(JSON.parse(rows[0]?.body ?? '').appId);
});

test('another app’s server gets the same 404 as a missing one, even if its owner is in the same transaction', async () => {
  const answers = await sendTogether([{ by: first() }, { by: second(), on: first() }, { by: third(), on: first() }]);
  expect(await statuses(answers)).toEqual([201, 'not_found', 'not_found']);
  expect((await written()).map(({ app_id }) => app_id)).toEqual([first().appId]);
});

test('a mutation whose access is being changed waits in its own transaction and delays no other app', async () => {
  const { superuser } = sandbox.database;
  begun.length = 0;
  await superuser.query('begin');
  await superuser.query('select pg_advisory_xact_lock(access_lock($1, $1))', [first().appId]);
  const [waiting, ...others] = await sendTogether([{ by: first() }, { by: second() }, { by: third() }]);
  expect(await statuses(others)).toEqual([201, 201]);
  await untilLocksWaited(superuser, 1);
  const timesOf = (client: Client): boolean[] =>
    begun.filter(({ appId }) => appId === client.appId).map(({ isShared }) => isShared);
  expect([first(), second(), third()].map(timesOf)).toEqual([[true, false], [true], [true]]);
  await superuser.query('rollback');
  expect((await waiting)?.status).toBe(201);
});

test('a refused mutation is judged before the transaction writes, so no other mutation is repeated', async () => {
  const { app, appId, serverId } = first();
  const other = { ...first(), serverId: app.serverIds[1] ?? '' };
  const pause = await sandbox.manage('PUT', `/apps/${app.id}/servers/${serverId}/installation`, { state: 'paused' });
  expect(pause.status).toBe(200);
  begun.length = 0;
  const answers = await sendTogether([{ by: other }, { by: first() }, { by: other }]);
  expect(await statuses(answers)).toEqual([201, 'installation_paused', 201]);
  expect(begun).toEqual(Array(3).fill({ appId, isShared: true }));
  expect((await written()).filter((row) => row.app_id === appId)).toHaveLength(2);
});

test('a stored response is returned only if access is allowed again now', async () => {
  const { app, serverId } = first();
  const input = { by: first(), idempotencyKey: newUuid() };
  expect(await statuses(await sendTogether([input]))).toEqual([201]);
  const isReplayed = async (): Promise<unknown> =>
    (await sendTogether([input]))[0]?.then(({ headers }) => headers['idempotent-replayed']);
  expect(await isReplayed()).toBe('true');
  await sandbox.manage('PUT', `/apps/${app.id}/servers/${serverId}/installation`, { state: 'paused' });
  expect(await statuses(await sendTogether([input]))).toEqual(['installation_paused']);
});

test('a revocation waits for the transaction of its mutation, which is written', async () => {
  const { app, appId, keyId, serverId } = first();
  let hold = (): void => {};
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => {
    hold = resolve;
  });
  const gone = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const uuids = { keyId: fromId('key', keyId) ?? '', serverId: fromId('srv', serverId) ?? '' };
  const written = node.open.plane.mutations.run('a test', appId, async (tenant) => {
    expect(tenant.isShared).toBe(true);
    await lockAllowedAccess(tenant, { ...uuids, scope: 'tickets:create' });
    hold();
    await gone;
    return insertTicket(tenant, newUuid(), uuids.serverId, TICKET);
  });
  await held;
  let isRevoked = false;
  const revoking = sandbox.manage('POST', `/apps/${app.id}/keys/${keyId}/revoke`).then((answer) => {
    isRevoked = true;
    return answer.status;
  });
  await untilLocksWaited(sandbox.database.superuser, 1);
  expect(isRevoked).toBe(false);
  goOn();
  expect((await written)?.subject).toBe('s');
  expect(await revoking).toBe(200);
});

test('a mutation waits in its own transaction if its ticket number is locked', async () => {
  const { superuser } = sandbox.database;
  expect(await statuses(await sendTogether([{ by: first() }]))).toEqual([201]);
  await superuser.query('begin');
  await superuser.query('select from ticket_numbers where app_id = $1 for update', [first().appId]);
  const [waiting, ...others] = await sendTogether([{ by: first() }, { by: second() }, { by: third() }]);
  expect(await statuses(others)).toEqual([201, 201]);
  await superuser.query('rollback');
  expect((await waiting)?.status).toBe(201);
});

test('one of two mutations with the same Idempotency-Key is carried out, and the other must wait', async () => {
  const idempotencyKey = newUuid();
  const input = { by: first(), idempotencyKey };
  // The same key of another app is a different key.
  const answers = await sendTogether([input, input, { by: second(), idempotencyKey }]);
  expect(await statuses(answers)).toEqual([201, 'idempotency_in_progress', 201]);
  const rows = await written();
  expect([rows.length, new Set(rows.map(({ transaction }) => transaction)).size]).toEqual([2, 1]);
  const [again] = await Promise.all(await sendTogether([input]));
  expect([again?.status, again?.headers['idempotent-replayed']]).toEqual([201, 'true']);
});

test('a database error of one mutation refuses only that mutation', async () => {
  const { run } = node.open.plane.mutations;
  const make = (by: Client, ticketId: string) =>
    run('a test', by.appId, (tenant) => insertTicket(tenant, ticketId, fromId('srv', by.serverId) ?? '', TICKET));
  const ticketId = newUuid();
  await make(first(), ticketId);
  const outcomes = await Promise.allSettled([
    make(first(), ticketId),
    make(second(), newUuid()),
    make(third(), newUuid()),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(await written()).toHaveLength(3);
});

test('a statement without a tenant condition sees only rows of the apps in the shared transaction', async () => {
  const { run } = node.open.plane.mutations;
  const EVERYBODY = defineItemRead<object, { apps: string[] }>(
    sql`n int`,
    (rows) => sql`select nth, (select array_agg(distinct app_id::text) from servers) as apps from ${rows}`,
  );
  const seen = await Promise.all(
    [first(), second()].map(({ appId }) =>
      run('a test', appId, async (tenant) => (await tenant.each(EVERYBODY, {}))[0]),
    ),
  );
  const shared = [first().appId, second().appId].sort();
  expect(seen.map((row) => row?.apps.sort())).toEqual([shared, shared]);
});

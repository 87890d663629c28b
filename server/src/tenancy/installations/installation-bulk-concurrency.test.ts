// Concurrent changes of grants, changes concurrent with mutations, and changes of thousands of servers.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, json, type Sandbox, startSandbox, type TestApp } from '../../../test/app.ts';
import { untilLocksWaited, untilMutationsWait } from '../../../test/lock-waits.ts';
import { SCOPES, type Scope } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';

let sandbox: Sandbox;
let app: TestApp;
let token: string;
beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(async () => {
  app = await sandbox.newApp();
  token = (await app.key()).token;
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.close();
});

type State = 'authorised' | 'paused' | 'revoked';
interface Result {
  changed: number;
  data: { serverId: string; from: State | null }[];
  nextCursor: string | null;
}

const bulk = (body: unknown): Promise<Answer<Result>> =>
  sandbox.manage<Result>('POST', `/apps/${app.id}/installation-changes`, body);
const set = (state: State, server: string | undefined, scope?: Scope): Promise<Answer> =>
  sandbox.manage('PUT', `/apps/${app.id}/servers/${server}/installation${scope ? `/scopes/${scope}` : ''}`, { state });
const createTicket = (server: string | undefined): Promise<Answer> =>
  sandbox.call(`/v1/servers/${server}/tickets`, token, json({ subject: 's', body: 'b' }));

const changes = (): Promise<Answer<{ data: Record<string, unknown>[] }>> =>
  sandbox.manage('GET', `/apps/${app.id}/installation-changes?limit=100`);

test('returns the result of the change from a dry run, which writes nothing and does not wait for locks', async () => {
  const { superuser } = sandbox.database;
  await set('paused', app.serverIds[1]);
  const before = [(await changes()).body.data];
  await superuser.query('begin');
  await superuser.query('select from servers for no key update');
  const dry = await bulk({ state: 'paused', isDryRun: true }).finally(() => superuser.query('rollback'));
  expect([(await changes()).body.data]).toEqual(before);
  const real = await bulk({ state: 'paused' });
  expect(dry.body).toEqual({ ...real.body, isDryRun: true });
  const { rowCount } = await superuser.query(
    `select from audit_entries where action = 'installation.bulk' and app_id = $1`,
    [fromId('app', app.id)],
  );
  expect(rowCount).toBe(1);
});

describe('concurrent changes of grants', () => {
  test('complete without a deadlock when they name the same servers in opposite orders, with single changes and mutations', async () => {
    const { superuser } = sandbox.database;
    const up = [...app.serverIds].sort();
    const down = [...up].reverse();
    await superuser.query('begin');
    let answers: Promise<{ status: number }[]>;
    try {
      await superuser.query('lock table installations, installation_scopes in share mode');
      const first = bulk({ state: 'paused', serverIds: up });
      // The change now holds the servers and the app, so every later change waits.
      await untilLocksWaited(superuser, 1);
      answers = Promise.all([
        first,
        bulk({ state: 'authorised', serverIds: down }),
        bulk({ state: 'paused', serverIds: down, scopes: ['events:read', 'tickets:create'] }),
        set('authorised', down[0]),
        set('paused', up[0], 'events:read'),
        ...app.serverIds.map(createTicket),
      ]);
      await untilLocksWaited(superuser, 10);
    } finally {
      await superuser.query('rollback');
    }
    const codes = (await answers).map(({ status }) => status);
    expect(codes.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
    for (const status of codes.slice(5)) expect([201, 403]).toContain(status);
  });

  test('wait for a mutation in progress when a server is paused, and reject later mutations', async () => {
    const { superuser } = sandbox.database;
    const tickets = async (): Promise<number | null> =>
      (await superuser.query('select from tickets where app_id = $1', [fromId('app', app.id)])).rowCount;
    const before = await tickets();
    await superuser.query('begin');
    await superuser.query('lock table tickets in share mode');
    const first = createTicket(app.serverIds[0]);
    await untilMutationsWait(superuser, 1);
    const paused = bulk({ state: 'paused' });
    await untilLocksWaited(superuser, 2);
    const second = createTicket(app.serverIds[0]);
    await untilLocksWaited(superuser, 3);
    await superuser.query('rollback');
    expect([(await first).status, (await paused).status, (await second).status]).toEqual([201, 200, 403]);
    expect(await tickets()).toBe((before ?? 0) + 1);
  });
});

test('changes 1,000 of 2,500 servers per call, and continues with a cursor', async () => {
  const { superuser } = sandbox.database;
  const appId = fromId('app', app.id);
  const copy = (table: string, changed: string): string =>
    `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || ${changed})).* from many, lateral
       (select * from ${table} where app_id = $1 limit 1) t`;
  const many = (columns: string): string => `with many as (select ${columns} from generate_series(1, 2495) n)`;
  await superuser.query(
    `${many('gen_random_uuid() as id')} ${copy('servers', "jsonb_build_object('server_id', many.id)")}`,
    [appId],
  );
  await superuser.query(
    `insert into installations (app_id, installation_id, server_id) select app_id, gen_random_uuid(), server_id
     from servers s where app_id = $1 and not exists (select from installations i where i.server_id = s.server_id)`,
    [appId],
  );
  await superuser.query(
    `insert into installation_scopes (app_id, grant_id, installation_id, scope)
     select i.app_id, gen_random_uuid(), i.installation_id, scope from installations i, unnest($2::text[]) scope
     where i.app_id = $1 on conflict do nothing`,
    [appId, SCOPES],
  );
  const seen = new Set<string>();
  let cursor: string | null | undefined;
  const sizes: number[] = [];
  do {
    const answer: Answer<Result> = await bulk({ state: 'paused', scopes: SCOPES, ...(cursor && { cursor }) });
    expect(answer.status).toBe(200);
    expect(answer.body.changed).toBe(answer.body.data.length);
    for (const { serverId } of answer.body.data) seen.add(serverId);
    sizes.push(answer.body.changed);
    cursor = answer.body.nextCursor;
  } while (cursor !== null);
  expect(sizes).toEqual([6000, 6000, 3000]);
  expect(seen.size).toBe(2500);
});

// A cached page is valid while its app's revision stands still. So every change of data on pages must move the
// revision: in any column and by any role, and without moving another app's revision.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromId } from '../src/kit/crypto/ids.ts';
import { sql } from '../src/kit/db/sql.ts';
import { json, type Sandbox, startSandbox, type TestApp } from './app.ts';

let sandbox: Sandbox;
let app: TestApp;
let appId: string;
let otherId: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await sandbox.newApp();
  appId = fromId('app', app.id) ?? '';
  otherId = fromId('app', (await sandbox.newApp()).id) ?? '';
});
afterAll(() => sandbox.close());

async function insert(text: string, ...values: string[]): Promise<string> {
  const { rows } = await sandbox.database.superuser.query<{ id: string }>(text, [appId, ...values]);
  return rows[0]?.id ?? '';
}

const looseServer = (): Promise<string> =>
  insert(`insert into servers
    select app_id, gen_random_uuid(), name, slug, description, icon_url, locale, timezone, member_count, created_at
    from servers where app_id = $1 limit 1 returning server_id as id`);

const looseInstallation = async (): Promise<string> =>
  insert(
    `insert into installations (app_id, installation_id, server_id)
     values ($1, gen_random_uuid(), $2) returning installation_id as id`,
    await looseServer(),
  );

const loosePublication = async (): Promise<string> =>
  insert(
    `insert into publications (app_id, publication_id, server_id, channel, title, body_markdown, status, author, tags,
       published_at, created_at)
     values ($1, gen_random_uuid(), $2, 'c', 't', 'b', 'published', 'a', '{}', now(), now()) returning publication_id as id`,
    await looseServer(),
  );

const looseRoadmapItem = async (): Promise<string> =>
  insert(
    `insert into roadmap_items (app_id, roadmap_item_id, server_id, title, description, status, category, position,
       vote_count, created_at)
     values ($1, gen_random_uuid(), $2, 't', 'd', 'idea', 'c', 0, 0, now()) returning roadmap_item_id as id`,
    await looseServer(),
  );

const looseFault = (): Promise<string> =>
  insert(
    `insert into faults (app_id, fault_id, share, latency_ms, is_reset, created_by)
     values ($1, gen_random_uuid(), 0.5, 1, false, 'c') returning fault_id as id`,
  );

type Collection = 'grants' | 'servers' | 'publications' | 'roadmap' | 'activity' | 'faults';

async function revisionOf(app: string, collection: Collection): Promise<number> {
  const { rows } = await sandbox.database.superuser.query<{ revision: string }>(
    `select coalesce(sum(${collection}), 0) as revision from revisions where app_id = $1`,
    [app],
  );
  return Number(rows[0]?.revision);
}

/** Returns how far a statement moves the revisions of two apps if it changes a row. The statement is rolled back. */
async function moved(
  collection: Collection,
  role: string | undefined,
  text: string,
  values: unknown[],
): Promise<{ own: number; other: number; rows: number }> {
  const { superuser } = sandbox.database;
  const before = [await revisionOf(appId, collection), await revisionOf(otherId, collection)] as const;
  await superuser.query('begin');
  try {
    await superuser.query("select set_config('slipway.app_id', $1, true)", [appId]);
    if (role !== undefined) await superuser.query(`set local role ${role}`);
    const { rowCount } = await superuser.query(text, values);
    await superuser.query('reset role');
    return {
      own: (await revisionOf(appId, collection)) - before[0],
      other: (await revisionOf(otherId, collection)) - before[1],
      rows: rowCount ?? 0,
    };
  } finally {
    await superuser.query('rollback');
  }
}

// Returns another value of the column, for each type in these tables.
const CHANGED: Record<string, (column: string) => string> = {
  uuid: () => 'gen_random_uuid()',
  text: (column) =>
    column === 'state' ? "'paused'" : column === 'scope' ? "'workflows:run'" : `${column} || ' changed'`,
  'text[]': (column) => `${column} || 'changed'::text`,
  integer: (column) => `${column} + 1`,
  bigint: (column) => `coalesce(${column}, 0) + 1`,
  'double precision': (column) => `${column} / 2`,
  boolean: (column) => `not coalesce(${column}, false)`,
  'timestamp with time zone': (column) => `${column} + interval '1 second'`,
};

const TABLES: Record<string, { collection: Collection; id: string }> = {
  installations: { collection: 'grants', id: 'installation_id' },
  installation_scopes: { collection: 'grants', id: 'grant_id' },
  servers: { collection: 'servers', id: 'server_id' },
  publications: { collection: 'publications', id: 'publication_id' },
  roadmap_items: { collection: 'roadmap', id: 'roadmap_item_id' },
  faults: { collection: 'faults', id: 'fault_id' },
};

// Single tickets, single runs and the feed. A ticket or a run is counted by its event.
describe.each([
  ['events', 'update events set sequence = sequence + 1'],
  [
    'events',
    'insert into events (app_id, event_id, type, schema_version, server_id, subject_type, subject_id, sequence, body) select app_id, gen_random_uuid(), type, 1, server_id, subject_type, subject_id, sequence + 1, body from events where sequence = 1',
  ],
  ['events', 'delete from events'],
  ['tickets', "update tickets set status = 'closed'"],
  ['tickets', 'delete from tickets'],
  [
    'tickets',
    'insert into tickets (app_id, ticket_id, server_id, number, subject, body, category, priority, requester, labels, metadata) select app_id, gen_random_uuid(), server_id, number + 1000, subject, body, category, priority, requester, labels, metadata from tickets',
  ],
  ['workflow_runs', "update workflow_runs set steps = '[]'"],
  ['workflow_runs', 'delete from workflow_runs'],
])('the activity of an app after a change of %s', (table, statement) => {
  test(`${statement.slice(0, 60)} moves the app’s activity`, async () => {
    const key = await app.key();
    const { token } = key;
    const [serverId] = app.serverIds;
    await sandbox.call(`/v1/servers/${serverId}/tickets`, token, json({ subject: 's', body: 'b' }));
    const workflows = await sandbox.call<{ data: { id: string }[] }>(`/v1/servers/${serverId}/workflows`, token);
    const runs = `/v1/workflows/${workflows.body.data.at(-1)?.id}/runs`;
    expect((await sandbox.call(runs, token, json({ input: { memberName: 'Imke' } }))).status).toBe(202);
    const where = statement.includes('where') ? ' and app_id = $1' : ' where app_id = $1';
    const moves = await moved('activity', undefined, statement + where, [appId]);
    expect([table, moves.own, moves.other]).toEqual([table, 1, 0]);
    expect(moves.rows).toBeGreaterThan(0);
  });
});

describe.each(Object.entries(TABLES))('the revision of the table %s', (table, { collection, id }) => {
  // Returns a row on which no other row depends, so that its keys can be changed too.
  async function looseRow(): Promise<string> {
    if (table === 'servers') return looseServer();
    if (table === 'installations') return looseInstallation();
    if (table === 'publications') return loosePublication();
    if (table === 'roadmap_items') return looseRoadmapItem();
    if (table === 'faults') return looseFault();
    return insert(
      `insert into installation_scopes (app_id, grant_id, installation_id, scope)
       values ($1, gen_random_uuid(), $2, 'servers:read') returning grant_id as id`,
      await looseInstallation(),
    );
  }

  // Returns another existing parent, because a foreign key must refer to one.
  async function otherParent(column: string): Promise<string | undefined> {
    if (column === 'server_id' && table !== 'servers') return `'${await looseServer()}'`;
    if (column === 'status') return `case when status = 'published' then 'archived' else 'planned' end`;
    if (column === 'target_quarter') return "'2027-Q3'";
    if (table === 'installation_scopes' && column === 'installation_id') return `'${await looseInstallation()}'`;
    return undefined;
  }

  async function columns(): Promise<{ name: string; type: string; isManagers: boolean }[]> {
    const { rows } = await sandbox.database.superuser.query(
      `select attname as name, format_type(atttypid, atttypmod) as type,
         has_column_privilege('slipway_manager', attrelid, attnum, 'update') as "isManagers"
       from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
      [table],
    );
    return rows;
  }

  test('a change of any column moves the app’s revision by one and no other app’s', async () => {
    const row = await looseRow();
    for (const { name, type, isManagers } of await columns()) {
      if (name === 'app_id') continue; // covered below
      const value = (await otherParent(name)) ?? CHANGED[type]?.(name);
      expect([name, type, value]).not.toContain(undefined);
      const moves = await moved(
        collection,
        isManagers ? 'slipway_manager' : undefined,
        `update ${table} set ${name} = ${value} where ${id} = $1`,
        [row],
      );
      expect([name, moves]).toEqual([name, { own: 1, other: 0, rows: 1 }]);
    }
  });

  test('inserting and deleting a row moves the revision', async () => {
    const row = await looseRow();
    const { superuser } = sandbox.database;
    const { rows } = await superuser.query(`select to_jsonb(t) as copy from ${table} t where ${id} = $1`, [row]);
    const deletion = await moved(collection, undefined, `delete from ${table} where ${id} = $1`, [row]);
    expect(deletion).toEqual({ own: 1, other: 0, rows: 1 });
    await superuser.query(`delete from ${table} where ${id} = $1`, [row]);
    const insertion = await moved(
      collection,
      undefined,
      `insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`,
      [rows[0].copy],
    );
    expect(insertion).toEqual({ own: 1, other: 0, rows: 1 });
  });

  test('a statement that changes nothing moves no revision', async () => {
    const moves = await moved(collection, undefined, `update ${table} set ${id} = ${id} where ${id} = $1`, [otherId]);
    expect(moves).toEqual({ own: 0, other: 0, rows: 0 });
  });

  test('no role can move a row to another app, which would leave the first app’s pages cached', async () => {
    const row = await looseRow();
    for (const role of ['slipway_manager', 'slipway_api', 'slipway_worker']) {
      const attempt = moved(collection, role, `update ${table} set app_id = $2 where ${id} = $1`, [row, otherId]);
      await expect(attempt).rejects.toMatchObject({ code: '42501' });
    }
  });

  test('no role can truncate the table without being counted', async () => {
    for (const role of ['slipway_manager', 'slipway_api', 'slipway_worker']) {
      await expect(moved(collection, role, `truncate ${table} cascade`, [])).rejects.toMatchObject({ code: '42501' });
    }
  });
});

test('a change that is rolled back is not counted', async () => {
  const before = await revisionOf(appId, 'grants');
  await moved('grants', 'slipway_manager', "update installations set state = 'paused' where app_id = $1", [appId]);
  expect(await revisionOf(appId, 'grants')).toBe(before);
});

test('concurrent commits are all counted', async () => {
  const before = await revisionOf(appId, 'servers');
  const rename = (name: string) =>
    sandbox.plane.db.manager.transaction(async (tx) => {
      await tx.query(sql`select set_config('slipway.app_id', ${appId}, true)`);
      await tx.query(sql`update servers set name = ${name}
        where server_id = (select server_id from servers order by server_id offset ${Number(name)} limit 1)`);
    });
  await Promise.all(['0', '1', '2', '3', '4'].map(rename));
  expect(await revisionOf(appId, 'servers')).toBe(before + 5);
});

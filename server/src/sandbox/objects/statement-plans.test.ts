// The data browser examines about one page of rows, however many objects the app or one of its servers has.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../test/app.ts';
import { countExaminedRows } from '../../../test/rows-read.ts';
import { runAsTenant } from '../../access/authority/index.ts';
import { fromId, newUuid } from '../../kit/crypto/ids.ts';
import { findObjectRow, listObjectRows } from './store.ts';
import { OBJECT_KINDS, type ObjectKind } from './world-object.ts';

/** Tables with their key, and the columns of a copy that must differ. */
const TABLES: Record<ObjectKind, { table: string; id: string; rest?: string }> = {
  server: { table: 'servers', id: 'server_id' },
  publication: { table: 'publications', id: 'publication_id' },
  roadmap_item: { table: 'roadmap_items', id: 'roadmap_item_id' },
  ticket: { table: 'tickets', id: 'ticket_id', rest: "|| jsonb_build_object('number', 1000 + n)" },
  workflow: { table: 'workflows', id: 'workflow_id' },
  workflow_run: { table: 'workflow_runs', id: 'workflow_run_id' },
};
const COPIES = 3_000;
/** A page, and the row that shows that another page follows. */
const LIMIT = 26;

let sandbox: Sandbox;
let appId: string;
/** A server with thousands of objects, and one with few. */
const servers = { crowded: '', quiet: '' };

beforeAll(async () => {
  sandbox = await startSandbox();
  const app = await sandbox.newApp();
  appId = fromId('app', app.id) ?? '';
  for (const type of ['ticket.created', 'workflow_run.started']) {
    expect((await sandbox.manage('POST', `/apps/${app.id}/world/events`, { type })).status).toBe(201);
  }
  const runs = await sandbox.manage<{ data: { serverId: string }[] }>(
    'GET',
    `/apps/${app.id}/world/objects?kind=workflow_run`,
  );
  const quietId = runs.body.data[0]?.serverId ?? '';
  servers.quiet = fromId('srv', quietId) ?? '';
  servers.crowded = fromId('srv', app.serverIds.find((id) => id !== quietId) ?? '') ?? '';
  for (const { table, id, rest = '' } of Object.values(TABLES)) {
    await sandbox.database.superuser.query(
      `insert into ${table} select r.* from ${table} o, generate_series(1, ${COPIES}) n, lateral jsonb_populate_record(o,
         jsonb_build_object('n', n, 'server_id', $2::text) || jsonb_build_object('${id}', gen_random_uuid()) ${rest}) r
       where o.ctid = (select ctid from ${table} where app_id = $1 limit 1)`,
      [appId, servers.crowded],
    );
  }
  await sandbox.database.superuser.query(`analyze ${Object.values(TABLES).map(({ table }) => table)}`);
});
afterAll(() => sandbox.close());

const examinedRows = (read: Parameters<typeof countExaminedRows>[1]): Promise<number> =>
  runAsTenant(sandbox.plane.db.api, appId, (tenant) => countExaminedRows(tenant, read));

describe.each(OBJECT_KINDS)('a page of objects of the kind %s', (kind) => {
  test.each<[string, () => string | undefined]>([
    ['of all servers', () => undefined],
    ['of a server with many objects', () => servers.crowded],
    ['of a server with few objects', () => servers.quiet],
  ])('examines at most one page of rows %s, from the beginning and after a cursor', async (_, serverId) => {
    for (const after of [undefined, newUuid(), '40000000-0000-4000-8000-000000000000']) {
      const count = await examinedRows((tenant) =>
        listObjectRows(tenant, { kind, serverId: serverId() }, after, LIMIT),
      );
      expect([kind, after, count <= LIMIT ? LIMIT : count]).toEqual([kind, after, LIMIT]);
    }
  });

  test('examines one row for one object', async () => {
    const { table, id } = TABLES[kind];
    const { rows } = await sandbox.database.superuser.query<{ id: string }>(
      `select ${id} as id from ${table} where app_id = $1 limit 1`,
      [appId],
    );
    expect(await examinedRows((tenant) => findObjectRow(tenant, kind, rows[0]?.id ?? ''))).toBe(1);
  });
});

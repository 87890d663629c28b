// The table of objects that a contract of an operator declares: isolation, privileges, revisions, and the statements on
// it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAsTenant, type TenantTransaction } from '../src/access/authority/index.ts';
import { fromId, newUuid } from '../src/kit/crypto/ids.ts';
import { withConnection } from '../src/kit/db/db.ts';
import { decideContract } from '../src/platform/contract-versions/store.ts';
import {
  deleteAllObjects,
  deleteAllStored,
  deleteStored,
  findStored,
  insertStored,
  listStored,
  lockStored,
  type NewStoredObject,
  nextNumber,
  shareStored,
} from '../src/resources/objects/index.ts';
import { type Sandbox, startSandbox } from './app.ts';
import { untilLocksWaited } from './lock-waits.ts';
import { type DatabaseRole, runAsRole, SQLSTATES } from './run-as-role.ts';

let sandbox: Sandbox;
/** Two apps, each with a server. */
let apps: { appId: string; serverId: string }[];
beforeAll(async () => {
  sandbox = await startSandbox();
  apps = [];
  for (let index = 0; index < 2; index++) {
    const app = await sandbox.newApp();
    apps.push({ appId: fromId('app', app.id) ?? '', serverId: fromId('srv', app.serverIds[0] ?? '') ?? '' });
  }
});
afterAll(() => sandbox.close());

const appAt = (index: number) => apps[index] as { appId: string; serverId: string }; // there are two
const asApp = <T>(index: number, run: (tenant: TenantTransaction) => Promise<T>): Promise<T> =>
  runAsTenant(sandbox.plane.db.api, appAt(index).appId, run);
const newObject = (index: number, changes: Partial<NewStoredObject> = {}): NewStoredObject => {
  const uuid = newUuid();
  return {
    object_id: uuid,
    kind: 'order',
    key: `ord_${uuid}`,
    server_id: appAt(index).serverId,
    parent_id: null,
    state: 'open',
    data: { title: 'Tea' },
    hidden: {},
    request_id: null,
    event_sequence: 1,
    due_in_ms: null,
    created_at: '2026-01-01T00:00:00Z',
    ...changes,
  };
};
const made = async (index: number, changes: Partial<NewStoredObject> = {}): Promise<NewStoredObject> => {
  const object = newObject(index, changes);
  expect(await asApp(index, (tenant) => insertStored(tenant, object))).toBe(true);
  return object;
};
const countOf = async (objectId: string): Promise<number> =>
  (await sandbox.database.superuser.query('select from objects where object_id = $1', [objectId])).rowCount ?? 0;

describe('isolation', () => {
  test('another app finds, lists and deletes no object', async () => {
    const { object_id: objectId, key, kind } = await made(0);
    const selection = { kind, below: undefined, fields: {} };
    const page = { after: undefined, skip: 0, limit: 100, bytes: 1_000_000 };
    const keysOf = (index: number) =>
      asApp(index, async (tenant) => (await listStored(tenant, selection, page)).rows.map((row) => row.key));
    expect(await asApp(0, (tenant) => findStored(tenant, kind, key))).toMatchObject({ key });
    expect(await asApp(1, (tenant) => findStored(tenant, kind, key))).toBeUndefined();
    expect([(await keysOf(0)).includes(key), (await keysOf(1)).includes(key)]).toEqual([true, false]);
    await asApp(1, async (tenant) => deleteStored(tenant, objectId));
    expect(await countOf(objectId)).toBe(1);
  });

  const statements = {
    select: 'select from objects',
    update: "update objects set data = '{}'",
    delete: 'delete from objects',
    numbers: 'select from object_numbers',
  };
  test.each(
    Object.entries(statements),
  )('without a condition, %s reaches the objects of one app', async (_name, text) => {
    await made(1);
    await asApp(1, (tenant) => nextNumber(tenant, 'order'));
    const none = await runAsRole(
      sandbox.database.superuser,
      { role: 'slipway_api' },
      `${text} ${text.startsWith('select') ? '' : 'returning 1'}`,
    );
    expect(none.rows).toEqual([]);
    const { appId } = appAt(0);
    const returning = text.startsWith('select') ? text.replace('select', 'select app_id') : `${text} returning app_id`;
    const own = await runAsRole(sandbox.database.superuser, { role: 'slipway_api', appId }, returning);
    expect(new Set(own.rows?.map((row) => row.app_id))).toEqual(new Set(own.rows?.length === 0 ? [] : [appId]));
  });

  test('an app cannot insert an object of another app', async () => {
    const text = `insert into objects (app_id, object_id, kind, key, server_id, data, hidden, is_writable, created_at)
      values ($1, gen_random_uuid(), 'order', 'x', $2, '{}', '{}', true, now())`;
    const { appId, serverId } = appAt(1);
    const stage = { role: 'slipway_api' as const, appId: appAt(0).appId };
    const outcome = await runAsRole(sandbox.database.superuser, stage, text, [appId, serverId]);
    expect(outcome).toEqual({ refused: SQLSTATES.privilege });
  });
});

describe('privileges', () => {
  const as = (role: DatabaseRole, text: string, values: unknown[] = []) =>
    runAsRole(sandbox.database.superuser, { role, appId: appAt(0).appId }, text, values);

  test('requests read an object that they may not change, and do not change it', async () => {
    const { object_id: objectId } = await made(0);
    await sandbox.database.superuser.query('update objects set is_writable = false where object_id = $1', [objectId]);
    const ask = (text: string) => as('slipway_api', text, [objectId]);
    expect((await ask('select 1 from objects where object_id = $1')).rows).toHaveLength(1);
    expect((await ask("update objects set data = '{}' where object_id = $1 returning 1")).rows).toEqual([]);
    expect((await ask('delete from objects where object_id = $1 returning 1')).rows).toEqual([]);
    const text = `insert into objects (app_id, object_id, kind, key, server_id, data, hidden, is_writable, created_at)
      select app_id, gen_random_uuid(), kind, 'other', server_id, data, hidden, false, created_at from objects where object_id = $1`;
    expect(await ask(text)).toEqual({ refused: SQLSTATES.privilege });
  });

  test('the erasure of an app deletes objects that requests may not change', async () => {
    const { object_id: objectId } = await made(0);
    await sandbox.database.superuser.query('update objects set is_writable = false where object_id = $1', [objectId]);
    await withConnection({ connectionString: sandbox.database.url }, async (owner) => {
      await owner.query("select set_config('slipway.app_id', $1, false)", [appAt(0).appId]);
      await owner.query('delete from objects where object_id = $1', [objectId]);
    });
    expect(await countOf(objectId)).toBe(0);
  });

  test.each([
    'app_id',
    'object_id',
    'kind',
    'key',
    'server_id',
    'is_writable',
    'created_at',
  ])('requests cannot change %s', async (column) => {
    expect(await as('slipway_api', `update objects set ${column} = ${column}`)).toEqual({
      refused: SQLSTATES.privilege,
    });
  });

  test('a worker reads which objects are due, and no values', async () => {
    await made(0, { due_in_ms: -1 });
    expect((await as('slipway_worker', 'select object_id from objects where due_at < now()')).rows).not.toEqual([]);
    expect(await as('slipway_worker', 'select data from objects')).toEqual({ refused: SQLSTATES.privilege });
    expect(await as('slipway_recorder', 'select object_id from objects')).toEqual({ refused: SQLSTATES.privilege });
  });
});

describe('statements', () => {
  test('an object with an existing key is not inserted, and another app may use the key', async () => {
    const { key } = await made(0);
    expect(await asApp(0, (tenant) => insertStored(tenant, newObject(0, { key })))).toBe(false);
    expect(await asApp(0, (tenant) => insertStored(tenant, newObject(0, { key, kind: 'shop' })))).toBe(true);
    expect(await asApp(1, (tenant) => insertStored(tenant, newObject(1, { key })))).toBe(true);
  });

  test('numbers of a kind have no gaps under concurrency, and begin at 1 in each app', async () => {
    const draw = (index: number) => asApp(index, (tenant) => nextNumber(tenant, 'numbered'));
    const numbers = await Promise.all(Array.from({ length: 20 }, () => draw(0)));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(await draw(1)).toBe(1);
  });

  test('an object is deleted with the objects below it, and with no others', async () => {
    const top = await made(0);
    const below = await made(0, { parent_id: top.object_id });
    const lowest = await made(0, { parent_id: below.object_id });
    const other = await made(0);
    await asApp(0, async (tenant) => deleteStored(tenant, top.object_id));
    const left = await Promise.all([top, below, lowest, other].map((one) => countOf(one.object_id)));
    expect(left).toEqual([0, 0, 0, 1]);
  });

  describe('while an object is created below a parent', () => {
    const family = async () => {
      const top = await made(0);
      return { top, parent: await made(0, { parent_id: top.object_id }) };
    };
    /** Runs in a transaction that stays open until the returned function is called. */
    async function holdOpen(run: (tenant: TenantTransaction) => Promise<unknown>): Promise<() => Promise<void>> {
      let end = (): void => {};
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      let transaction: Promise<void> | undefined;
      await new Promise<void>((resolve, reject) => {
        transaction = asApp(0, async (tenant) => {
          await run(tenant);
          resolve();
          await ended;
        });
        transaction.catch(reject);
      });
      return async () => {
        end();
        await transaction;
      };
    }
    const remove =
      ({ kind, key, object_id: objectId }: NewStoredObject) =>
      async (tenant: TenantTransaction) => {
        if (await lockStored(tenant, kind, key)) deleteStored(tenant, objectId);
      };

    test('the deletion of the object above the parent waits, and deletes the new object too', async () => {
      const { top, parent } = await family();
      const child = newObject(0, { parent_id: parent.object_id });
      const end = await holdOpen(async (tenant) => {
        expect(await shareStored(tenant, parent.kind, parent.key)).toMatchObject({ key: parent.key });
        await insertStored(tenant, child);
      });
      const deletion = asApp(0, remove(top));
      await untilLocksWaited(sandbox.database.superuser, 1);
      await Promise.all([end(), deletion]);
      expect(await Promise.all([top, parent, child].map((one) => countOf(one.object_id)))).toEqual([0, 0, 0]);
    });

    test('the parent is missing after the deletion of the object above it', async () => {
      const { top, parent } = await family();
      const end = await holdOpen(remove(top));
      const shared = asApp(0, (tenant) => shareStored(tenant, parent.kind, parent.key));
      await untilLocksWaited(sandbox.database.superuser, 1);
      await end();
      expect(await shared).toBeUndefined();
    });
  });

  test('a stored contract lets requests change existing objects of its writable kinds', async () => {
    const [paper, room] = [await made(0, { kind: 'paper' }), await made(1, { kind: 'room' })];
    const { superuser } = sandbox.database;
    await superuser.query("update objects set is_writable = false where kind in ('paper', 'room')");
    const document = { scopes: [], document: {}, resources: [] };
    const store = {
      name: 'x',
      hash: 'a'.repeat(64),
      document: document as never,
      scopes: [],
      writableKinds: ['paper'],
    };
    await decideContract(sandbox.database.url, () => ({ store }), { isReadOnly: false });
    const text = 'select object_id, is_writable from objects where object_id = any($1)';
    const { rows } = await superuser.query(text, [[paper.object_id, room.object_id]]);
    expect(new Map(rows.map((row) => [row.object_id, row.is_writable]))).toEqual(
      new Map([
        [paper.object_id, true],
        [room.object_id, false],
      ]),
    );
  });

  test('all objects of an app are deleted, a limited number at a time', async () => {
    const own = [await made(0), await made(0), await made(0)];
    const other = await made(1);
    await runAsTenant(sandbox.plane.db.manager, appAt(0).appId, (tenant) => deleteAllStored(tenant, 2));
    const left = await Promise.all([...own, other].map((one) => countOf(one.object_id)));
    expect(left).toEqual([0, 0, 0, 1]);
  });

  test('all objects of a kind are deleted, a limited number at a time', async () => {
    const { appId } = appAt(0);
    const tickets = async (): Promise<number> =>
      (await sandbox.database.superuser.query('select from tickets where app_id = $1', [appId])).rowCount ?? 0;
    expect(await tickets()).toBeGreaterThan(2);
    await runAsTenant(sandbox.plane.db.manager, appId, (tenant) => deleteAllObjects(tenant, 'ticket', 2));
    expect(await tickets()).toBe(0);
  });

  test('a list has the values of its filter only, and values cannot leave it', async () => {
    const title = `x"}'::jsonb or true --`;
    const wanted = await made(0, { kind: 'filtered', data: { title, tags: ['a'] } });
    await made(0, { kind: 'filtered', data: { title: 'y', tags: ['a', 'b'] } });
    const keysOf = (fields: object) =>
      asApp(0, async (tenant) => {
        const selection = { kind: 'filtered', below: undefined, fields: { ...fields } };
        const page = { after: undefined, skip: 0, limit: 10, bytes: 1_000_000 };
        const { rows } = await listStored(tenant, selection, page);
        return rows.map(({ key }) => key);
      });
    expect(await keysOf({ title })).toEqual([wanted.key]);
    expect(await keysOf({ title: "' or true --" })).toEqual([]);
    expect(await keysOf({})).toHaveLength(2);
  });

  test('each change moves the activity of its own app', async () => {
    const activity = async (index: number): Promise<number> => {
      const text = 'select coalesce(sum(activity), 0)::int as count from revisions where app_id = $1';
      return (await sandbox.database.superuser.query(text, [appAt(index).appId])).rows[0].count;
    };
    const before = [await activity(0), await activity(1)];
    const { object_id: objectId } = await made(0);
    await asApp(0, async (tenant) => deleteStored(tenant, objectId));
    expect([await activity(0), await activity(1)]).toEqual([Number(before[0]) + 2, before[1]]);
  });
});

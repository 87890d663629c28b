// The dispatcher's statements look rows up by primary key, even if they were planned while the tables were empty. Such
// a plan is kept. With an index that only begins with the app, it would read all rows of the app for each delivery.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUuid } from '../../kit/crypto/ids.ts';
import type { Sql } from '../../kit/db/sql.ts';
import { recordAttempts } from './attempt/attempt-store.ts';
import { applyDecisions, lockDueDeliveries } from './claim/claim-store.ts';
import { type DispatchFixture, testWorld } from './dispatch.fixture.ts';
import { markRecovered } from './health/health-store.ts';

let world: DispatchFixture;
beforeAll(async () => {
  world = await testWorld();
});
afterAll(() => world.close());

type StatementRecorder = { record(statement: Sql): void };

/** A database that records the statements it is asked to run. */
function recordingDatabase({ record }: StatementRecorder) {
  const query = async <Row>(statement: Sql): Promise<Row[]> => {
    record(statement);
    return [];
  };
  const together = async <Row>(statements: readonly Sql[]): Promise<Row[]> => {
    for (const statement of statements) record(statement);
    return [];
  };
  const recording = {
    query,
    together,
    send: record,
    sendForRows: query,
    sendLast: record,
    withCommit: query,
    sendAfterCommit: query,
  };
  return { ...world.dispatch, ...recording, isLost: () => false, previousPrimaryMs: () => 0 };
}

async function planOf(statement: Sql): Promise<string> {
  const explained = { ...statement, text: `explain (format json) ${statement.text}`, name: newUuid() };
  const [row] = await world.dispatch.query<{ 'QUERY PLAN': unknown }>(explained);
  return JSON.stringify(row);
}

/** Returns the index by which each table is read, independent of partitions. */
async function indexesOf(statement: Sql): Promise<string[]> {
  const names = (await planOf(statement)).matchAll(/"Index Name":"(\w+)"/g);
  return [...new Set([...names].map(([, name = '']) => name.replace(/_(\d{8}_\d\d|default)_/, '_')))].sort();
}

const VERDICTS = (['allow', 'refuse'] as const).map((verdict) => {
  return { app_id: newUuid(), delivery_id: newUuid(), key_id: newUuid(), verdict, reason: null, resource_scope: null };
});

test.each<[string, (db: ReturnType<typeof recordingDatabase>) => unknown]>([
  ['due deliveries are claimed', (db) => lockDueDeliveries(db, [])],
  ['verdicts are written', (db) => applyDecisions(db, newUuid(), VERDICTS)],
  ['attempts are recorded', (db) => recordAttempts(db, [], false)],
])('%s by primary key', async (_, ask) => {
  const statements: Sql[] = [];
  await ask(recordingDatabase({ record: (statement) => statements.push(statement) }));
  const names = (await Promise.all(statements.map(indexesOf))).flat();
  const other = names.filter((name) => !/_pkey$/.test(name));
  expect(
    other.filter((name) => !/^(queue_due|installations_by_server|installation_scopes_by_scope)$/.test(name)),
  ).toEqual([]);
  expect(names).toContain('deliveries_pkey');
});

test('every partition of deliveries has free space in its pages for updates', async () => {
  const rows = await world.rows<{ name: string; reloptions: string[] | null }>(
    "select relname as name, reloptions from pg_class where relname ~ '^deliveries_(\\d{8}_\\d\\d|default)$' and relkind = 'r'",
  );
  expect(rows.length).toBeGreaterThan(2);
  expect(rows.filter(({ reloptions }) => !reloptions?.includes('fillfactor=90'))).toEqual([]);
});

test('the key of a delivery is looked up by its id, not among all keys of its app', async () => {
  const plans: Promise<string>[] = [];
  await lockDueDeliveries(recordingDatabase({ record: (statement) => plans.push(planOf(statement)) }), []);
  const [, condition] = /"Index Name":"keys_pkey".*?"Index Cond":"(.*?)"/.exec((await Promise.all(plans)).join()) ?? [];
  expect(condition).toContain('(key_id = ');
});

test('endpoints that work again are found among the warned ones only', async () => {
  const statements: Sql[] = [];
  await markRecovered(recordingDatabase({ record: (statement) => statements.push(statement) }), 100);
  expect((await Promise.all(statements.map(indexesOf))).flat()).toContain('endpoint_health_warned');
});

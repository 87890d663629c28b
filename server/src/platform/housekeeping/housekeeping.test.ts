// Housekeeping works in short statements for any number of expired rows: each statement changes a bounded number of
// rows. A failed step does not stop the others, and a start waits only for partitions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import type { Sql } from '../../kit/db/sql.ts';
import { DEFAULT_RETENTION, runHousekeeping, startHousekeeping } from './index.ts';

const ROWS_AT_ONCE = 1_000;
const LIMITS = { rowsAtOnce: ROWS_AT_ONCE, sliceMs: 60_000 };

let sandbox: Sandbox;
let appId: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  appId = fromId('app', (await sandbox.newApp()).id) ?? '';
});
afterAll(() => sandbox.close());

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await sandbox.database.superuser.query(text, values)).rows as Row[];
const countOf = async (table: string): Promise<number> =>
  (await query<{ n: number }>(`select count(*)::int as n from ${table}`))[0]?.n ?? 0;

const OLD = `now() - interval '200 days'`;
/** The statement that fills each table with this many old rows; `$1` is the app. */
const FILLED: Record<string, (rows: number) => string> = {
  idempotency_keys: (rows) => `insert into idempotency_keys (app_id, key_hash, request_hash, status, body, created_at)
    select $1, sha256(n::text::bytea), sha256('r'), 201, '{}', ${OLD} from generate_series(1, ${rows}) n`,
  ingested_events: (rows) => `insert into ingested_events (app_id, source_hash, at)
    select $1, sha256(n::text::bytea), ${OLD} from generate_series(1, ${rows}) n`,
  rate_buckets: (rows) => `insert into rate_buckets (app_id, key_id, tokens, taken, at)
    select $1, gen_random_uuid(), 1, 1, ${OLD} from generate_series(1, ${rows}) n`,
  record_gaps: (rows) => `insert into record_gaps (app_id, minute, lost)
    select $1, ${OLD} - n * interval '1 minute', 1 from generate_series(1, ${rows}) n`,
  deprecated_uses: (rows) => `insert into deprecated_uses (app_id, deprecation_id, day, uses, last_used_at)
    select $1, 'd-' || n % 50, current_date - 100 - n / 50, 1, ${OLD} from generate_series(1, ${rows}) n`,
  unproved_counts: (rows) => `insert into unproved_counts
    select ${OLD}, n::text, $1::text, 1, now(), now() from generate_series(1, ${rows}) n`,
  redeliveries: (
    rows,
  ) => `insert into redeliveries (app_id, redelivery_id, state, statuses, since, rate_per_second, total,
      is_total_exact, after_event_id, after_delivery_id, created_by, created_at, finished_by, finished_at)
    select $1, gen_random_uuid(), 'finished', '{failed}', ${OLD}, 1, 1, true, $1, $1, 'a test', ${OLD}, 'a test', ${OLD}
    from generate_series(1, ${rows}) n`,
};

/** Returns the worker's database together with the statements that it received. */
function watched(): { db: Database; statements: Sql[]; counts: number[] } {
  const statements: Sql[] = [];
  const counts: number[] = [];
  const watchedQuery: Database['query'] = async <Row>(statement: Sql) => {
    statements.push(statement);
    const rows = await sandbox.worker.query<Row & { count?: number }>(statement);
    if (rows[0]?.count !== undefined) counts.push(rows[0].count);
    return rows;
  };
  return { db: { ...sandbox.worker, query: watchedQuery }, statements, counts };
}

async function planOf({ text, values }: Sql): Promise<string> {
  const rows = await query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...values]);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

describe('housekeeping of a table with many old rows', () => {
  const MANY = 10 * ROWS_AT_ONCE + 500;

  test.each(Object.keys(FILLED))('statements of a bounded number of rows empty the table %s', async (table) => {
    await query(FILLED[table]?.(MANY) ?? '', [appId]);
    await query(`analyze ${table}`);
    const { db, statements, counts } = watched();
    await runHousekeeping(db, DEFAULT_RETENTION, LIMITS);
    expect(await countOf(table)).toBe(0);
    expect(statements.filter(({ text }) => text.includes(`from ${table}`)).length).toBeGreaterThanOrEqual(11);
    // A walk examines a bounded number of rows, and reports no number of deletions.
    const isWalk = ['rate_buckets', 'deprecated_uses'].includes(table);
    expect(Math.max(...counts)).toBe(isWalk ? 0 : ROWS_AT_ONCE);
  });

  test('each statement of housekeeping uses an index and scans no table', async () => {
    for (const table of Object.keys(FILLED)) {
      await query(FILLED[table]?.(20_000) ?? '', [appId]);
      await query(`analyze ${table}`);
    }
    await query(
      `insert into key_uses select $1, gen_random_uuid(), ${OLD}, '192.0.2.1' from generate_series(1, 20000)`,
      [appId],
    );
    await query('analyze key_uses');
    const { db, statements } = watched();
    await runHousekeeping(db, DEFAULT_RETENTION, { ...LIMITS, sliceMs: 0 });
    for (const table of [...Object.keys(FILLED), 'key_uses']) {
      const one = statements.find(({ text }) => text.includes(`from ${table}`));
      const plan = await planOf(one as Sql); // each was issued, as the previous test shows
      expect(plan, table).toMatch(/Index (Only )?Scan/);
      expect(plan, table).not.toMatch(new RegExp(`Seq Scan on ${table}`));
    }
    await query(`truncate ${Object.keys(FILLED).join(', ')}, key_uses`);
  });

  test('housekeeping deletes only old rows, and only the address in key_uses', async () => {
    await query(
      `insert into key_uses values ($1, gen_random_uuid(), now(), '192.0.2.1'), ($1, gen_random_uuid(), ${OLD}, '192.0.2.2')`,
      [appId],
    );
    await query(FILLED.idempotency_keys?.(3) ?? '', [appId]);
    await query(`update idempotency_keys set created_at = now() where key_hash = sha256('2')`);
    await runHousekeeping(sandbox.worker, DEFAULT_RETENTION, { ...LIMITS, rowsAtOnce: 1 });
    expect(await countOf('idempotency_keys')).toBe(1);
    const kept = await query<{ at: string }>(
      'select client_address as at from key_uses where client_address is not null',
    );
    expect(kept).toEqual([{ at: '192.0.2.1' }]);
  });

  test('housekeeping keeps the counts of deprecated uses of the last 32 days', async () => {
    const days = [0, 30, 31, 34, 400];
    for (const deprecation of ['one', 'two']) {
      await query(
        `insert into deprecated_uses (app_id, deprecation_id, day, uses, last_used_at)
         select $1, $2, current_date - n, 1, now() from unnest($3::int[]) n`,
        [appId, deprecation, days],
      );
    }
    await runHousekeeping(sandbox.worker, DEFAULT_RETENTION, { ...LIMITS, rowsAtOnce: 2 });
    const kept = await query<{ id: string; age: number }>(
      'select deprecation_id as id, current_date - day as age from deprecated_uses order by 1, 2',
    );
    expect(kept).toEqual(['one', 'two'].flatMap((id) => [0, 30, 31].map((age) => ({ id, age }))));
    await query('truncate deprecated_uses');
  });
});

test('a failed step is reported and does not stop the others', async () => {
  await query('truncate idempotency_keys');
  await query(FILLED.idempotency_keys?.(5) ?? '', [appId]);
  await query(FILLED.record_gaps?.(5) ?? '', [appId]);
  await query('revoke delete on idempotency_keys from slipway_worker');
  const failure = await runHousekeeping(sandbox.worker).catch((error: unknown) => error);
  await query('grant delete on idempotency_keys to slipway_worker');
  expect(String((failure as AggregateError).errors)).toMatch(/^Error: idempotency_keys: permission denied/);
  expect([await countOf('record_gaps'), await countOf('idempotency_keys')]).toEqual([0, 5]);
});

test('a step whose time slice ends leaves the rest to the next run', async () => {
  await query(FILLED.record_gaps?.(5) ?? '', [appId]);
  await runHousekeeping(sandbox.worker, DEFAULT_RETENTION, { rowsAtOnce: 2, sliceMs: 0 });
  expect(await countOf('record_gaps')).toBe(3);
  await runHousekeeping(sandbox.worker);
  expect(await countOf('record_gaps')).toBe(0);
});

test('a start waits only for partitions, and the other steps follow', async () => {
  const ahead = async () =>
    countOf(`(select from partition_bounds('events') where lower_bound > uuid_floor(now() + interval '1 day')) soon`);
  await query(`do $$ declare leaf regclass; begin
    for leaf in select p.leaf from partition_bounds('events') p where lower_bound > uuid_floor(now() + interval '1 day')
    loop execute format('drop table %s', leaf); end loop; end $$`);
  await query(FILLED.record_gaps?.(5) ?? '', [appId]);
  const { superuser } = sandbox.database;
  await superuser.query('begin');
  await superuser.query('lock table record_gaps, idempotency_keys in access exclusive mode');
  const errors: unknown[] = [];
  const keeping = await startHousekeeping(sandbox.worker, DEFAULT_RETENTION, (error) => errors.push(error));
  expect(await ahead()).toBeGreaterThan(0);
  await superuser.query('commit');
  await until(async () => (await countOf('record_gaps')) === 0);
  await keeping.stop();
  expect(errors).toEqual([]);
});

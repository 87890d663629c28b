// Fills request records as they are after a month: millions of typical calls of many apps, one of which made half. The
// days before yesterday are sealed; yesterday and today are as written. The database writes them, and creates indexes
// after the rows.
import type pg from 'pg';
import { firstUuidAt } from '../server/src/kit/crypto/ids.ts';
import { withConnection } from '../server/src/kit/db/db.ts';
import { withoutIndexes } from './without-indexes.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export interface RecordedApp {
  app_id: string;
  organisation_id: string;
  keys: string[];
  servers: string[];
}

/** The apps in the database, each with its keys and servers. The first app made half of all records. */
const APPS = `select a.app_id, a.organisation_id, array(select key_id from keys k where k.app_id = a.app_id) as keys,
    array(select server_id from servers s where s.app_id = a.app_id) as servers
  from apps a order by a.app_id`;

/** Returns the start times of the days, oldest first. The last one is today. */
function daysOf(nowMs: number, days: number): number[] {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return Array.from({ length: days }, (_, at) => today - (days - 1 - at) * DAY_MS);
}

async function makePartition(client: pg.Client, fromMs: number, widthMs: number): Promise<void> {
  const hour = new Date(fromMs).toISOString().slice(0, 13).replaceAll('-', '').replace('T', '_');
  await client.query(`create table if not exists request_records_${hour} partition of request_records
    for values from ('${firstUuidAt(fromMs)}') to ('${firstUuidAt(fromMs + widthMs)}')`);
}

/** One in this many records has a rarely used operation. Errors, slow and simulated records are less rare. */
const RARE = 200_000;
const ROWS = `
  with drawn as materialized (
    select i, $1::float8 + i * ($2::float8 - $1::float8) / $3::int as ms, md5($1::float8 || ' ' || i) as hash,
      case when i % 2 = 0 then 0 else 1 + (i / 2) % ((select count(*) from targets) - 1) end as n,
      (random() * 1000)::int as answer, random() as speed, (random() * 12)::int as operation
    from generate_series(0, $3::int - 1) i)
  insert into request_records (app_id, request_id, at, duration_us, authority_us, status, problem_code, operation_id, method, path,
    query, key_id, server_id, client_address, user_agent, trace_id, response_bytes, error_context, simulated)
  select t.app_id, (lpad(to_hex(ms::bigint), 12, '0') || '7' || substr(hash, 1, 3) || '8' || substr(hash, 4, 15))::uuid,
    to_timestamp(ms / 1000),
    case when speed < 0.0001 then 12000000 when speed < 0.0005 then 4000000 when speed < 0.002 then 1500000
      else (800 + speed * 20000)::int end,
    900,
    case when answer < 20 then 404 when answer < 35 then 403 when answer < 45 then 429 when answer < 50 then 400
      when answer < 51 then 500 else 200 end,
    case when answer < 20 then 'not_found' when answer < 35 then 'missing_scope' when answer < 45 then 'rate_limited'
      when answer < 50 then 'invalid_request' when answer < 51 then 'internal_error' end,
    case when i % ${RARE} = 0 then 'rareOperation' else 'listServers' || chr(65 + operation) end,
    case when operation < 3 then 'POST' else 'GET' end,
    '/v1/servers/srv_01j9z3v8k6e5t8m2n4p6q8r0s2/publications', case when operation > 8 then 'limit=50' end,
    t.keys[1 + i / 3 % cardinality(t.keys)], case when operation > 1 then t.servers[1 + i / 5 % cardinality(t.servers)] end,
    '192.0.2.' || i % 200, 'bridge/1.4 (linux; node 24)', case when i % 10 = 0 then hash end, 900 + operation * 100,
    case when answer < 51 then jsonb_build_object('problem', jsonb_build_object('type', 'http://localhost:4000/problems/not-found',
      'title', 'Not found', 'status', 404, 'code', 'not_found', 'requestId', 'req_01j9z3v8k6e5t8m2n4p6q8r0sb',
      'detail', 'Look at the identifier: it names nothing that this key may see.'), 'headers', '{"accept": "*/*"}'::jsonb) end,
    case when answer = 999 then 'latency=1500' end
  from drawn join targets t using (n)`;

export interface FillResult {
  apps: RecordedApp[];
  seconds: number;
  /** The number of days that can be sealed. */
  sealable: number;
}

export async function fillRecords(
  urls: { url: string; superuserUrl: string },
  { rows, days, nowMs }: { rows: number; days: number; nowMs: number },
): Promise<FillResult> {
  const beganMs = performance.now();
  const starts = daysOf(nowMs, days);
  const whole = starts.slice(0, -2);
  await withConnection({ connectionString: urls.url }, async (client) => {
    for (const day of whole) await makePartition(client, day, DAY_MS);
    for (const day of starts.slice(-2)) {
      for (let from = day; from < day + DAY_MS; from += HOUR_MS) await makePartition(client, from, HOUR_MS);
    }
  });
  const apps = await withConnection({ connectionString: urls.superuserUrl }, async (client) => {
    await client.query(
      `create temporary table targets as select row_number() over (order by app_id) - 1 as n, t.* from (${APPS}) t`,
    );
    await client.query('begin');
    await withoutIndexes(client, ['request_records'], async () => {
      for (const day of starts) {
        const until = Math.min(day + DAY_MS, nowMs);
        const count = Math.round(((until - day) / (nowMs - (starts[0] ?? 0))) * rows);
        await client.query(ROWS, [day, until, count]);
      }
    });
    await client.query('commit');
    await client.query('vacuum analyze request_records');
    return (await client.query<RecordedApp>(APPS)).rows;
  });
  return { apps, seconds: (performance.now() - beganMs) / 1000, sealable: whole.length };
}

export async function bytesOfRecords(superuserUrl: string): Promise<{ rows: number; bytes: number }> {
  return withConnection({ connectionString: superuserUrl }, async (client) => {
    await client.query('vacuum analyze request_records');
    const { rows } = await client.query<{ rows: number; bytes: number }>(
      `select (select count(*)::float8 from request_records) as rows, sum(pg_total_relation_size(relid))::float8 as bytes
       from pg_partition_tree('request_records') where isleaf`,
    );
    return rows[0] ?? { rows: 0, bytes: 0 };
  });
}

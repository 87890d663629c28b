// Fills a dispatcher's tables as they are after months: millions of finished deliveries, each with its attempt, and a
// backlog. The database writes them in one transaction without triggers, and creates constraints and indexes after the
// rows.
import { withConnection } from '../server/src/kit/db/db.ts';
import { withoutIndexes } from './without-indexes.ts';

/** The SQL of a UUIDv7 for row i, within the last minutes, so that it lies in an existing partition. */
const idOf = (salt: string, perMs: number): string =>
  `(lpad(to_hex((extract(epoch from now()) * 1000)::bigint - i / ${perMs}), 12, '0') || '7'
    || substr(md5('${salt}' || i), 1, 3) || '8' || substr(md5('${salt}' || i), 4, 15))::uuid`;
const PER_MS = 20_000;

/** All deliveries of an app refer to one event. */
const TARGETS = `select row_number() over () - 1 as n, count(*) over () as total, e.app_id, e.endpoint_id, e.key_id,
    ev.event_id, ev.server_id, ev.schema_version
  from endpoints e join lateral (select * from events where app_id = e.app_id limit 1) ev on true`;

/** Fills tables whose endpoints and events exist and that are otherwise empty. */
export async function fillDeliveries(
  superuserUrl: string,
  rows: { finished: number; waiting: number },
): Promise<{ seconds: number; megabytes: number }> {
  const beganMs = performance.now();
  const tables = ['deliveries', 'attempts', 'queue'];
  const megabytes = await withConnection({ connectionString: superuserUrl }, async (client) => {
    await client.query('begin');
    await client.query('set local session_replication_role = replica; truncate deliveries, attempts, queue');
    await client.query(`create temporary table targets on commit drop as ${TARGETS}`);
    await withoutIndexes(client, tables, async () => {
      await client.query(
        `insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, status,
           schema_version, created_at, finished_at)
         select t.app_id, ${idOf('done', PER_MS)}, t.endpoint_id, t.event_id, t.key_id, t.server_id, 'scheduled',
           'succeeded', t.schema_version, now(), now()
         from generate_series(1, $1::int) i join targets t on t.n = i % t.total`,
        [rows.finished],
      );
      await client.query(
        `insert into attempts (app_id, delivery_id, attempt_no, started_at, duration_us, outcome, status,
           response_headers, response_body)
         select app_id, delivery_id, 1, now(), 12345, 'response', 200, '{"content-length": "2"}', 'ok' from deliveries`,
      );
      await client.query(
        `insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, status,
           schema_version)
         select t.app_id, ${idOf('waits', PER_MS)}, t.endpoint_id, t.event_id, t.key_id, t.server_id, 'scheduled', 'pending',
           t.schema_version
         from generate_series(1, $1::int) i join targets t on t.n = i % t.total`,
        [rows.waiting],
      );
      await client.query(
        `insert into queue (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, schema_version)
         select app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, schema_version from deliveries where status = 'pending'`,
      );
    });
    await client.query('commit');
    await client.query('vacuum analyze deliveries, attempts, queue');
    const { rows: sizes } = await client.query<{ mb: number }>(
      `select (sum(pg_total_relation_size(oid)) / 1048576)::int as mb from pg_class
       where relname = 'queue' or relname ~ '^(deliveries|attempts)(_|$)' and relkind = 'r'`,
    );
    return sizes[0]?.mb ?? Number.NaN;
  });
  return { seconds: (performance.now() - beganMs) / 1000, megabytes };
}

// Fills a table with millions of unused keys. The database writes them in one transaction without triggers, and creates
// constraints and indexes after the rows.
import { SCOPES } from '../server/src/access/authority/index.ts';
import { withConnection } from '../server/src/kit/db/db.ts';
import { withoutIndexes } from './without-indexes.ts';

const KEYS_PER_APP = 1_000;

/**
 * Fills the empty table. Rows of a table that was truncated in the same transaction need no log, and the database is
 * discarded later.
 */
export async function fillKeys(superuserUrl: string, count: number): Promise<{ seconds: number; megabytes: number }> {
  const beganMs = performance.now();
  const megabytes = await withConnection({ connectionString: superuserUrl }, async (client) => {
    await client.query('begin');
    await client.query('set local session_replication_role = replica; truncate keys cascade');
    await withoutIndexes(client, ['keys'], async () => {
      await client.query(
        `insert into apps (app_id, organisation_id, name, created_by)
         select md5('app' || i)::uuid, md5('organisation')::uuid, 'Idle', 'bench' from generate_series(0, $1::int) i`,
        [Math.floor(count / KEYS_PER_APP)],
      );
      await client.query(
        `insert into keys (app_id, key_id, kid, verifier, pepper_version, name, scopes, created_by, created_at, expires_at)
         select md5('app' || i / ${KEYS_PER_APP})::uuid, gen_random_uuid(),
           left(translate(encode(sha256(convert_to('kid' || i, 'UTF8')), 'base64'), '+/', 'ab'), 12),
           sha256(convert_to('verifier' || i, 'UTF8')), 1, 'Key ' || i, $2::text[], 'bench', now(), now() + interval '30 days'
         from generate_series(1, $1::int) i`,
        [count, SCOPES],
      );
    });
    await client.query('commit');
    // Otherwise Postgres would vacuum on its own during the measurement.
    await client.query('vacuum analyze keys');
    const { rows } = await client.query<{ mb: number }>("select (pg_total_relation_size('keys') / 1048576)::int as mb");
    return rows[0]?.mb ?? Number.NaN;
  });
  return { seconds: (performance.now() - beganMs) / 1000, megabytes };
}

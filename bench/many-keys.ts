// A table with millions of keys that nobody uses: written by the database itself in one transaction, without triggers, and with
// its constraints and indexes made after the rows.
import type pg from 'pg';
import { SCOPES } from '../server/src/features/authority/index.ts';
import { withConnection } from '../server/src/kit/db.ts';

const KEYS_PER_APP = 1_000;

interface Definition {
  drop: string;
  make: string;
}

/** Of the table, and of those that refer to it; in the order in which they can be dropped. */
async function definitionsOf(client: pg.Client): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make,
      array_position('{f,u,p}', contype) as place
    from pg_constraint
    where conparentid = 0 and contype in ('f', 'u', 'p') and 'keys'::regclass in (conrelid, confrelid)
    union all
    select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid), 4
    from pg_index
    where indrelid = 'keys'::regclass and not exists (select from pg_constraint where conindid = indexrelid)
    order by place`);
  return rows;
}

/** Fills the empty table. Truncated in the same transaction its rows need no log, and the database is not kept. */
export async function fillKeys(superuserUrl: string, count: number): Promise<{ seconds: number; megabytes: number }> {
  const beganMs = performance.now();
  const megabytes = await withConnection({ connectionString: superuserUrl }, async (client) => {
    await client.query(`begin;
      set local session_replication_role = replica;
      set local maintenance_work_mem = '512MB';
      truncate keys cascade`);
    const definitions = await definitionsOf(client);
    for (const { drop } of definitions) await client.query(drop);
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
    for (const { make } of definitions.reverse()) await client.query(make);
    await client.query('commit');
    await client.query('analyze keys');
    const { rows } = await client.query<{ mb: number }>("select (pg_total_relation_size('keys') / 1048576)::int as mb");
    return rows[0]?.mb ?? Number.NaN;
  });
  return { seconds: (performance.now() - beganMs) / 1000, megabytes };
}

// The SQL of the doctor in addition to that of the tables: the clock, long transactions, and misplaced rows.
import { type Queryable, withConnection } from '../kit/db/db.ts';
import { sql } from '../kit/db/sql.ts';

export async function readClock(db: Queryable): Promise<number> {
  const rows = await db.query<{ ms: number }>(sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`);
  return rows[0]?.ms ?? 0;
}

interface DatabaseHealth {
  /** Number of transactions that have been open for minutes. */
  long: number;
  /** Default partitions that contain rows. */
  astray: string[];
  bytes: number;
}

/** Reads the system catalogues only, as the login, which also owns the transactions of all pools. */
export async function readCatalogue(url: string): Promise<DatabaseHealth> {
  const { rows } = await withConnection({ connectionString: url, connectionTimeoutMillis: 5_000 }, (client) =>
    client.query<DatabaseHealth>(`select
      (select count(*)::int from pg_stat_activity where datname = current_database()
        and backend_type = 'client backend' and xact_start < clock_timestamp() - interval '5 minutes') as long,
      (select coalesce(array_agg(relname::text order by relname), '{}') from pg_class
        where relispartition and relkind = 'r' and relname like '%\\_default' and pg_relation_size(oid) > 0) as astray,
      pg_database_size(current_database())::float8 as bytes`),
  );
  return rows[0] ?? { long: 0, astray: [], bytes: 0 };
}

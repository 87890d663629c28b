// The SQL of the check in addition to that of the tables: the replication.
import type { Queryable } from '../kit/db/db.ts';
import { sql } from '../kit/db/sql.ts';
import type { Replication } from './synchronous-standbys.ts';

export async function readReplication(db: Queryable): Promise<Replication> {
  // Without the rights of pg_read_all_stats, the state is null. A copy of the files by pg_basebackup is no standby.
  const row = await db.first<Replication>(
    sql`select coalesce(current_setting('synchronous_standby_names'), '') as names, count(*) as receivers
      from pg_stat_replication where state is distinct from 'backup'`,
  );
  return row ?? { names: '', receivers: 0 };
}

// The SQL of the compaction of records.
import type { Database, Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

/**
 * Makes one partition of the oldest finished day. Returns false if there is none or another worker is compacting. Calls
 * `onBegin` with the backend's process id, which cancels the statement.
 */
export function compactDay(maintenance: Database, onBegin: (pid: number) => void): Promise<boolean> {
  return maintenance.transaction(async (tx) => {
    const [self] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    if (self) onBegin(self.pid);
    const rows = await tx.query<{ sealed: string | null }>(sql`select seal_request_records() as sealed`);
    return typeof rows[0]?.sealed === 'string';
  });
}

export async function cancelCompaction(worker: Queryable, pid: number): Promise<void> {
  await worker.query(sql`select cancel_sealing(${pid}::int)`);
}

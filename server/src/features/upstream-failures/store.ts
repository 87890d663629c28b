// The SQL of failures of the platform.
import type { Queryable } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';
import type { FailureKind, FailureRow } from './upstream-failure.ts';

export interface CountedFailure {
  operationId: string;
  kind: FailureKind;
  count: number;
  /** As ISO 8601. */
  lastAt: string;
  /** The uuid of the request. */
  requestId: string;
}

export async function addFailures(db: Queryable, failures: readonly CountedFailure[]): Promise<void> {
  for (const one of failures) {
    await db.query(sql`insert into upstream_failures as f (hour, operation_id, kind, count, last_at, request_id)
      values (date_trunc('hour', ${one.lastAt}::timestamptz), ${one.operationId}, ${one.kind}, ${one.count}, ${one.lastAt},
        ${one.requestId})
      on conflict (hour, operation_id) do update set kind = excluded.kind, count = f.count + excluded.count,
        last_at = excluded.last_at, request_id = excluded.request_id`);
  }
}

export function listFailureRows(tx: Queryable, limit: number): Promise<FailureRow[]> {
  return tx.query(sql`select hour, operation_id, kind, count, last_at, request_id from upstream_failures
    order by hour desc, last_at desc limit ${limit}`);
}

// The SQL of failures of the platform.
import type { Queryable } from '../../kit/db/db.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { sql } from '../../kit/db/sql.ts';
import type { NoticedKey } from '../notices/index.ts';
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

/** The first that an app met. All in uuids. */
export interface MetFailure {
  appId: string;
  keyId: string;
  operationId: string;
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

/** The keys of those whose apps were not told of the platform today. */
export function listUntold(db: Queryable, failures: readonly MetFailure[]): Promise<NoticedKey[]> {
  const [appIds, keyIds] = [failures.map(({ appId }) => appId), failures.map(({ keyId }) => keyId)];
  return db.query(sql`select a.organisation_id, k.app_id, k.key_id, a.name as app_name, k.name, k.kid, k.created_by, k.expires_at
    from unnest(${textArray(appIds)}::text[]::uuid[], ${textArray(keyIds)}::text[]::uuid[]) met (app_id, key_id)
    join keys k using (app_id, key_id) join apps a using (app_id)
    where not exists (
      select from notices n where n.app_id = met.app_id and n.request_id is not null
        and timezone('UTC', n.created_at)::date = timezone('UTC', clock_timestamp())::date)`);
}

// The SQL of failures of the upstream API.
import type { Queryable } from '../../kit/db/db.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { sql } from '../../kit/db/sql.ts';
import type { NoticedKey } from '../notices/index.ts';
import type { FailureRow, UpstreamFailureKind } from './upstream-failure.ts';

export interface UpstreamFailureCount {
  operationId: string;
  kind: UpstreamFailureKind;
  count: number;
  /** An ISO 8601 timestamp. */
  lastAt: string;
  /** The uuid of the request. */
  requestId: string;
  /** The status of the response; null without one. */
  status: number | null;
}

/** The first failure that an app met. All ids are uuids. */
export interface AppUpstreamFailure {
  appId: string;
  keyId: string;
  operationId: string;
  requestId: string;
}

export async function addFailures(db: Queryable, failures: readonly UpstreamFailureCount[]): Promise<void> {
  for (const one of failures) {
    await db.query(sql`insert into upstream_failures as f
        (hour, operation_id, kind, count, last_at, request_id, status, status_of)
      values (date_trunc('hour', ${one.lastAt}::timestamptz), ${one.operationId}, ${one.kind}, ${one.count}, ${one.lastAt},
        ${one.requestId}, ${one.status}, ${one.requestId})
      on conflict (hour, operation_id) do update set kind = excluded.kind, count = f.count + excluded.count,
        last_at = excluded.last_at, request_id = excluded.request_id, status = excluded.status,
        status_of = excluded.status_of`);
  }
}

export function listFailureRows(tx: Queryable, limit: number): Promise<FailureRow[]> {
  return tx.query(sql`select hour, operation_id, kind, count, last_at, request_id,
      case when status_of = request_id then status end as status
    from upstream_failures order by hour desc, last_at desc limit ${limit}`);
}

/** Returns the keys of the failures whose apps have no notice about the upstream API today. */
export function listKeysToNotify(db: Queryable, failures: readonly AppUpstreamFailure[]): Promise<NoticedKey[]> {
  const [appIds, keyIds] = [failures.map(({ appId }) => appId), failures.map(({ keyId }) => keyId)];
  return db.query(sql`select a.organisation_id, k.app_id, k.key_id, a.name as app_name, k.name, k.kid, k.created_by, k.expires_at
    from unnest(${textArray(appIds)}::text[]::uuid[], ${textArray(keyIds)}::text[]::uuid[]) met (app_id, key_id)
    join keys k using (app_id, key_id) join apps a using (app_id)
    where not exists (
      select from notices n where n.app_id = met.app_id and n.request_id is not null
        and timezone('UTC', n.created_at)::date = timezone('UTC', clock_timestamp())::date)`);
}

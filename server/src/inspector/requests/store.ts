// The SQL that the inspector uses to read request records.

import type { Tenant } from '../../access/authority/index.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { NO_OPERATION, type RequestFilter } from './request-filter.ts';
import type { RequestRow } from './request-record.ts';

export const REQUEST_COLUMNS: Sql = sql`request_id, at, duration_us, authority_us, operation_us, status, problem_code, operation_id, method, path,
  query, key_id, server_id, client_address, user_agent, trace_id, parent_span_id, request_bytes, response_bytes, error_context,
  called_by, simulated, idempotency_hash, is_replayed, parent_request_id, stored_answer_of, called_by_token`;

/**
 * Returns the condition of a filter, without its time range. The text is the same for all filters: otherwise each
 * connection would keep a prepared statement per combination. Postgres removes the conditions with null before it
 * plans.
 */
export function conditionsOf(filter: RequestFilter): Sql {
  const { code, operationId, method, keyId, serverId, traceId, minDurationUs, isSimulated, isReplayed, path } = filter;
  const [lowest, highest] = filter.statuses ?? [];
  return sql`(${lowest}::int is null or status between ${lowest}::int and ${highest}::int)
    and (${code}::text is null or problem_code = ${code}::text)
    and (${operationId}::text is null or coalesce(operation_id, ${NO_OPERATION}) = ${operationId}::text)
    and (${method}::text is null or method = ${method}::text)
    and (${keyId}::uuid is null or key_id = ${keyId}::uuid)
    and (${serverId}::uuid is null or server_id = ${serverId}::uuid)
    and (${traceId}::text is null or trace_id = ${traceId}::text)
    and (${minDurationUs}::int8 is null or duration_us >= ${minDurationUs}::int8)
    and (${isSimulated}::boolean is null or (simulated is not null) = ${isSimulated}::boolean)
    and (${isReplayed}::boolean is null or coalesce(is_replayed, false) = ${isReplayed}::boolean)
    and (${path}::text is null or strpos(lower(path), ${path}::text) > 0)`;
}

/**
 * Returns the records of identifiers that are sorted newest first. The first and the last one bound the partitions to
 * touch.
 */
export function listRowsOf(tenant: Tenant, requestIds: readonly string[]): Promise<RequestRow[]> {
  return tenant.query(sql`select ${REQUEST_COLUMNS} from request_records
    where app_id = ${tenant.appId} and request_id = any(${requestIds}::uuid[])
      and request_id between ${requestIds.at(-1)} and ${requestIds[0]} order by request_id desc`);
}

/** Returns the requests that repeat this one, newest first. */
export async function listReplays(tenant: Tenant, requestId: string, most: number): Promise<string[]> {
  const rows = await tenant.query<{ request_id: string }>(sql`select request_id from request_records
    where app_id = ${tenant.appId} and parent_request_id = ${requestId} and request_id > ${requestId}
    order by request_id desc limit ${most}`);
  return rows.map(({ request_id }) => request_id);
}

export function findRequestRow(tenant: Tenant, requestId: string): Promise<RequestRow | undefined> {
  return tenant.first(
    sql`select ${REQUEST_COLUMNS} from request_records where app_id = ${tenant.appId} and request_id = ${requestId}`,
  );
}

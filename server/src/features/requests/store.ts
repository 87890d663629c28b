// The SQL of request records as the inspector reads them.
import { sql } from '../../kit/sql.ts';
import type { Tenant } from '../authority/index.ts';
import type { RequestRow } from './request-record.ts';

const COLUMNS = sql`request_id, at, duration_us, authority_us, operation_us, status, problem_code, operation_id, method, path,
  query, key_id, server_id, client_address, user_agent, trace_id, parent_span_id, request_bytes, response_bytes, error_context,
  called_by, simulated, idempotency_hash, is_replayed, parent_request_id`;

export interface RequestFilter {
  /** 2 for every 2xx, and so on. */
  statusClass: number | undefined;
  code: string | undefined;
  method: string | undefined;
  keyId: string | undefined;
}

export function listRequestRows(
  tenant: Tenant,
  filter: RequestFilter,
  after: string | undefined,
  limit: number,
): Promise<RequestRow[]> {
  const { statusClass, code, method, keyId } = filter;
  const inClass =
    statusClass === undefined
      ? sql``
      : sql`and status >= ${statusClass * 100}::int and status < ${statusClass * 100 + 100}::int`;
  const withCode = code === undefined ? sql`` : sql`and problem_code = ${code}`;
  const withMethod = method === undefined ? sql`` : sql`and method = ${method}`;
  const ofKey = keyId === undefined ? sql`` : sql`and key_id = ${keyId}`;
  const beyond = after === undefined ? sql`` : sql`and request_id < ${after}`;
  return tenant.query(sql`select ${COLUMNS} from request_records
    where app_id = ${tenant.appId} ${inClass} ${withCode} ${withMethod} ${ofKey} ${beyond}
    order by request_id desc limit ${limit}`);
}

export async function findRequestRow(tenant: Tenant, requestId: string): Promise<RequestRow | undefined> {
  const rows = await tenant.query<RequestRow>(
    sql`select ${COLUMNS} from request_records where app_id = ${tenant.appId} and request_id = ${requestId}`,
  );
  return rows[0];
}

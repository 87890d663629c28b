// The SQL of request records: written in batches by the recorder, read by the inspector.
import type { Queryable } from '../../kit/db.ts';
import { int2Array, int4Array, jsonbArray, momentArray, textArray, uuidArray } from '../../kit/pg-arrays.ts';
import { sql } from '../../kit/sql.ts';
import type { Tenant } from '../authority/index.ts';
import type { RequestRow } from './request-record.ts';

export interface NewRecord {
  appId: Buffer;
  requestUuid: Buffer;
  atMs: number;
  durationUs: number;
  authorityUs: number;
  status: number;
  problemCode: string | null;
  operationId: string | null;
  method: string;
  path: string;
  query: string | null;
  keyId: Buffer;
  clientAddress: string | null;
  calledBy: string | null;
  userAgent: string | null;
  traceId: string | null;
  responseBytes: number;
  /** JSON, or null. */
  errorContext: string | null;
}

/**
 * A whole batch in one statement, its columns as binary arrays: unnest, because COPY is refused under row-level security.
 */
export async function insertRecords(db: Queryable, records: readonly NewRecord[]): Promise<void> {
  // unnest fills up a shorter array with nulls: what hardly any record has costs the others nothing.
  const isCalled = records.some((record) => record.calledBy !== null);
  const calledBy = isCalled ? records.map((record) => record.calledBy) : [];
  // A function for each column: a name that is looked up differs from line to line, and took four times as long.
  await db.query(sql`
    insert into request_records (app_id, request_id, at, duration_us, authority_us, status, problem_code, operation_id,
      method, path, query, key_id, client_address, user_agent, trace_id, response_bytes, error_context, called_by)
    select * from unnest(${uuidArray(records.map((record) => record.appId))}::uuid[], ${uuidArray(records.map((record) => record.requestUuid))}::uuid[],
      ${momentArray(records.map((record) => record.atMs))}::timestamptz[], ${int4Array(records.map((record) => record.durationUs))}::int[],
      ${int4Array(records.map((record) => record.authorityUs))}::int[], ${int2Array(records.map((record) => record.status))}::smallint[],
      ${textArray(records.map((record) => record.problemCode))}::text[], ${textArray(records.map((record) => record.operationId))}::text[],
      ${textArray(records.map((record) => record.method))}::text[], ${textArray(records.map((record) => record.path))}::text[], ${textArray(records.map((record) => record.query))}::text[],
      ${uuidArray(records.map((record) => record.keyId))}::uuid[], ${textArray(records.map((record) => record.clientAddress))}::text[],
      ${textArray(records.map((record) => record.userAgent))}::text[], ${textArray(records.map((record) => record.traceId))}::text[],
      ${int4Array(records.map((record) => record.responseBytes))}::int[], ${jsonbArray(records.map((record) => record.errorContext))}::jsonb[],
      ${textArray(calledBy)}::text[])`);
}

const COLUMNS = sql`request_id, at, duration_us, authority_us, status, problem_code, operation_id, method, path, query,
  key_id, client_address, user_agent, trace_id, response_bytes, error_context, called_by`;

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

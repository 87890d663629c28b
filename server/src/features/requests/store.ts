// The SQL of request records: written in batches by the recorder, read by the inspector.
import type { Queryable } from '../../kit/db.ts';
import { arrayOfRows, RowWriter } from '../../kit/pg-rows.ts';
import { type Sql, sql } from '../../kit/sql.ts';
import type { Tenant } from '../authority/index.ts';
import type { RequestFilter } from './filter.ts';
import type { RequestRow } from './request-record.ts';

export interface NewRecord {
  appId: Buffer;
  requestUuid: Buffer;
  atMs: number;
  durationUs: number;
  authorityUs: number;
  status: number | null;
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
  simulated: string | null;
  /** JSON, or null. */
  errorContext: string | null;
}

const RECORD_COLUMNS = 19;

/** A whole batch in one statement; not by COPY, which is refused under row-level security. */
export async function insertRecords(db: Queryable, records: readonly Buffer[]): Promise<void> {
  const rows = arrayOfRows(records);
  await db.query(sql`
    insert into request_records (app_id, request_id, at, duration_us, authority_us, status, problem_code, operation_id,
      method, path, query, key_id, client_address, user_agent, trace_id, response_bytes, error_context, called_by,
      simulated)
    select * from unnest(${rows}::request_record_v1[])`);
}

/** As the database takes it; its fields in the order of the type's columns. Throws when one does not fit. */
export function writeRecord(record: NewRecord): Buffer {
  const row = new RowWriter(RECORD_COLUMNS);
  row.uuid(record.appId);
  row.uuid(record.requestUuid);
  row.moment(record.atMs);
  row.int4(record.durationUs);
  row.int4(record.authorityUs);
  row.int2(record.status);
  row.text(record.problemCode);
  row.text(record.operationId);
  row.text(record.method);
  row.text(record.path);
  row.text(record.query);
  row.uuid(record.keyId);
  row.text(record.clientAddress);
  row.text(record.userAgent);
  row.text(record.traceId);
  row.int4(record.responseBytes);
  row.jsonb(record.errorContext);
  row.text(record.calledBy);
  row.text(record.simulated);
  return row.end();
}

export const REQUEST_COLUMNS: Sql = sql`request_id, at, duration_us, authority_us, status, problem_code, operation_id, method, path, query,
  key_id, client_address, user_agent, trace_id, response_bytes, error_context, called_by, simulated`;

/**
 * What a record must fulfil, its time aside. One text whatever is asked for: of every combination of filters each connection
 * would keep a statement of its own. Postgres leaves out what is null before it plans.
 */
export function conditionsOf(filter: RequestFilter): Sql {
  const { code, operationId, method, keyId, serverId, traceId, minDurationUs, isSimulated, path } = filter;
  const [lowest, highest] = filter.statuses ?? [];
  return sql`(${lowest}::int is null or status between ${lowest}::int and ${highest}::int)
    and (${code}::text is null or problem_code = ${code}::text)
    and (${operationId}::text is null or operation_id = ${operationId}::text)
    and (${method}::text is null or method = ${method}::text)
    and (${keyId}::uuid is null or key_id = ${keyId}::uuid)
    and (${serverId}::uuid is null or server_id = ${serverId}::uuid)
    and (${traceId}::text is null or trace_id = ${traceId}::text)
    and (${minDurationUs}::int8 is null or duration_us >= ${minDurationUs}::int8)
    and (${isSimulated}::boolean is null or (simulated is not null) = ${isSimulated}::boolean)
    and (${path}::text is null or strpos(lower(path), ${path}::text) > 0)`;
}

/** Newest first. */
export function listRowsOf(tenant: Tenant, requestIds: readonly string[]): Promise<RequestRow[]> {
  return tenant.query(sql`select ${REQUEST_COLUMNS} from request_records
    where app_id = ${tenant.appId} and request_id = any(${requestIds}::uuid[]) order by request_id desc`);
}

export async function findRequestRow(tenant: Tenant, requestId: string): Promise<RequestRow | undefined> {
  const rows = await tenant.query<RequestRow>(
    sql`select ${REQUEST_COLUMNS} from request_records where app_id = ${tenant.appId} and request_id = ${requestId}`,
  );
  return rows[0];
}

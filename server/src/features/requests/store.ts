// The SQL of request records: written in batches by the recorder, read by the inspector.
import type { Queryable } from '../../kit/db.ts';
import { arrayOfRows, RowWriter } from '../../kit/pg-rows.ts';
import { sql } from '../../kit/sql.ts';
import type { Tenant } from '../authority/index.ts';
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

const COLUMNS = sql`request_id, at, duration_us, authority_us, status, problem_code, operation_id, method, path, query,
  key_id, client_address, user_agent, trace_id, response_bytes, error_context, called_by, simulated`;

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

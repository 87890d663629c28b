// The SQL that the recorder uses to write request records in batches.
import type { Queryable } from '../../kit/db/db.ts';
import { arrayOfRows, RowWriter } from '../../kit/db/pg-rows.ts';
import { sql } from '../../kit/db/sql.ts';

export interface NewRequestRecord {
  appId: Buffer;
  requestUuid: Buffer;
  atMs: number;
  durationUs: number;
  authorityUs: number;
  operationUs: number | null;
  status: number | null;
  problemCode: string | null;
  operationId: string | null;
  method: string;
  path: string;
  query: string | null;
  keyId: Buffer;
  serverId: Buffer | null;
  clientAddress: string | null;
  calledBy: string | null;
  userAgent: string | null;
  traceId: string | null;
  parentSpanId: Buffer | null;
  requestBytes: number | null;
  responseBytes: number;
  simulated: string | null;
  /** JSON, or null. */
  errorContext: string | null;
  idempotencyHash: Buffer | null;
  isReplayed: boolean | null;
  parentRequestId: Buffer | null;
  originalRequestId: Buffer | null;
  calledByToken: Buffer | null;
}

const RECORD_COLUMNS = 28;

/** Inserts a batch in one statement. COPY is refused under row-level security. */
export async function insertRecords(db: Queryable, records: readonly Buffer[]): Promise<void> {
  const rows = arrayOfRows(records);
  await db.query(sql`
    insert into request_records (app_id, request_id, at, duration_us, authority_us, operation_us, status, problem_code,
      operation_id, method, path, query, key_id, server_id, client_address, user_agent, trace_id, parent_span_id,
      request_bytes, response_bytes, error_context, called_by, simulated, idempotency_hash, is_replayed,
      parent_request_id, stored_answer_of, called_by_token)
    select * from unnest(${rows}::request_record_v3[])`);
}

/**
 * Encodes a record in the binary form of the database, with the fields in the order of the type's columns. Throws if a
 * field does not fit.
 */
export function encodeRecord(record: NewRequestRecord): Buffer {
  const row = new RowWriter(RECORD_COLUMNS);
  row.uuid(record.appId);
  row.uuid(record.requestUuid);
  row.timestamp(record.atMs);
  row.int4(record.durationUs);
  row.int4(record.authorityUs);
  row.int4(record.operationUs);
  row.int2(record.status);
  row.text(record.problemCode);
  row.text(record.operationId);
  row.text(record.method);
  row.text(record.path);
  row.text(record.query);
  row.uuid(record.keyId);
  row.uuid(record.serverId);
  row.text(record.clientAddress);
  row.text(record.userAgent);
  row.text(record.traceId);
  row.bytes(record.parentSpanId);
  row.int4(record.requestBytes);
  row.int4(record.responseBytes);
  row.jsonb(record.errorContext);
  row.text(record.calledBy);
  row.text(record.simulated);
  row.bytes(record.idempotencyHash);
  row.bool(record.isReplayed);
  row.uuid(record.parentRequestId);
  row.uuid(record.originalRequestId);
  row.uuid(record.calledByToken);
  return row.end();
}

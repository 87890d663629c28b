// The SQL of requests without an authenticated key.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type {
  UnauthenticatedCountRow,
  UnauthenticatedPeriodRow,
  UnauthenticatedRequest,
  UnauthenticatedRequestRow,
} from './unauthenticated-request.ts';

export type NewUnauthenticatedRequest = Omit<UnauthenticatedRequest, 'ip'> & { clientAddress: string | null };

export interface UnauthenticatedCount {
  network: string;
  code: string;
  requests: number;
}

export async function insertUnauthenticated(
  db: Queryable,
  requests: readonly NewUnauthenticatedRequest[],
): Promise<void> {
  await db.query(sql`
    insert into unproved_requests (request_id, at, duration_us, status, problem_code, operation_id, method, path,
      client_address, user_agent, request_bytes)
    select * from jsonb_to_recordset(${JSON.stringify(requests)}::jsonb) as r ("requestId" uuid, at timestamptz,
      "durationUs" int, status smallint, code text, "operationId" text, method text, path text, "clientAddress" text,
      "userAgent" text, "requestBytes" int)`);
}

/** Adds counts, sorted, so that two nodes cannot deadlock. */
export async function addUnauthenticatedCounts(db: Queryable, counts: readonly UnauthenticatedCount[]): Promise<void> {
  await db.query(sql`
    insert into unproved_counts as u (hour, network, problem_code, requests, first_at, last_at)
    select date_trunc('hour', clock_timestamp(), 'UTC'), network, code, requests, clock_timestamp(), clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as c (network text, code text, requests bigint)
    order by network, code
    on conflict (hour, network, problem_code) do update
      set requests = u.requests + excluded.requests, last_at = greatest(u.last_at, excluded.last_at)`);
}

/** Returns the rows before the identifier `before`, newest first. */
export function listUnauthenticatedRows(
  tx: Queryable,
  before: string | undefined,
  limit: number,
): Promise<UnauthenticatedRequestRow[]> {
  const beyond = before === undefined ? sql`` : sql`where request_id < ${before}`;
  return tx.query(sql`
    select request_id, at, duration_us, status, problem_code, operation_id, method, path, client_address, user_agent,
      request_bytes
    from unproved_requests ${beyond} order by request_id desc limit ${limit}`);
}

/** Returns the facts that state how far the requests without an authenticated key go back. */
export async function findUnauthenticatedPeriod(tx: Queryable): Promise<UnauthenticatedPeriodRow> {
  const rows = await tx.query<UnauthenticatedPeriodRow>(sql`
    select (select lower_bound from partition_bounds('request_records') order by lower_bound limit 1) as oldest_partition,
      (select at from unproved_requests order by request_id limit 1) as oldest_at`);
  return rows[0] as UnauthenticatedPeriodRow; // always one row
}

/** Returns the counts of the last day, highest first. */
export function listUnauthenticatedCounts(tx: Queryable, limit: number): Promise<UnauthenticatedCountRow[]> {
  return tx.query(sql`
    select network, problem_code, sum(requests)::float8 as requests, min(first_at) as first_at, max(last_at) as last_at
    from unproved_counts where hour > clock_timestamp() - interval '24 hours'
    group by network, problem_code order by sum(requests) desc, network, problem_code limit ${limit}`);
}

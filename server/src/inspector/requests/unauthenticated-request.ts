// A request without an authenticated key: without a key, with a wrong one, or invalid HTTP. It belongs to no app;
// operators can see it.

import { msOfUuid, toId, uuidText } from '../../kit/crypto/ids.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import type { UnreadableInput } from '../../kit/http/http.ts';
import type { AnsweredRequest } from '../../kit/http/mount.ts';
import { dateTime, namedObject, nullable, type Static, Type, text } from '../../kit/http/schema.ts';
import { requestBytesOf } from './new-record.ts';
import { recordedPath } from './recorded-address.ts';
import { RequestId } from './request-record.ts';
import { maskUserAgent } from './user-agent.ts';

/**
 * A request in the form in which it is kept. Query, headers and body are left out, because no organisation is
 * responsible for their content.
 */
export interface UnauthenticatedRequest {
  requestId: string;
  at: string;
  durationUs: number;
  status: number;
  code: string | null;
  operationId: string | null;
  method: string | null;
  path: string | null;
  userAgent: string | null;
  requestBytes: number | null;
  /** The client's address, which is kept as far as the operator allows. */
  ip: string | undefined;
}

const now = (): string => new Date(nowMs()).toISOString();

export function fromAnsweredRequest(answered: AnsweredRequest): UnauthenticatedRequest {
  const { request, exchange, problem, durationUs, status } = answered;
  const userAgent = request.headers['user-agent'];
  return {
    requestId: uuidText(exchange.uuid),
    at: now(),
    durationUs,
    status: status ?? 0, // only the connection of an authenticated caller is reset
    code: problem?.code ?? null,
    operationId: exchange.operation?.id ?? null,
    method: request.method,
    path: exchange.route === undefined ? null : recordedPath(answered),
    userAgent: userAgent === undefined ? null : maskUserAgent(userAgent),
    requestBytes: requestBytesOf(request),
    ip: request.ip,
  };
}

export function fromUnreadable({ uuid, code, status, ip }: UnreadableInput): UnauthenticatedRequest {
  return {
    requestId: uuidText(uuid),
    at: now(),
    durationUs: 0,
    status,
    code,
    operationId: null,
    method: null,
    path: null,
    userAgent: null,
    requestBytes: null,
    ip,
  };
}

export interface UnauthenticatedRequestRow {
  request_id: string;
  at: Date;
  duration_us: number;
  status: number;
  problem_code: string | null;
  operation_id: string | null;
  method: string | null;
  path: string | null;
  client_address: string | null;
  user_agent: string | null;
  request_bytes: number | null;
}

export interface UnauthenticatedCountRow {
  network: string;
  problem_code: string;
  requests: number;
  first_at: Date;
  last_at: Date;
}

export interface UnauthenticatedPeriodRow {
  /** The lowest id in the oldest partition of the request records; null without a partition. */
  oldest_partition: string | null;
  /** The time of the oldest stored request without an authenticated key. */
  oldest_at: Date | null;
}

const UnauthenticatedRequestSchema = namedObject(
  'UnauthenticatedRequest',
  'A request to /v1 that was not authenticated by a key.',
  {
    id: RequestId,
    at: dateTime('When the response was ready, before it was sent.'),
    status: Type.Integer({ minimum: 100, maximum: 599, description: 'The HTTP status.' }),
    code: nullable(text('The problem’s code; null if the response is not a problem.', { maxLength: 50 })),
    operationId: nullable(text('The operation; null if the request matched none.', { maxLength: 100 })),
    method: nullable(text('The HTTP method; null if it could not be read.', { maxLength: 20 })),
    path: nullable(
      text('The path, with a `*` for each segment that is not part of the API; null if the path could not be read.', {
        maxLength: 2048,
      }),
    ),
    durationMs: Type.Number({
      minimum: 0,
      maximum: 86_400_000,
      description: 'From arrival to response, in milliseconds.',
    }),
    clientAddress: nullable(text('The caller’s address, as far as this installation stores it.', { maxLength: 64 })),
    userAgent: nullable(text('The product names in the user agent.', { maxLength: 300 })),
    requestBytes: nullable(
      Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: 'The size of the request body; null without a body.',
      }),
    ),
  },
);

const UnauthenticatedCountSchema = namedObject(
  'UnauthenticatedCount',
  'Unauthenticated requests that were only counted, because their number exceeded the limit.',
  {
    network: nullable(
      text('The caller’s network; null if addresses are not stored, and for networks beyond 1,000 per hour.', {
        maxLength: 64,
      }),
    ),
    code: nullable(text('The problem that the requests ended in; null without one.', { maxLength: 50 })),
    requests: Type.Integer({ minimum: 1, maximum: 9_007_199_254_740_991, description: 'Number of requests.' }),
    firstAt: dateTime('When the first of them was answered.'),
    lastAt: dateTime('When the last of them was answered.'),
  },
);

export const MAX_COUNTS = 100;

export const UnauthenticatedRequestList = namedObject(
  'UnauthenticatedRequestList',
  'Requests to /v1 that were not authenticated by a key.',
  {
    since: dateTime(
      'The time from which these requests are stored. They are stored for as many days as other requests of the environment.',
    ),
    data: Type.Array(UnauthenticatedRequestSchema, { maxItems: 100, description: 'Newest first.' }),
    counts: Type.Array(UnauthenticatedCountSchema, {
      maxItems: MAX_COUNTS,
      description: 'The requests of the last 24 hours that were only counted; the largest group first.',
    }),
  },
);

const DAY_MS = 86_400_000;

/**
 * Returns since when the requests are stored, in milliseconds since the Unix epoch. They are deleted after as many days
 * as request records, a setting that only workers know. A partition of the records has at most one day and is dropped
 * when its end is that old. So the number is that of the whole days since the start of the oldest partition.
 */
function toStoredSinceMs({ oldest_partition, oldest_at }: UnauthenticatedPeriodRow, atMs: number): number {
  const ageMs = Math.max(0, atMs - (oldest_partition === null ? atMs : msOfUuid(oldest_partition)));
  // Nothing is deleted on the first day.
  const storedMs = ageMs < DAY_MS ? ageMs : ageMs - (ageMs % DAY_MS);
  // An older request waits for its deletion, or the installation is younger than the retention.
  return Math.min(atMs - storedMs, oldest_at?.getTime() ?? atMs);
}

export function toUnauthenticatedList(
  period: UnauthenticatedPeriodRow,
  rows: readonly UnauthenticatedRequestRow[],
  counts: readonly UnauthenticatedCountRow[],
): Static<typeof UnauthenticatedRequestList> {
  return {
    since: new Date(toStoredSinceMs(period, nowMs())).toISOString(),
    data: rows.map((row) => ({
      id: toId('req', row.request_id),
      at: row.at.toISOString(),
      status: row.status,
      code: row.problem_code,
      operationId: row.operation_id,
      method: row.method,
      path: row.path,
      durationMs: row.duration_us / 1000,
      clientAddress: row.client_address,
      userAgent: row.user_agent,
      requestBytes: row.request_bytes,
    })),
    counts: counts.map((row) => ({
      network: row.network === '' ? null : row.network,
      code: row.problem_code === '' ? null : row.problem_code,
      requests: row.requests,
      firstAt: row.first_at.toISOString(),
      lastAt: row.last_at.toISOString(),
    })),
  };
}

export const exampleUnauthenticated: Static<typeof UnauthenticatedRequestList> = {
  since: '2026-10-03T11:00:00.000Z',
  data: [
    {
      id: 'req_01j9z3v8k6e5t8m2n4p6q8r0sb',
      at: '2026-11-02T10:15:30.000Z',
      status: 401,
      code: 'invalid_key',
      operationId: 'listServers',
      method: 'GET',
      path: '/v1/servers',
      durationMs: 1.8,
      clientAddress: '192.0.2.7',
      userAgent: 'bridge/1.4',
      requestBytes: null,
    },
  ],
  counts: [
    {
      network: '192.0.2.0/24',
      code: 'invalid_key',
      requests: 4711,
      firstAt: '2026-11-02T10:15:32.000Z',
      lastAt: '2026-11-02T10:59:59.000Z',
    },
  ],
};

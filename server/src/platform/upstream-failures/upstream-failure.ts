// A failure of the upstream API. Apps get a problem, and operators see the failure here. One row per operation and hour
// counts the failures, and contains no text of the upstream API.
import { toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  idSchema,
  integer,
  namedObject,
  namedSchema,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';

/** The kinds of failures. */
const UPSTREAM_FAILURE_KINDS = [
  'unreachable',
  'timeout',
  'broken',
  'too_large',
  'status',
  'configuration',
  'form',
] as const;
export type UpstreamFailureKind = (typeof UPSTREAM_FAILURE_KINDS)[number];

const UpstreamFailure = namedObject(
  'UpstreamFailure',
  'The failures of one operation of the upstream API in one hour.',
  {
    hour: dateTime('The hour of the failures.'),
    operationId: text('The `/v1` operation that failed.', { maxLength: 100 }),
    kind: oneOf(
      UPSTREAM_FAILURE_KINDS,
      'The kind of the last failure. `unreachable`: no connection. `timeout`: no response in time. `broken`: the response ended early. `too_large`: the response exceeds the limit. `status`: an unexpected status. `configuration`: the upstream API rejected the credentials of Slipway. `form`: the response violates the contract.',
    ),
    status: nullable(
      integer(
        'The HTTP status of the response to `requestId`. Null if no response arrived, or if a process of the previous version recorded the failure.',
        200,
        999,
      ),
    ),
    count: integer('The number of failures in that hour.', 1),
    lastAt: dateTime('The time of the last failure.'),
    requestId: idSchema('req', 'The request of the last failure.'),
  },
);

export const UpstreamFailureList = namedSchema(
  'UpstreamFailureList',
  strictObject({ data: Type.Array(UpstreamFailure, { maxItems: 100, description: 'Newest first, at most 100.' }) }),
);

export interface FailureRow {
  hour: Date;
  operation_id: string;
  kind: UpstreamFailureKind;
  count: number;
  last_at: Date;
  request_id: string;
  /** Null without a response, or if a process of the previous version wrote the row last. */
  status: number | null;
}

export const toUpstreamFailure = (row: FailureRow): Static<typeof UpstreamFailure> => ({
  hour: row.hour.toISOString(),
  operationId: row.operation_id,
  kind: row.kind,
  status: row.status,
  count: row.count,
  lastAt: row.last_at.toISOString(),
  requestId: toId('req', row.request_id),
});

export const exampleFailures = {
  data: [
    {
      hour: '2026-11-02T10:00:00.000Z',
      operationId: 'getServer',
      kind: 'form',
      status: 200,
      count: 3,
      lastAt: '2026-11-02T10:15:30.000Z',
      requestId: 'req_01j9z3v8k6e5t8m2n4p6q8r0sb',
    },
  ],
};

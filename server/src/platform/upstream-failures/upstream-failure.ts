// A failure of the upstream API. Apps get a problem, and operators see the failure here. One row per operation and hour
// counts the failures, and contains no text of the upstream API.
import { toId } from '../../kit/crypto/ids.ts';
import { closed, idSchema, moment, named, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';

/** The kinds of failures. */
export const FAILURE_KINDS = [
  'unreachable',
  'timeout',
  'broken',
  'too_large',
  'status',
  'configuration',
  'form',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

const UpstreamFailure = named(
  'UpstreamFailure',
  closed(
    {
      hour: moment('The hour in which it failed.'),
      operationId: text('The operation of /v1 that it should have answered.', { maxLength: 100 }),
      kind: oneOf(
        FAILURE_KINDS,
        'In which way, the last time: it could not be reached, did not answer in time, broke off, did not end, answered with another status, does not know this Slipway, or what it answered does not fit the contract.',
      ),
      count: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'How often in that hour.' }),
      lastAt: moment('When it did the last time.'),
      requestId: idSchema('req', 'The request that met it then.'),
    },
    { description: 'How the platform behind production failed.' },
  ),
);

export const UpstreamFailureList = named(
  'UpstreamFailureList',
  closed({ data: Type.Array(UpstreamFailure, { maxItems: 100, description: 'Newest first, at most 100.' }) }),
);

export interface FailureRow {
  hour: Date;
  operation_id: string;
  kind: FailureKind;
  count: number;
  last_at: Date;
  request_id: string;
}

export const toUpstreamFailure = (row: FailureRow): Static<typeof UpstreamFailure> => ({
  hour: row.hour.toISOString(),
  operationId: row.operation_id,
  kind: row.kind,
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
      count: 3,
      lastAt: '2026-11-02T10:15:30.000Z',
      requestId: 'req_01j9z3v8k6e5t8m2n4p6q8r0sb',
    },
  ],
};

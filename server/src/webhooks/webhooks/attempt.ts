// An attempt: one request to an endpoint, the URL that it called, and its outcome.
import { toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  idSchema,
  integer,
  namedObject,
  nullable,
  oneOf,
  type Static,
  Type,
  text,
} from '../../kit/http/schema.ts';

export const ATTEMPT_OUTCOMES = [
  'response',
  'timeout',
  'dns',
  'tls',
  'connect',
  'blocked_address',
  'redirect',
  'protocol',
  'interrupted',
  'aborted_by_revoke',
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
/** Outcomes that Slipway caused, not the endpoint. */
export const SLIPWAY_OUTCOMES: ReadonlySet<string> = new Set<AttemptOutcome>(['interrupted', 'aborted_by_revoke']);

export const Attempt = namedObject('Attempt', 'One attempt of a delivery.', {
  number: integer('The number of the attempt, counted from 1.', 1, 1000),
  startedAt: dateTime('When the attempt began.'),
  durationMs: Type.Number({
    minimum: 0,
    maximum: 86_400_000,
    description: 'The duration of the attempt, in milliseconds.',
  }),
  outcome: oneOf(ATTEMPT_OUTCOMES, '`response`, or the kind of failure.'),
  status: nullable(integer('The HTTP status of the response.', 100, 599)),
  detail: nullable(text('The failure, as a sentence.', { maxLength: 500 })),
  responseHeaders: nullable(
    Type.Record(Type.String({ pattern: '^.{1,1000}$' }), text('The header’s value.', { maxLength: 16_384 }), {
      maxProperties: 1000,
      description: 'The headers of the response, by name in lower case.',
    }),
  ),
  responseBody: nullable(text('The beginning of the response’s body.', { maxLength: 16_384 })),
  isBodyTruncated: Type.Boolean({ description: 'True if only the beginning of the body is stored.' }),
  url: nullable(
    text(
      'The URL that the attempt called. Null if it was not recorded: for attempts of earlier versions, and for attempts whose worker stopped. The endpoint’s current URL is `endpointUrl`.',
      { maxLength: 2048 },
    ),
  ),
  keyId: nullable(idSchema('key', 'The key that authorised the attempt; null for attempts of earlier versions.')),
});
export type Attempt = Static<typeof Attempt>;

export interface AttemptRow {
  attempt_no: number;
  started_at: Date;
  duration_us: number;
  outcome: AttemptOutcome;
  status: number | null;
  detail: string | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
  is_body_cut: boolean;
  url: string | null;
  key_id: string | null;
}

export function toAttempt(row: AttemptRow): Attempt {
  return {
    number: row.attempt_no,
    startedAt: row.started_at.toISOString(),
    durationMs: row.duration_us / 1000,
    outcome: row.outcome,
    status: row.status,
    detail: row.detail,
    responseHeaders: row.response_headers,
    responseBody: row.response_body,
    isBodyTruncated: row.is_body_cut,
    url: row.url,
    keyId: row.key_id === null ? null : toId('key', row.key_id),
  };
}

// The filter of requests that the list, its summaries, the tail and the export share. Pure.

import { KeyId } from '../../access/authority/index.ts';
import { PROBLEM_CODES } from '../../access/problems/index.ts';
import { firstUuidAt, toUuid, uuidAfter } from '../../kit/crypto/ids.ts';
import { dateTime, oneOf, type Static, strictObject, Type, text } from '../../kit/http/schema.ts';
import type { ProblemCode } from '../../kit/openapi/problems.ts';
import { parseTime } from '../../kit/text/time-span.ts';
import { ServerId } from '../../resources/servers/index.ts';
import { RequestId } from './request-record.ts';

const optional = Type.Optional;

/** Stands for requests that matched no operation. No operation has this name. */
export const NO_OPERATION = 'none';

/** The query parameters of the filter, without a list's own `limit` and `cursor`. */
export const requestFilterQuery = {
  since: optional(dateTime('Only requests that arrived at or after this time.')),
  until: optional(dateTime('Only requests that arrived before this time.')),
  statusClass: optional(
    Type.Integer({ minimum: 1, maximum: 5, description: 'Only requests of a status class: 4 for 4xx, 5 for 5xx.' }),
  ),
  status: optional(Type.Integer({ minimum: 100, maximum: 599, description: 'Only requests with this status.' })),
  code: optional(oneOf(PROBLEM_CODES, 'Only requests that ended in this problem.')),
  operationId: optional(
    text(`Only requests of this operation; \`${NO_OPERATION}\` selects requests that matched no operation.`, {
      maxLength: 100,
      pattern: '^[A-Za-z]+$',
      examples: ['listServers'],
    }),
  ),
  // The HTTP parser and its version determine which methods exist.
  method: optional(
    text('Only requests with this method.', { maxLength: 20, pattern: '^[A-Z]+(-[A-Z]+)*$', examples: ['GET'] }),
  ),
  keyId: optional(KeyId),
  serverId: optional(ServerId),
  requestId: optional(RequestId),
  traceId: optional(
    text('Only requests of this trace (W3C Trace Context).', {
      minLength: 32,
      maxLength: 32,
      pattern: '^[0-9a-f]{32}$',
      examples: ['4bf92f3577b34da6a3ce929d0e0e4736'],
    }),
  ),
  minDurationMs: optional(
    Type.Integer({ minimum: 0, maximum: 86_400_000, description: 'Only requests with at least this duration.' }),
  ),
  simulated: optional(
    Type.Boolean({ description: 'True: only requests with a simulated fault. False: only requests without one.' }),
  ),
  path: optional(
    text('Only requests whose path contains this text. Case is ignored.', { minLength: 1, maxLength: 200 }),
  ),
};

const RequestFilterSchema = strictObject(requestFilterQuery);
/** The values of `requestFilterQuery`. */
export type RequestFilterQuery = Static<typeof RequestFilterSchema>;

/**
 * A range of identifiers, which have the order in which requests arrived: the first one, and the first one beyond the
 * range.
 */
export interface IdRange {
  from: string;
  before: string;
}

export interface RequestFilter {
  range: IdRange;
  /** The lowest and the highest status. */
  statuses: readonly [number, number] | undefined;
  code: ProblemCode | undefined;
  operationId: string | undefined;
  method: string | undefined;
  keyId: string | undefined;
  serverId: string | undefined;
  traceId: string | undefined;
  minDurationUs: number | undefined;
  isSimulated: boolean | undefined;
  /** True to find only requests with a stored response. No list sets this field. */
  isReplayed: boolean | undefined;
  path: string | undefined;
}

export const FIRST_UUID = '00000000-0000-0000-0000-000000000000';
export const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Returns the filter. Throws `invalid_request` for an invalid time. */
export function toRequestFilter(input: RequestFilterQuery): RequestFilter {
  return {
    range: rangeOf(input),
    statuses: statusesOf(input),
    code: input.code,
    operationId: input.operationId,
    method: input.method,
    keyId: uuidOf('key', input.keyId),
    serverId: uuidOf('srv', input.serverId),
    traceId: input.traceId,
    minDurationUs: input.minDurationMs === undefined ? undefined : input.minDurationMs * 1000,
    isSimulated: input.simulated,
    isReplayed: undefined,
    path: input.path?.toLowerCase(),
  };
}

/**
 * Returns the intersection of two ranges, which is empty if they do not overlap. Compares identifiers in the textual
 * form of Postgres.
 */
export function overlap(one: IdRange, other: IdRange): IdRange {
  return {
    from: one.from > other.from ? one.from : other.from,
    before: one.before < other.before ? one.before : other.before,
  };
}

export const isEmpty = ({ from, before }: IdRange): boolean => from >= before;

const uuidOf = (prefix: string, id: string | undefined): string | undefined =>
  id === undefined ? undefined : toUuid(prefix, id);

function rangeOf({ since, until, requestId }: RequestFilterQuery): IdRange {
  // A range that ends before it begins contains no requests.
  const range = {
    from: since === undefined ? FIRST_UUID : firstUuidAt(parseTime('since', since)),
    before: until === undefined ? LAST_UUID : firstUuidAt(parseTime('until', until)),
  };
  const one = uuidOf('req', requestId);
  return one === undefined ? range : overlap(range, { from: one, before: uuidAfter(one) });
}

/** Returns the statuses that match both the class and the status, which may be none. */
function statusesOf({ statusClass, status }: RequestFilterQuery): RequestFilter['statuses'] {
  if (statusClass === undefined && status === undefined) return undefined;
  const [lowest, highest] = statusClass === undefined ? [100, 599] : [statusClass * 100, statusClass * 100 + 99];
  return status === undefined ? [lowest, highest] : [Math.max(lowest, status), Math.min(highest, status)];
}

// A replay of a recorded request: which parts of the record are sent again, and which parts the caller must supply.
// Pure.

import { KeyId } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { namedObject, type Static, schemaErrors, Type, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import {
  findOmittedParts,
  isPathComplete,
  maskedParametersOf,
  type OmittedPart,
  type RequestRow,
} from '../requests/index.ts';
import { CallBody, CallHeaders, CallInput, isMutation, Literals } from './call.ts';

// The characters that RFC 3986 allows in a query.
const QUERY = "^[A-Za-z0-9._~%!$&'()*+,;=:@/?-]*$";

export const ReplayInput = namedObject('ReplayInput', 'The parts of a replay that its record does not provide.', {
  keyId: Type.Optional({ ...KeyId, description: 'Another key of the app to use instead of the original one.' }),
  headers: Type.Optional(CallHeaders),
  body: Type.Optional({
    ...CallBody,
    description:
      'The body to send. Without it, the stored body of the request is sent, if its capture has it whole and unmasked (`capture.requestBody` is `whole`). Otherwise a mutation that had a body requires it.',
  }),
  query: Type.Optional(
    text(
      'The query to send, if the record masks a parameter of it: percent-encoded, with each masked parameter replaced or left out.',
      { maxLength: 8_000, pattern: QUERY, examples: ['limit=10'] },
    ),
  ),
  literals: Type.Optional(Literals),
});
export type ReplayInput = Static<typeof ReplayInput>;

type ReplayableRecord = Parameters<typeof findOmittedParts>[0] & Pick<RequestRow, 'method' | 'operation_id' | 'key_id'>;

/**
 * Returns the call that repeats a request. `input` has the body of a capture, if it is stored whole. Throws if the
 * request is not stored completely, because any other request would not be a replay.
 */
export function toReplayCall(record: ReplayableRecord, input: ReplayInput): CallInput {
  const { method, path, operation_id, key_id, request_bytes } = record;
  if (operation_id === null) throw problem('conflict', { detail: 'The request matched no operation.' });
  const query = queryOf(record, input);
  const call = {
    keyId: input.keyId ?? (key_id === null ? '' : toId('key', key_id)),
    method,
    path: query === null || query === '' ? path : `${path}?${query}`,
    ...(input.headers && { headers: input.headers }),
    ...(input.body !== undefined && { body: input.body }),
    ...(input.literals && { literals: input.literals }),
  };
  if (!isPathComplete(path) || schemaErrors(CallInput, call).length > 0)
    throw problem('conflict', { detail: NOT_WHOLE });
  const validCall = call as CallInput; // validated above
  if (isMutation(validCall.method) && (request_bytes ?? 0) > 0 && input.body === undefined) {
    const detail =
      'is required: the request had a body, and neither its record nor a capture stores it whole and unmasked';
    throw problem('invalid_request', { errors: [{ pointer: '/body', detail }] });
  }
  return validCall;
}

function queryOf(record: ReplayableRecord, input: ReplayInput): string | null {
  const masked = maskedParametersOf(record.query);
  if (input.query === undefined) {
    if (masked.length > 0) throw problem('conflict', { detail: NO_QUERY });
    return record.query;
  }
  const refuse = (detail: string) => problem('invalid_request', { errors: [{ pointer: '/query', detail }] });
  if (masked.length === 0) throw refuse('must be absent: the record stores the query of the request');
  const maskedParameters = input.query.split('&').filter((one) => masked.includes(one));
  if (maskedParameters.length > 0)
    throw refuse(`contains ${maskedParameters[0]}, which the record masks: replace it or leave it out`);
  return input.query;
}

/**
 * Returns the parts that are not sent again. A fault is one of them: a replay shows the result of the request under
 * current conditions.
 */
export function omittedFromReplay(record: ReplayableRecord, { headers = {}, body, query }: ReplayInput): OmittedPart[] {
  const omitted = findOmittedParts(record);
  const all: OmittedPart[] = record.simulated === null ? omitted : [...omitted, 'fault'];
  const isGiven = (one: OmittedPart): boolean => {
    if (one === 'body') return body !== undefined;
    if (one === 'address') return query !== undefined;
    return Object.hasOwn(headers, one === 'fault' ? 'Sandbox-Simulate' : one);
  };
  return all.filter((one) => !isGiven(one));
}

const NO_QUERY =
  'The record masks a parameter of the query. Give the `query` to send, with each masked parameter replaced or left out.';
const NOT_WHOLE =
  'The record does not store the complete address of the request, so the request cannot be replayed. Make it as a new call.';

// The parts that determined a response and are not in its record. A caller who repeats the request must supply them.
// Pure.
import { CLIENT_CLOSED_REQUEST } from '../../kit/http/aborted-body.ts';
import { isPathComplete, maskedParametersOf } from './masked-address.ts';
import type { RequestRow } from './request-record.ts';

/** Parts of a request, and headers by name. */
export const OMITTED_PARTS = [
  'address',
  'body',
  'fault',
  'Accept',
  'Idempotency-Key',
  'If-None-Match',
  'Origin',
  'Sec-Fetch-Site',
] as const;
export type OmittedPart = (typeof OMITTED_PARTS)[number];

type OmissionSource = Pick<
  RequestRow,
  'path' | 'query' | 'status' | 'problem_code' | 'request_bytes' | 'simulated' | 'idempotency_hash' | 'error_context'
>;

const NOT_MODIFIED = 304;

export function findOmittedParts(record: OmissionSource): OmittedPart[] {
  const { status, problem_code, request_bytes, simulated, idempotency_hash, error_context } = record;
  // Only records of errors contain headers.
  const headers: object = (error_context?.headers as object | undefined) ?? {}; // written by `buildErrorContext`
  const has = (name: string): boolean => Object.hasOwn(headers, name);
  const isOmitted: Record<OmittedPart, boolean> = {
    address: !isAddressComplete(record),
    body: (request_bytes ?? 0) > 0 || has('transfer-encoding') || status === CLIENT_CLOSED_REQUEST,
    // The record names a fault that took effect, and not one without effect.
    fault: simulated === null && has('sandbox-simulate'),
    Accept: problem_code === 'not_acceptable',
    'Idempotency-Key': idempotency_hash !== null || has('idempotency-key'),
    'If-None-Match': status === NOT_MODIFIED || has('if-none-match'),
    Origin: has('origin'),
    'Sec-Fetch-Site': has('sec-fetch-site'),
  };
  return OMITTED_PARTS.filter((one) => isOmitted[one]);
}

const isAddressComplete = ({ path, query }: Pick<RequestRow, 'path' | 'query'>): boolean =>
  isPathComplete(path) && maskedParametersOf(query).length === 0;

// Checks a response of the upstream API before any part of it is passed on: its status, its schema, and that it
// concerns the requested object. Passes on only the fields that the contract defines.
import { isUtf8 } from 'node:buffer';
import type { Plane } from '../../access/authority/index.ts';
import type { AnyOperation } from '../../kit/http/operation.ts';
import { schemaErrors, type TSchema } from '../../kit/http/schema.ts';
import { type InvalidPart, type ProblemCode, type ProblemError, problem } from '../../kit/openapi/problems.ts';
import type { OriginResult } from '../../kit/outbound/outbound-origin.ts';
import type { UpstreamFailureKind } from '../../platform/upstream-failures/index.ts';

/** The `detail` of the problem. */
const DETAILS: Record<UpstreamFailureKind, string> = {
  unreachable: 'The upstream API cannot be reached. Nothing was changed.',
  timeout: 'The upstream API did not answer in time.',
  broken: 'The upstream API cut off its response.',
  too_large: 'The upstream API sent a response that exceeds the size limit.',
  status: 'The upstream API failed.',
  configuration:
    'The upstream API does not accept the credentials of this Slipway. Its operator must fix the configuration.',
  form: 'The upstream API sent a response that does not fit the contract.',
};

export class UpstreamFailureError extends Error {
  override name = 'UpstreamFailureError';
  readonly kind: UpstreamFailureKind;
  /** True if the upstream API may have carried out the request. */
  readonly isUnknown: boolean;
  readonly problem: ProblemError;
  constructor(
    kind: UpstreamFailureKind,
    isUnknown: boolean,
    code: ProblemCode = 'upstream_invalid',
    retryAfterS?: number,
  ) {
    super(`The upstream API failed: ${kind}.`);
    this.kind = kind;
    this.isUnknown = isUnknown;
    const headers = retryAfterS === undefined ? {} : { headers: { 'retry-after': String(retryAfterS) } };
    this.problem = problem(code, { detail: DETAILS[kind], ...headers });
  }
}

/** A problem of the upstream API, as a problem of the contract. Nothing was changed. */
export class UpstreamRefusalError extends Error {
  override name = 'UpstreamRefusalError';
  readonly problem: ProblemError;
  constructor(refused: ProblemError) {
    super(`The upstream API refused the request: ${refused.code}.`);
    this.problem = refused;
  }
}

/** The request that the response belongs to. */
interface ForwardedRequest {
  operation: AnyOperation<Plane>;
  isRepeat: boolean;
  /** True if the operation is one of an operator's contract, whose bodies the upstream API can refuse with 400 or 422. */
  refusesBodies?: boolean;
}

type OriginResponse = Extract<OriginResult, { kind: 'response' }>;

/** Returns a response with the expected status; throws UpstreamFailureError or UpstreamRefusalError. */
export function requireStatus(
  result: OriginResult,
  expectedStatus: number,
  requested: ForwardedRequest,
): OriginResponse {
  if (result.kind === 'failure') throw failureOf(result, requested);
  if (result.status !== expectedStatus) throw toStatusError(result, requested);
  return result;
}

/** Returns the value of a valid response; throws UpstreamFailureError or UpstreamRefusalError. */
export const readAnswer = (
  result: OriginResult,
  expectedStatus: number,
  requested: ForwardedRequest,
  expectedType?: string,
): unknown => jsonOf(requireStatus(result, expectedStatus, requested), expectedType);

/** Returns the value of a response in JSON with the expected media type. */
export function jsonOf(
  { headers, body }: Pick<OriginResponse, 'headers' | 'body'>,
  expectedType = 'application/json',
): unknown {
  const [, type = ''] =
    /^([^;\s]*)\s*(?:;\s*charset="?utf-?8"?\s*)?$/i.exec(String(headers['content-type'] ?? '')) ?? [];
  if (type.toLowerCase() !== expectedType || headers['content-encoding'] !== undefined || !isUtf8(body))
    throw invalid();
  return parse(body);
}

const invalid = (): UpstreamFailureError => new UpstreamFailureError('form', true);

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw invalid();
  }
}

/**
 * Returns the value as JSON that is written again from the checked value. Throws if the value does not fit the schema.
 */
export function toValidJson(schema: TSchema | undefined, value: unknown): string {
  if (!schema || schemaErrors(schema, value).length > 0) throw invalid();
  try {
    return JSON.stringify(value);
  } catch {
    throw invalid(); // too deep for the stack
  }
}

/** Throws unless all facts are true. A response about another object is invalid. */
export function requireMatch(...facts: boolean[]): void {
  if (!facts.every(Boolean)) throw invalid();
}

export function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid();
  return value as Record<string, unknown>; // an object with any fields
}

function failureOf(
  { failure, hasBegun }: Extract<OriginResult, { kind: 'failure' }>,
  { operation }: ForwardedRequest,
): UpstreamFailureError {
  if (failure === 'timeout') return new UpstreamFailureError('timeout', true, 'timeout', 1);
  if (failure === 'broken' || failure === 'too_large') {
    // The outcome of a mutation is unknown.
    const isLost = hasBegun && operation.method !== 'GET';
    return isLost ? new UpstreamFailureError(failure, true, 'timeout', 1) : new UpstreamFailureError(failure, hasBegun);
  }
  return new UpstreamFailureError('unreachable', false, 'unavailable', 1);
}

const MAX_RETRY_AFTER_S = 3_600;

function retryAfterOf(headers: Readonly<Record<string, string | string[] | undefined>>): number {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return Number.isInteger(seconds) && seconds >= 1 ? Math.min(seconds, MAX_RETRY_AFTER_S) : 1;
}

function toStatusError(
  { status, headers, body }: OriginResponse,
  { operation, isRepeat, refusesBodies = false }: ForwardedRequest,
): UpstreamFailureError | UpstreamRefusalError {
  const refused = (code: ProblemCode, extra: Parameters<typeof problem>[1] = {}): UpstreamRefusalError =>
    new UpstreamRefusalError(problem(code, extra));
  const declared = [...operation.access.problems, ...(operation.problems ?? [])];
  const upstreamCode = codeOf(body);
  if (status === 401 || status === 403) return new UpstreamFailureError('configuration', false);
  if (status === 404 && declared.includes('not_found')) return refused('not_found');
  // The upstream API is still processing the first request with this key.
  if (status === 409 && (upstreamCode === 'idempotency_in_progress' || isRepeat)) {
    return new UpstreamFailureError('timeout', true, 'idempotency_in_progress', 1);
  }
  if (status === 409 && declared.includes('conflict')) {
    return refused('conflict', {
      detail: 'The upstream API refused the request: it does not fit the current state.',
    });
  }
  if (status === 422 && upstreamCode !== 'idempotency_key_reused' && declared.includes('workflow_input_invalid')) {
    return refused('workflow_input_invalid', { errors: toInvalidParts(body, INVALID_INPUT) });
  }
  const isRefusedBody = (status === 400 || status === 422) && upstreamCode !== 'idempotency_key_reused';
  if (isRefusedBody && refusesBodies && operation.body)
    return refused('invalid_request', { errors: toInvalidParts(body, REFUSED_BODY) });
  const retryAfter = { headers: { 'retry-after': String(retryAfterOf(headers)) } };
  if (status === 429) return refused('rate_limited', retryAfter);
  if (status === 503) return new UpstreamFailureError('status', true, 'unavailable', retryAfterOf(headers));
  if (status === 504) return new UpstreamFailureError('timeout', true, 'timeout', 1);
  // The outcome of a mutation is unknown: the upstream API may have carried it out before it failed.
  if (status >= 500 && operation.method !== 'GET') return new UpstreamFailureError('status', true, 'timeout', 1);
  return new UpstreamFailureError('status', status >= 500 || status < 400);
}

function readProblem(body: Buffer): Record<string, unknown> {
  try {
    return fieldsOf(JSON.parse(body.toString()));
  } catch {
    return {};
  }
}

const codeOf = (body: Buffer): unknown => readProblem(body).code;

interface InvalidBody {
  /** The pointers that are passed on. */
  pointer: RegExp;
  /** The pointer without one of the upstream API. */
  whole: string;
  detail: string;
}

const INVALID_INPUT: InvalidBody = {
  pointer: /^\/input(\/[\w.~-]{1,100}){0,10}$/,
  whole: '/input',
  detail: 'does not fit the `inputSchema` of the workflow',
};
const REFUSED_BODY: InvalidBody = {
  pointer: /^(\/[\w.~-]{1,100}){0,10}$/,
  whole: '',
  detail: 'was refused by the upstream API',
};
const MAX_PARTS = 20;

/** Returns the pointers of an invalid input from the upstream API. Its own texts are not passed on. */
function toInvalidParts(body: Buffer, { pointer: form, whole, detail }: InvalidBody): InvalidPart[] {
  const { errors } = readProblem(body);
  const pointers = (Array.isArray(errors) ? errors.slice(0, MAX_PARTS) : []).flatMap((one: unknown) => {
    const pointer: unknown = typeof one === 'object' && one !== null ? Reflect.get(one, 'pointer') : undefined;
    return typeof pointer === 'string' && form.test(pointer) ? [pointer] : [];
  });
  return (pointers.length > 0 ? pointers : [whole]).map((pointer) => ({ pointer, detail }));
}

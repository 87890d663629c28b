// The context of a request that ended in a problem: the problem, and the parts of the request that the contract
// defines. It has at most 8 KiB and says if it was cut.

import type { AnsweredRequest } from '../../kit/http/mount.ts';
import type { RequestSpec } from '../../kit/http/operation.ts';
import type { ProblemBody } from '../../kit/openapi/problems.ts';
import { escapePointer, parsePointer } from '../../kit/text/json-pointer.ts';
import { toMask } from './mask.ts';
import { maskPointer, maskValue } from './masked-value.ts';
import { sanitiseText } from './sanitise-text.ts';

const MAX_BYTES = 8 * 1024;
const MAX_DETAIL_CHARACTERS = 500;

const MEDIA =
  '(?:application/(?:json|xml|octet-stream|x-www-form-urlencoded|problem\\+json|\\*)|text/(?:plain|html|xml|\\*)|multipart/form-data|\\*/\\*)';
const MEDIA_TYPE = `${MEDIA}(?:; ?(?:q=[01](?:\\.\\d{1,3})?|charset="?(?:utf-?8|iso-8859-1|us-ascii|utf-16)"?))*`;
const wholeMatch = (pattern: string): RegExp => new RegExp(`^${pattern}$`, 'i');

/**
 * The headers that are recorded, each with the pattern of values that are kept. For another value only the presence is
 * recorded.
 */
const HEADERS: Readonly<Record<string, RegExp | undefined>> = {
  accept: wholeMatch(`${MEDIA_TYPE}(?:, ?${MEDIA_TYPE}){0,8}`),
  'content-type': wholeMatch(MEDIA_TYPE),
  'content-length': /^\d{1,10}$/,
  'content-encoding': /^(gzip|br|deflate|zstd|identity)$/,
  'transfer-encoding': /^chunked$/,
  expect: /^100-continue$/,
  'sec-fetch-site': /^(none|same-origin|same-site|cross-site)$/,
  origin: undefined,
  'if-none-match': undefined,
  'idempotency-key': undefined,
  'sandbox-simulate': undefined,
  traceparent: undefined,
};

function headersOf({ headers }: AnsweredRequest['request']): Record<string, string> {
  const recordedHeaders = Object.entries(HEADERS).flatMap(([name, form]) => {
    const value = headers[name];
    if (typeof value !== 'string') return [];
    return [[name, form?.test(value) ? value : toMask(value)] as const];
  });
  return Object.fromEntries(recordedHeaders);
}

/** Masks a pointer in the form of `validate`: into the body, or to a parameter or header by its name. */
function maskErrorPointer(pointer: string, form: RequestSpec | undefined, isRequired: boolean): string {
  const [place = '', ...rest] = parsePointer(pointer);
  if (place === 'header') return Object.hasOwn(HEADERS, rest.join('/').toLowerCase()) ? pointer : '/header/*';
  const isQuery = place === 'query' && rest.length > 0;
  const steps = isQuery ? rest : pointer === '' ? [] : [place, ...rest];
  const masked = maskPointer(isQuery ? form?.query : form?.body, steps, isRequired).map(escapePointer);
  return (isQuery ? ['', 'query', ...masked] : ['', ...masked]).join('/');
}

const isLong = (detail: string): boolean => detail.length > MAX_DETAIL_CHARACTERS;

function maskProblem(problem: ProblemBody, form: RequestSpec | undefined): ProblemBody {
  const { detail, errors } = problem;
  const masked: ProblemBody = { ...problem };
  if (detail !== undefined) masked.detail = sanitiseText(detail, MAX_DETAIL_CHARACTERS);
  if (errors) {
    masked.errors = errors.map((error) => ({
      pointer: maskErrorPointer(error.pointer, form, error.detail === 'is required'),
      detail: sanitiseText(error.detail, MAX_DETAIL_CHARACTERS),
    }));
  }
  return masked;
}

interface ErrorContext {
  problem: Partial<ProblemBody>;
  /** The recorded headers by name. */
  headers: Record<string, string>;
  /** Absent if no body could be read. */
  body?: unknown;
  /** True if parts were dropped. Stored records have this name; responses have `isTruncated`. */
  isCut?: true;
}

/** Returns the context as JSON. */
export function buildErrorContext(answered: AnsweredRequest, problem: ProblemBody): string {
  const { request, exchange } = answered;
  const form = exchange.operation;
  const context: ErrorContext = { problem: maskProblem(problem, form), headers: headersOf(request) };
  if ([problem, ...(problem.errors ?? [])].some(({ detail = '' }) => isLong(detail))) context.isCut = true;
  if (request.body !== undefined) {
    const { value, isTruncated } = maskValue(form?.body, request.body);
    context.body = value;
    if (isTruncated) context.isCut = true;
  }
  return fitToLimit(context, request.body);
}

const fits = (json: string): boolean => json.length <= MAX_BYTES && Buffer.byteLength(json) <= MAX_BYTES;

/** Returns the context as JSON within the limit. Drops the body first, then the parts of the problem. */
function fitToLimit(context: ErrorContext, body: unknown): string {
  const { errors: _errors, ...problem } = context.problem;
  const smaller: ErrorContext[] = [
    context,
    { ...context, ...(body !== undefined && { body: toMask(body) }), isCut: true },
    { headers: {}, problem, isCut: true },
  ];
  return (
    smaller.map((one) => JSON.stringify(one)).find(fits) ?? JSON.stringify({ problem: {}, headers: {}, isCut: true })
  );
}

// Reads and validates the inputs of a request as they were sent: nothing is dropped, and only numbers and booleans of
// the path and the query are coerced.
import type { FastifyRequest } from 'fastify';
import { fromId } from '../crypto/ids.ts';
import { type ProblemError, type ProblemExtra, problem } from '../openapi/problems.ts';
import { findNearestWords } from '../text/nearest-words.ts';
import { checkHost } from './host-header.ts';
import { coerceQuery, UNREADABLE } from './http.ts';
import type { Inputs, RequestSpec } from './operation.ts';
import { idFieldsOf, type TSchema, validate } from './schema.ts';

const MAX_URL_CHARACTERS = 8_000;

/** Returns the refusal of a request that is malformed, whatever operation it is for; undefined otherwise. */
export function checkRequestForm({ url, raw }: FastifyRequest): ProblemError | undefined {
  if (raw.isUndecodable) return problem('invalid_request', { detail: UNREADABLE });
  if (url.length > MAX_URL_CHARACTERS) return problem('uri_too_long');
  const detail = checkHost(raw);
  return detail === undefined ? undefined : problem('invalid_request', { detail });
}

const NO_QUERY = { type: 'object', properties: {}, additionalProperties: false } as const;

/**
 * Returns the function that reads the inputs of an operation, and throws the problem of inputs that do not fit its
 * schemas.
 */
export function inputReader(operation: RequestSpec): (request: FastifyRequest) => Inputs {
  const idFields = [...idFieldsOf(operation.params), ...idFieldsOf(operation.query)];
  const hasTypes = hasTypedParams(operation.params);
  return (request) => {
    refuseEmptyEtag(request);
    const params = request.params as Record<string, string>; // the router's captures
    // An id that cannot exist is not found. This is not an error of form that a client could fix.
    if (operation.params) {
      validateParams(operation.params, hasTypes ? coerceQuery(operation.params, params) : params);
    }
    const query = coerceQuery(operation.query, request.query as Record<string, unknown>); // the parser's object
    refuseRepeated(operation.query, query);
    if (operation.query || Object.keys(query).length > 0) validate('query', operation.query ?? NO_QUERY, query);
    if (operation.body) validate('body', operation.body, request.body ?? null);
    return { params, query, body: request.body, ids: readIds(idFields, params, query) };
  };
}

// The contract requires a character. An empty value is the mistake of a client that stored no ETag.
function refuseEmptyEtag({ method, headers }: FastifyRequest): void {
  if (headers['if-none-match'] !== '' || (method !== 'GET' && method !== 'HEAD')) return;
  const detail = 'must be an ETag of an earlier response; omit the header if there is none';
  throw problem('invalid_request', { errors: [{ pointer: '/header/If-None-Match', detail }] });
}

/** Returns whether a parameter of the path is a number or a boolean. */
function hasTypedParams(schema: TSchema | undefined): boolean {
  const properties: Record<string, { type?: unknown }> = Object(Reflect.get(Object(schema), 'properties'));
  return Object.values(properties).some(({ type }) => type !== undefined && type !== 'string');
}

const NO_IDS: Inputs['ids'] = {};

/** Returns the uuids of the identifiers. The values fit their schemas, so each of them has a uuid. */
function readIds(
  fields: readonly (readonly [string, string])[],
  params: Inputs['params'],
  query: Inputs['query'],
): Inputs['ids'] {
  if (fields.length === 0) return NO_IDS;
  const ids: Record<string, string | undefined> = {};
  for (const [name, prefix] of fields) {
    const id = params[name] ?? query[name];
    if (typeof id === 'string') ids[name] = fromId(prefix, id);
  }
  return ids;
}

// The parser makes a list of a repeated parameter. No parameter is a list, and an error about types would mislead.
function refuseRepeated(schema: TSchema | undefined, query: Record<string, unknown>): void {
  const known: object = Object(Reflect.get(Object(schema), 'properties'));
  const errors = Object.entries(query).flatMap(([name, value]) =>
    Array.isArray(value) && Object.hasOwn(known, name)
      ? [{ pointer: `/query/${name}`, detail: 'is given more than once' }]
      : [],
  );
  if (errors.length > 0) throw problem('invalid_request', { errors });
}

function validateParams(schema: TSchema, params: Readonly<Record<string, unknown>>): void {
  try {
    validate('path', schema, params);
  } catch {
    throw problem('not_found', describeAllowedWords(schema, params));
  }
  // A path with an empty part is the path of no operation, also if a schema accepts the empty text.
  if (Object.values(params).includes('')) throw problem('not_found');
}

/**
 * Returns a detail with the words that a parameter of the path may be. A caller can correct a mistyped word, unlike an
 * identifier.
 */
function describeAllowedWords(schema: TSchema, params: Readonly<Record<string, unknown>>): ProblemExtra {
  const known: object = Object(Reflect.get(schema, 'properties'));
  for (const [name, value] of Object.entries(params)) {
    const words: unknown = Reflect.get(Object(Reflect.get(known, name)), 'enum');
    if (!Array.isArray(words) || typeof value !== 'string' || words.includes(value)) continue;
    const near = findNearestWords(value, words).map((word) => `\`${word}\``);
    const suggestion = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
    return { detail: `\`${name}\` must be one of ${words.join(', ')}.${suggestion}` };
  }
  return {};
}

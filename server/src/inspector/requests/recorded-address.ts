// The recorded form of a request's address. The path is the operation's path with its identifiers. The query has the
// operation's parameters: every valid value of a request that succeeded, and otherwise only values that the contract
// constrains. Everything else may be arbitrary text and is recorded as `*`, except misspelt words of the API and a short
// number in the path of an authenticated caller.

import { isId } from '../../kit/crypto/ids.ts';
import { coerceQuery } from '../../kit/http/http.ts';
import type { AnsweredRequest } from '../../kit/http/mount.ts';
import { schemaErrors, type TSchema } from '../../kit/http/schema.ts';
import { describe, isSensitiveValue } from '../../kit/http/schema-parts.ts';
import { countEdits } from '../../kit/text/nearest-words.ts';
import { isConstrained } from './masked-value.ts';
import { sanitiseText } from './sanitise-text.ts';

// The characters at which the router ends a path.
const BEYOND_PATH = /[?#;]/;

const MAX_PARAMETERS = 20;
const MAX_VALUE_CHARACTERS = 500;

/**
 * Returns the recorded path. If no operation has the path, `isKept` decides which parts that are no words of the
 * contract are recorded as they were sent. In the place of a parameter, only identifiers are.
 */
export function recordedPath({ request, exchange }: AnsweredRequest, isKept: (part: string) => boolean = isId): string {
  const route = exchange.route ?? '*';
  const { url } = request;
  if (route.includes('*')) {
    const sent = pathOf(url).split('/');
    const parts = route.split('/');
    if (sent.length !== parts.length) return route;
    return parts.map((part, at) => (part === '*' && isKept(sent[at] ?? '') ? sent[at] : part)).join('/');
  }
  if (!route.includes('{')) return route;
  const params = request.params as Record<string, string | undefined>; // set by the router
  // Fast path for the usual case: all captures are plainly spelt identifiers. The router drops the part before the path
  // of an absolute-form address (RFC 9112, section 3.2.2), so this path does not handle it.
  if (
    url.startsWith('/') &&
    !url.includes('%') &&
    Object.values(params).every((value) => value !== undefined && isId(value))
  ) {
    return pathOf(url);
  }
  return route.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = params[name];
    return value !== undefined && isId(value) ? value : place;
  });
}

function pathOf(url: string): string {
  const end = url.search(BEYOND_PATH);
  return end === -1 ? url : url.slice(0, end);
}

const MAX_EDITS = 2;
const MIN_MISSPELT_CHARACTERS = 4;

/**
 * Returns a predicate for the parts of one path that an authenticated caller sent: identifiers, one short number, and
 * words that are spelt almost like words of the API. So a mistyped path is recorded as it was called. Any other
 * text may be a secret.
 */
export function createPathFilter(words: ReadonlySet<string>): (part: string) => boolean {
  const misspelt = [...words].filter((word) => word.length >= MIN_MISSPELT_CHARACTERS);
  const isWord = (text: string): boolean =>
    words.has(text) || misspelt.some((word) => countEdits(text.toLowerCase(), word) <= MAX_EDITS);
  let numbers = 0;
  return (part) => {
    if (/^\d{1,5}$/.test(part)) {
      numbers += 1;
      return numbers === 1;
    }
    // Each component must be a word: `tickets-` in front of a secret does not make it known.
    return isId(part) || isWord(part) || part.split(/[-_]/).every(isWord);
  };
}

/** Returns the recorded query; null without a query. */
export function recordedQuery(answered: AnsweredRequest): string | null {
  const { request, exchange } = answered;
  if (!request.url.includes('?')) return null;
  const schema = exchange.operation?.query;
  const properties = (schema as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};
  const sent = request.query as Record<string, unknown>; // set by the query parser
  const parameters = Object.entries(coerceQuery(schema, sent))
    .slice(0, MAX_PARAMETERS)
    .map(([name, value]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return known ? `${name}=${recordedValue(known, value, answered)}` : '*=*';
    });
  return parameters.join('&');
}

function recordedValue(schema: TSchema, value: unknown, { problem, status }: AnsweredRequest): string {
  // A cursor that was not opened is arbitrary text: in a refused request, and on a connection that was reset instead.
  const isOpened = problem === undefined && status !== null;
  const isSecret = isSensitiveValue(describe([schema]));
  const isKept = !isSecret && (isOpened || isConstrained(schema, value)) && schemaErrors(schema, value).length === 0;
  return isKept ? encodeURIComponent(sanitiseText(String(value), MAX_VALUE_CHARACTERS)) : '*';
}

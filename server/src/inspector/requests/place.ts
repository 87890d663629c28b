// Where a request went, as it may be kept: the path as the operation spells it, with the identifiers that fill it, and the
// parameters that the operation has, with values that fit. What else was sent there may be anything, and is a `*`.

import { isId } from '../../kit/crypto/ids.ts';
import { coerceQuery } from '../../kit/http/http.ts';
import type { Answered } from '../../kit/http/mount.ts';
import { schemaErrors, type TSchema } from '../../kit/http/schema.ts';
import { keptText } from './kept-text.ts';
import { isJudged } from './masked-value.ts';

// Where the router ends a path.
const BEYOND_PATH = /[?#;]/;

const MAX_PARAMETERS = 20;
const MAX_VALUE_CHARACTERS = 500;

export function pathOf({ request, exchange }: Answered): string {
  const route = exchange.route ?? '*';
  if (!route.includes('{')) return route;
  const params = request.params as Record<string, string | undefined>; // the router's captures
  const { url } = request;
  // What fills the route is identifiers alone, and spelt as such: the usual case, and by far the fastest. Of an address in its absolute
  // form (RFC 9112, section 3.2.2) the router leaves out what stands before the path, and so does this.
  if (
    url.startsWith('/') &&
    !url.includes('%') &&
    Object.values(params).every((value) => value !== undefined && isId(value))
  ) {
    const end = url.search(BEYOND_PATH);
    return end === -1 ? url : url.slice(0, end);
  }
  return route.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = params[name];
    return value !== undefined && isId(value) ? value : place;
  });
}

/** Null without a query. */
export function queryOf(answered: Answered): string | null {
  const { request, exchange } = answered;
  if (!request.url.includes('?')) return null;
  const schema = exchange.operation?.query;
  const properties = (schema as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};
  const sent = request.query as Record<string, unknown>; // the parser's object
  const told = Object.entries(coerceQuery(schema, sent))
    .slice(0, MAX_PARAMETERS)
    .map(([name, value]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return known ? `${name}=${keptValue(known, value, answered)}` : '*=*';
    });
  return told.join('&');
}

function keptValue(schema: TSchema, value: unknown, { problem, status }: Answered): string {
  // A position that nobody has opened is a text as any other: of a refusal, and of a connection that was reset instead.
  const isOpened = problem === undefined && status !== null;
  const isKept = (isOpened || isJudged(schema, value)) && schemaErrors(schema, value).length === 0;
  return isKept ? encodeURIComponent(keptText(String(value), MAX_VALUE_CHARACTERS)) : '*';
}

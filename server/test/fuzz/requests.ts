// Requests of one operation, generated from its schemas: valid, nearly valid and hostile ones.
import fc from 'fast-check';
import type { AnyOperation } from '../../src/kit/http/operation.ts';
import type { CollectedIds } from './collected-ids.ts';
import {
  type Header,
  hostileBody,
  hostileQuery,
  hostileValue,
  oddHeader,
  oddMethod,
  oddSegment,
  toJson,
} from './hostile-values.ts';
import { type Damage, damaged, type InputSchema, nearMiss, type ValueSource, valid } from './values.ts';
import { bytesOf, type WireRequest } from './wire.ts';

export interface Draft {
  /** True if only path, query and body differ from a valid request: headers and method are those of a good client. */
  isPlain: boolean;
  request: WireRequest;
}

interface Parts {
  method: string;
  segments: Record<string, string>;
  query: string;
  headers: readonly Header[];
  body: string | undefined;
}

export type FuzzedOperation = AnyOperation<never> & { documentPath: string };

type Arbitrary<T> = fc.Arbitrary<T>;

const IDEMPOTENCY: Arbitrary<readonly Header[]> = fc.constantFrom<(readonly Header[])[]>(
  [],
  [['Idempotency-Key', 'the same again']],
  [['Traceparent', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`]],
  [['Accept', 'application/json']],
  [['If-None-Match', 'W/"nothing"']],
);

function queryText(value: unknown): string {
  return Object.entries(value as Record<string, unknown>) // an object's schema
    .map(([name, inner]) => `${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(inner))}`)
    .join('&');
}

// Percent-encoding cannot represent a half surrogate pair.
const wellFormed = (value: unknown): string => (typeof value === 'string' ? value : toJson(value)).toWellFormed();

/** Returns an operation's requests. The sender adds credentials and Host. */
export function requestsOf(operation: FuzzedOperation, harvest: CollectedIds): Arbitrary<Draft> {
  const source: ValueSource = harvest.sourceFor(operation.id);
  const params = operation.params as InputSchema | undefined; // TypeBox schemas are JSON Schema objects
  const query = operation.query as InputSchema | undefined;
  const body = operation.body as InputSchema | undefined;

  const segments = (schema: InputSchema | undefined): Arbitrary<Record<string, string>> =>
    (schema ? valid(schema, source) : fc.constant({})).map((values) => encodeAll(values));
  const goodQuery = query ? valid(query, source).map(queryText) : fc.constant('');
  const examples = Object.values(operation.examples ?? {});
  const goodBody: Arbitrary<string> | undefined =
    body &&
    fc.oneof(
      { weight: 3, arbitrary: valid(body, source).map((value) => bytesOf(toJson(value))) },
      {
        weight: examples.length === 0 ? 0 : 1,
        arbitrary: fc.constantFrom(...examples, {}).map((value) => bytesOf(harvest.withKnownIds(toJson(value)))),
      },
    );

  const good = (changes: Partial<{ [K in keyof Parts]: Arbitrary<Parts[K]> }>): Arbitrary<Parts> =>
    fc.record({
      method: fc.constant<string>(operation.method),
      segments: segments(params),
      query: goodQuery,
      headers: IDEMPOTENCY,
      body: goodBody ?? fc.constant(undefined),
      ...changes,
    });

  const nothing: Arbitrary<Parts>[] = [];
  // The body first and the path last, because an invalid path always has the same result.
  const spoilt = (damage: Damage): Arbitrary<Parts>[] => {
    const inBody = body
      ? [good({ body: damaged(body, damage, source).map((value) => bytesOf(toJson(value))) })]
      : nothing;
    const inQuery = query
      ? [
          good({
            query: damaged(query, damage, source).map((value) => queryText(isObject(value) ? value : { limit: value })),
          }),
        ]
      : nothing;
    const inPath = params
      ? [good({ segments: damaged(params, damage, source).map((value) => encodeAll(isObject(value) ? value : {})) })]
      : nothing;
    return [...inBody, ...inBody, ...inBody, ...inQuery, ...inQuery, ...inPath];
  };
  const hostile = [
    ...spoilt(hostileValue),
    good({ query: hostileQuery(goodQuery, Object.keys(query?.properties ?? { limit: 1 })) }),
    good({ body: hostileBody(goodBody ?? fc.constant('{}')) }),
    ...(params ? [oddPath(good({}), Object.keys(params.properties ?? {}))] : nothing),
  ];
  const odd = [good({ headers: fc.array(oddHeader, { minLength: 1, maxLength: 3 }) }), good({ method: oddMethod })];
  const draft =
    (isPlain: boolean) =>
    (parts: Parts): Draft => ({ isPlain, request: toRequest(operation, parts, isPlain) });
  return fc.oneof(
    { weight: 4, arbitrary: good({}).map(draft(true)) },
    { weight: 4, arbitrary: fc.oneof(...spoilt(nearMiss), good({})).map(draft(true)) },
    { weight: 4, arbitrary: fc.oneof(...hostile).map(draft(true)) },
    { weight: 2, arbitrary: fc.oneof(...odd).map(draft(false)) },
  );
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function oddPath(good: Arbitrary<Parts>, names: readonly string[]): Arbitrary<Parts> {
  return fc
    .tuple(good, fc.constantFrom(...names), oddSegment)
    .map(([parts, name, segment]) => ({ ...parts, segments: { ...parts.segments, [name]: segment } }));
}

function encodeAll(values: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values as object).map(([name, value]) => [name, encodeURIComponent(wellFormed(value))]),
  );
}

function toRequest(operation: FuzzedOperation, parts: Parts, isPlain: boolean): WireRequest {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parts.segments[name] ?? 'missing');
  const hasType = parts.headers.some(([name]) => name === 'Content-Type');
  const type: Header[] =
    parts.body !== undefined && (isPlain || !hasType) ? [['Content-Type', 'application/json']] : [];
  return {
    method: parts.method,
    target: parts.query === '' ? path : `${path}?${parts.query}`,
    headers: [...type, ...parts.headers],
    body: parts.body,
  };
}

// The body of a response: its content, and the declared fields around it.
import {
  type Content,
  exampleOf,
  fieldAt,
  formsOf,
  type PageValue,
  type ResponseEnvelope,
  valueAt,
  withField,
  withValue,
} from '../../access/contracts/index.ts';
import { cursorSchema } from '../../kit/http/page.ts';
import { nullable, schemaErrors, strictObject, type TSchema } from '../../kit/http/schema.ts';
import { isObject } from './json-object.ts';

type ListContent = Extract<Content, { of: 'list' }>;
type EnvelopeContent = Extract<Content, { of: 'list' | 'object' }>;

/** The values about a page that are known, the preferred form first. An empty list is a value that the page lacks. */
export type KnownValues = Partial<Record<PageValue, readonly unknown[]>>;

/** Nests schemas under paths such as `data.items`. */
function nestSchemas(entries: readonly (readonly [path: string, schema: TSchema])[]): TSchema {
  const [first] = entries;
  if (first && first[0] === '') return first[1];
  const groups = new Map<string, (readonly [string, TSchema])[]>();
  for (const [path, schema] of entries) {
    const [name = '', ...rest] = path.split('.');
    groups.set(name, [...(groups.get(name) ?? []), [rest.join('.'), schema]]);
  }
  return strictObject(Object.fromEntries([...groups].map(([name, inner]) => [name, nestSchemas(inner)])));
}

/** Returns the path of the field with the next cursor; undefined if the body has none. */
const nextPathOf = ({ in: path, paging }: ListContent): string | undefined =>
  path !== undefined && paging.by === 'cursor' ? paging.next : undefined;

const accepts = (schema: TSchema, value: unknown): boolean => schemaErrors(schema, value).length === 0;

/** Returns the value of the field with the next cursor in the last page; undefined if the page lacks the field. */
function endOf(around: ResponseEnvelope | undefined, next: string): null | '' | undefined {
  const field = around && fieldAt(around.schema, next);
  if (!field || accepts(field.schema, null)) return null;
  return field.isRequired ? '' : undefined;
}

/** Returns the field of a list with the next cursor, and its value in the last page; undefined if the body has no such field. */
export function nextFieldOf(content: ListContent): { path: string; end: null | '' | undefined } | undefined {
  const path = nextPathOf(content);
  return path === undefined ? undefined : { path, end: endOf(content.around, path) };
}

/** Returns the schema of a response whose content has this schema. */
export function envelopeSchema(content: EnvelopeContent, inner: TSchema): TSchema {
  const { in: path, around } = content;
  const field = content.of === 'list' ? nextFieldOf(content) : undefined;
  const cursor = cursorSchema('Cursor of the next page.');
  const next = field?.end === null ? nullable(cursorSchema('Cursor of the next page; null on the last page.')) : cursor;
  if (path === undefined || !around)
    return nestSchemas([[path ?? '', inner], ...(field ? [[field.path, next] as const] : [])]);
  const whole = withField(around.schema, path, inner, true);
  return field ? withField(whole, field.path, next, false) : whole;
}

const made = new WeakMap<ResponseEnvelope, unknown>();

/** Returns the fields around the content with values of their schemas. */
function madeAround(around: ResponseEnvelope, kept: readonly (string | undefined)[]): unknown {
  if (!made.has(around)) {
    const paths = [...kept, ...Object.keys(around.values ?? {})].flatMap((path) => (path === undefined ? [] : [path]));
    made.set(around, withNulls(around.schema, exampleOf({ ...around.schema }), paths));
  }
  return made.get(around);
}

/**
 * Returns a made value with null in each field that can be null, except on these paths. The meaning of such a field is
 * unknown: a made cursor would let a client that pages until null request pages without end.
 */
function withNulls(schema: TSchema, value: unknown, paths: readonly string[]): unknown {
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([name, one]) => {
    const inner = fieldAt(schema, name)?.schema;
    const inside = paths.filter((path) => path === name || path.startsWith(`${name}.`));
    if (!inner || inside.includes(name)) return [name, one];
    if (inside.length === 0 && accepts(inner, null)) return [name, null];
    return [
      name,
      withNulls(
        inner,
        one,
        inside.map((path) => path.slice(name.length + 1)),
      ),
    ];
  });
  return Object.fromEntries(fields);
}

/** Returns the parts of a value that a schema declares. An object without declared fields remains whole. */
function declaredParts(schema: unknown, value: unknown): unknown {
  const properties: unknown = Reflect.get(Object(schema), 'properties');
  if (!isObject(properties) || !isObject(value)) return value;
  const parts = Object.entries(properties).filter(([name]) => Object.hasOwn(value, name));
  return Object.fromEntries(parts.map(([name, inner]) => [name, declaredParts(inner, value[name])]));
}

/**
 * Returns the value for a field: the first known one that its schema accepts, otherwise null, otherwise none. A required
 * field that accepts neither keeps its value.
 */
function choose(
  { schema, isRequired }: { schema: TSchema; isRequired: boolean },
  known: readonly unknown[],
  kept: unknown,
) {
  const forms = known.flatMap((value) => formsOf(schema, value, kept));
  const found = [...forms, null].find((value) => accepts(schema, value));
  return found === undefined && isRequired ? kept : found;
}

/**
 * Returns the body of a response. `given` has the values of the fields around the content, and known values replace values
 * that it has; without it, the values are made.
 */
export function envelopeBody(
  content: EnvelopeContent,
  inner: unknown,
  { given, known = {} }: { given?: unknown; known?: KnownValues } = {},
): unknown {
  const { in: path, around } = content;
  if (path === undefined) return inner;
  let body: unknown = {};
  const next = content.of === 'list' ? nextPathOf(content) : undefined;
  if (around) body = given === undefined ? madeAround(around, [path, next]) : declaredParts(around.schema, given);
  for (const [at, name] of Object.entries(around?.values ?? {})) {
    const [field, values] = [around && fieldAt(around.schema, at), known[name]];
    const isLacking = given !== undefined && valueAt(given, at) === undefined;
    if (field && values && !isLacking) body = withValue(body, at, choose(field, values, valueAt(body, at)));
  }
  return withValue(body, path, inner);
}

/** Returns the body of a list. */
export function listBody(
  content: ListContent,
  items: readonly object[],
  nextCursor: string | null,
  about: { given?: unknown; known?: KnownValues } = {},
): unknown {
  const body = envelopeBody(content, items, about);
  const field = nextFieldOf(content);
  return field ? withValue(body, field.path, nextCursor ?? field.end) : body;
}

/** Returns whether a response has a field with one of these values. */
export const hasValue = ({ around }: ListContent, names: readonly PageValue[]): boolean =>
  Object.values(around?.values ?? {}).some((name) => names.includes(name));

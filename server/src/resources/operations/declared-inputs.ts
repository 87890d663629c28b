// The inputs of an operation that a contract declares: the objects that the path names, the query and the paging.
import {
  type AnyResource,
  fits,
  OBJECT_LIMITS,
  type OperationDeclaration,
  objectInBody,
  type Paging,
} from '../../access/contracts/index.ts';
import { cursorSchema, DEFAULT_LIMIT, MAX_LIMIT } from '../../kit/http/page.ts';
import { integer, nullable, strictObject, type TSchema, Type } from '../../kit/http/schema.ts';
import { type Fields, keyOfId } from '../objects/index.ts';
import { isMergePatch, mergePatchSchema } from './merge-patch.ts';

/** An object that a path names. */
export interface NamedObject {
  resource: AnyResource;
  key: string;
}

const MAX_PAGE = 10_000;

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Returns the resources whose objects the path names, nearest first. */
function namedResources(resource: AnyResource, { path, params = {} }: OperationDeclaration): AnyResource[] {
  const names = namesIn(path).filter((name) => !Object.hasOwn(params, name));
  const named: AnyResource[] = [];
  for (let one: AnyResource | undefined = resource; one; one = one.parent)
    if (names.includes(one.idName)) named.push(one);
  return named;
}

/** Returns the objects that the path of a request names, nearest first. */
export const namedObjects = (
  resource: AnyResource,
  declared: OperationDeclaration,
  params: Readonly<Record<string, string>>,
): NamedObject[] =>
  namedResources(resource, declared).map((one) => ({ resource: one, key: keyOfId(one, params[one.idName]) }));

export function paramsSchema(resource: AnyResource, declared: OperationDeclaration): TSchema | undefined {
  const objects = namedResources(resource, declared).map((one) => [one.idName, one.id] as const);
  const others = Object.entries(declared.params ?? {}).map(([name, { schema }]) => [name, schema] as const);
  const all = Object.fromEntries([...objects, ...others]);
  return Object.keys(all).length > 0 ? strictObject(all) : undefined;
}

export function querySchema({ query = {}, content }: OperationDeclaration): TSchema | undefined {
  const own = Object.entries(query).map(([name, { schema, required }]) => [
    name,
    required ? schema : Type.Optional(schema),
  ]);
  const all: Record<string, TSchema> = {
    ...Object.fromEntries(own),
    ...(content.of === 'list' && pagingSchemas(content.paging)),
  };
  return Object.keys(all).length > 0 ? strictObject(all) : undefined;
}

function pagingSchemas(paging: Paging): Record<string, TSchema> {
  if (paging.by === 'none') return {};
  const { by, parameter, limit, maxLimit = MAX_LIMIT, defaultLimit } = paging;
  const position = {
    cursor: cursorSchema('Cursor of the page, from the previous page.'),
    page: integer('Number of the page, from 1.', 1, MAX_PAGE, { default: 1 }),
    offset: integer('Number of objects to skip.', 0, MAX_PAGE * 100, { default: 0 }),
  }[by];
  // Without a declared default, the default of the upstream API is unknown.
  const defaults = defaultLimit === undefined ? {} : { default: defaultLimit };
  const most = integer('Maximum number of objects to return.', 1, maxLimit, defaults);
  return { [parameter]: Type.Optional(position), ...(limit !== undefined && { [limit]: Type.Optional(most) }) };
}

/**
 * Returns the schema of the body. A request can omit a body that is not required: an action then runs without values, and
 * another change runs with those of an empty object, which must fit.
 */
export function bodySchema(resource: AnyResource, declared: OperationDeclaration): TSchema | undefined {
  const { input, effect } = declared;
  const schema = isMergePatch(declared) ? mergePatchSchema(resource, declared) : input?.schema;
  const isOptional = schema && !input?.required && (effect === 'action' || fits(schema, {}));
  return isOptional ? nullable(schema) : schema;
}

interface PageRequest {
  cursor: string | undefined;
  skip: number;
  limit: number;
  /** The bytes after which the page ends. */
  bytes: number;
}

/** Returns the requested number of objects, otherwise the declared default. Undefined without both. */
export function limitOf(paging: Paging, query: Fields): number | undefined {
  if (paging.by === 'none' || paging.limit === undefined) return undefined;
  const given = query[paging.limit];
  return typeof given === 'number' ? given : paging.defaultLimit;
}

/** Returns the requested page. */
export function pageRequestOf(paging: Paging, query: Fields): PageRequest {
  const { unpagedObjects, pageBytes: bytes } = OBJECT_LIMITS;
  if (paging.by === 'none') return { cursor: undefined, skip: 0, limit: unpagedObjects, bytes };
  const limit = limitOf(paging, query) ?? Math.min(DEFAULT_LIMIT, paging.maxLimit ?? DEFAULT_LIMIT);
  const position = query[paging.parameter];
  if (paging.by === 'cursor')
    return { cursor: typeof position === 'string' ? position : undefined, skip: 0, limit, bytes };
  const number = typeof position === 'number' ? position : undefined;
  const skip = paging.by === 'page' ? ((number ?? 1) - 1) * limit : (number ?? 0);
  // The next page begins after `limit` objects. A page of the default limit is therefore complete, even above the limit
  // of bytes.
  return { cursor: undefined, skip, limit, bytes: limit <= DEFAULT_LIMIT ? Number.MAX_SAFE_INTEGER : bytes };
}

/**
 * Returns the values of the query that select objects: parameters with the name of a field. A value for an array field
 * selects the objects whose array contains the value.
 */
export function filtersOf(
  resource: AnyResource,
  { query: declared = {} }: OperationDeclaration,
  query: Fields,
): Fields {
  const isFilter = (name: string): boolean => Object.hasOwn(declared, name) && Object.hasOwn(resource.fields, name);
  return selectionOf(
    resource,
    Object.entries(query).filter(([name]) => isFilter(name)),
  );
}

/**
 * Returns the values of the body of a search, such as `POST /orders/search`, that select objects: texts, numbers and flags with
 * the name of a field.
 */
export function searchedFields(resource: AnyResource, declared: OperationDeclaration, body: unknown): Fields {
  const given = Object.entries(objectInBody(declared, body));
  const isFilter = ([name, value]: [string, unknown]): boolean =>
    Object.hasOwn(resource.fields, name) && ['string', 'number', 'boolean'].includes(typeof value);
  return selectionOf(resource, given.filter(isFilter));
}

/** Returns the values of fields by which objects are selected. A value for an array field is one of its items. */
function selectionOf({ fields }: AnyResource, values: readonly [string, unknown][]): Fields {
  const isArray = (name: string): boolean => [Reflect.get(Object(fields[name]), 'type')].flat().includes('array');
  return Object.fromEntries(values.map(([name, value]) => [name, isArray(name) ? [value] : value]));
}

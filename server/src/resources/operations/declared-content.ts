// The content of the responses that a contract declares: its schema, an example and the bodies.
import {
  type AnyResource,
  type Content,
  createSeededRandom,
  drawValue,
  exampleOf,
  fits,
  OBJECT_LIMITS,
  type OperationDeclaration,
} from '../../access/contracts/index.ts';
import type { AnyOperation, Reply } from '../../kit/http/operation.ts';
import { cursorSchema } from '../../kit/http/page.ts';
import { preferredType } from '../../kit/http/preferred-type.ts';
import { nullable, strictObject, type TSchema, Type } from '../../kit/http/schema.ts';
import { fileOfType } from './declared-file.ts';

type Replies = AnyOperation<unknown>['replies'];
type ListContent = Extract<Content, { of: 'list' }>;

/** Nests values under paths such as `data.items`. A path without a name is the value itself. */
function nest<T>(
  entries: readonly (readonly [path: string, value: T])[],
  combine: (fields: Record<string, T>) => T,
): T {
  const [first] = entries;
  if (first && first[0] === '') return first[1];
  const groups = new Map<string, (readonly [string, T])[]>();
  for (const [path, value] of entries) {
    const [name = '', ...rest] = path.split('.');
    groups.set(name, [...(groups.get(name) ?? []), [rest.join('.'), value]]);
  }
  return combine(Object.fromEntries([...groups].map(([name, inner]) => [name, nest(inner, combine)])));
}

export const nestValues = (entries: readonly (readonly [string, unknown])[]): unknown =>
  nest<unknown>(entries, (all) => all);
const nestSchemas = (entries: readonly (readonly [string, TSchema])[]): TSchema => nest<TSchema>(entries, strictObject);

/** Returns the path of the field with the next cursor; undefined if the body has none. */
export const nextPathOf = ({ in: path, paging }: ListContent): string | undefined =>
  path !== undefined && paging.by === 'cursor' ? paging.next : undefined;

/** Returns the value at a path such as `data.items`; undefined if the body has none. */
export function valueAt(body: unknown, path: string | undefined): unknown {
  let value = body;
  for (const name of path === undefined ? [] : path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

export function repliesOf(resource: AnyResource, { status, content, summary, effect }: OperationDeclaration): Replies {
  const description = summary.endsWith('.') ? summary : `${summary}.`;
  const reply = { description, ...schemaOf(resource, content), ...headersOf(content, effect) };
  return { [status]: reply };
}

function schemaOf(resource: AnyResource, content: Content): Partial<Replies[number]> {
  const { schema, example } = resource;
  switch (content.of) {
    case 'nothing':
      return {};
    case 'object':
      return {
        schema: nestSchemas([[content.in ?? '', schema]]),
        examples: { anObject: nestValues([[content.in ?? '', example]]) },
      };
    case 'list': {
      const items = Type.Array(schema, { maxItems: OBJECT_LIMITS.unpagedObjects, description: 'Newest first.' });
      const next = nextPathOf(content);
      const cursor = nullable(cursorSchema('Cursor of the next page; null on the last page.'));
      return {
        schema: nestSchemas([[content.in ?? '', items], ...(next === undefined ? [] : [[next, cursor] as const])]),
        examples: { aPage: listBody(content, [example], null) },
      };
    }
    case 'value':
      return { schema: content.schema, examples: { aValue: exampleOf({ ...content.schema }) } };
    case 'file': {
      const [contentType = 'text/plain', ...otherContentTypes] = content.types;
      return { schema: Type.String({ contentEncoding: 'binary' }), contentType, otherContentTypes };
    }
  }
}

function headersOf(content: Content, effect: OperationDeclaration['effect']): Pick<Replies[number], 'headers'> {
  if (effect === 'create' && content.of === 'object') return { headers: ['Location'] };
  return content.of === 'list' && content.paging.by !== 'none' ? { headers: ['Link'] } : {};
}

/** Returns the body of a list. */
export function listBody(content: ListContent, items: readonly object[], nextCursor: string | null): unknown {
  const next = nextPathOf(content);
  return nestValues([[content.in ?? '', items], ...(next === undefined ? [] : [[next, nextCursor] as const])]);
}

interface ReplySource {
  /** Undefined for an action on a collection. */
  object: object | undefined;
  /** The values of the request's body. They replace drawn values of the same name that they fit. */
  given?: Readonly<Record<string, unknown>>;
  /** The text that drawn values are derived from. */
  origin: string;
  /** The header `Accept` of the request. It selects one of several types of a file. */
  accept?: string | string[] | undefined;
}

/** Returns the reply with the content about an object, or with a drawn value. */
export function replyOf(
  resource: AnyResource,
  { status, content }: OperationDeclaration,
  { object, given = {}, origin, accept }: ReplySource,
): Reply {
  const draw = (schema: TSchema): unknown =>
    repeatGiven(schema, drawValue(schema, createSeededRandom(origin)) ?? null, given);
  switch (content.of) {
    case 'nothing':
      return { status };
    case 'object':
      return { status, body: nestValues([[content.in ?? '', object ?? draw(resource.schema)]]) };
    case 'list':
      return { status, body: listBody(content, object ? [object] : [], null) };
    case 'value':
      return { status, body: draw(content.schema) };
    case 'file': {
      const type = preferredType(content.types, accept);
      const json = fileOfType(type);
      return type === undefined ? { status, json } : { status, json, headers: { 'content-type': type } };
    }
  }
}

/** Returns a drawn value with the given values where its schema has a property of their name that they fit. */
function repeatGiven(schema: TSchema, drawn: unknown, given: Readonly<Record<string, unknown>>): unknown {
  if (typeof drawn !== 'object' || drawn === null || Array.isArray(drawn)) return drawn;
  const properties: Readonly<Record<string, TSchema>> = Object(Reflect.get(schema, 'properties'));
  const repeated = Object.entries(properties).flatMap(([name, property]) => {
    if (Object.hasOwn(given, name) && fits(property, given[name])) return [[name, given[name]]];
    return Object.hasOwn(drawn, name) ? [[name, repeatGiven(property, Reflect.get(drawn, name), given)]] : [];
  });
  return { ...drawn, ...Object.fromEntries(repeated) };
}

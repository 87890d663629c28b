// The fields of a response around its content: their schemas, and the values that the server knows.
import type { TSchema } from '../../kit/http/schema.ts';

/** The values about a page that a field around the objects of a list can have. */
export const PAGE_VALUES = [
  /** The number of objects that the request selects, in all pages. */
  'total',
  /** The number of pages. */
  'pages',
  /** The number of objects in the page. */
  'count',
  /** The highest number of objects in the page. */
  'limit',
  /** The number of the page, from 1. */
  'page',
  /** The number of objects before the page. */
  'offset',
  'hasMore',
  'hasPrevious',
  'isFirst',
  'isLast',
  /** The address of another page; in a field for a number, its number or the objects before it. */
  'next',
  'previous',
  /** The address of the page, or of the object. */
  'self',
  'first',
  'last',
] as const;
export type PageValue = (typeof PAGE_VALUES)[number];

/** The fields of a response around its content. */
export interface ResponseEnvelope {
  /** The schema of the whole response, an object. The field with the content can have any schema in it. */
  schema: TSchema;
  /** The fields of a list that have a value about its page, by path, such as `meta.total`. Of an object, only `self`. */
  values?: Readonly<Record<string, PageValue>>;
}

interface FieldSchema {
  schema: TSchema;
  /** Whether the object around the field always has it. */
  isRequired: boolean;
}

const propertiesOf = (schema: object): Readonly<Record<string, TSchema>> => Object(Reflect.get(schema, 'properties'));
const requiredOf = (schema: object): string[] => {
  const names: unknown = Reflect.get(schema, 'required');
  return Array.isArray(names) ? names.map(String) : [];
};

/** Returns the schema of the field at a path such as `meta.total`; undefined without such a field. */
export function fieldAt(schema: TSchema, path: string): FieldSchema | undefined {
  let found: FieldSchema | undefined = { schema, isRequired: true };
  for (const name of path.split('.')) {
    const all: Readonly<Record<string, TSchema>> = found ? propertiesOf(found.schema) : {};
    const inner: TSchema | undefined = Object.hasOwn(all, name) ? all[name] : undefined;
    found = found && inner && { schema: inner, isRequired: requiredOf(found.schema).includes(name) };
  }
  return found;
}

/** Returns a schema whose field at a path has another schema. With `isRequired`, each response has the field. */
export function withField(schema: object, path: string, field: object, isRequired: boolean): TSchema {
  const [name = '', ...rest] = path.split('.');
  const properties = propertiesOf(schema);
  const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const changed = rest.length === 0 ? field : withField(inner ?? {}, rest.join('.'), field, isRequired);
  const required = [...new Set([...requiredOf(schema), ...(isRequired ? [name] : [])])];
  return {
    ...schema,
    type: isRequired ? 'object' : (Reflect.get(schema, 'type') ?? 'object'),
    properties: { ...properties, [name]: changed },
    ...(required.length > 0 && { required }),
  };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value at a path such as `data.items`; undefined if the body has none. */
export function valueAt(body: unknown, path: string | undefined): unknown {
  let value = body;
  for (const name of path === undefined ? [] : path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/** Returns the body with a value at a path. An undefined value removes the field. */
export function withValue(body: unknown, path: string, value: unknown): unknown {
  const fields: Readonly<Record<string, unknown>> = isObject(body) ? { ...body } : {};
  const [name = '', ...rest] = path.split('.');
  if (rest.length > 0) {
    const isLacking = value === undefined && !isObject(fields[name]);
    return isLacking ? body : { ...fields, [name]: withValue(fields[name], rest.join('.'), value) };
  }
  if (value !== undefined) return { ...fields, [name]: value };
  return Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name));
}

/** The fields of a link that have its address. */
const ADDRESS_FIELDS = ['href', 'url', 'uri'];

/** Returns the forms of a value: itself, a number as text, and an address in an object such as `{"href": "/orders"}`. */
export function formsOf(schema: TSchema, value: unknown, kept: unknown): unknown[] {
  if (typeof value === 'number') return [value, String(value)];
  const name = ADDRESS_FIELDS.find((field) => fieldAt(schema, field));
  if (typeof value !== 'string' || name === undefined) return [value];
  return [value, { [name]: value }, { ...Object(kept), [name]: value }];
}

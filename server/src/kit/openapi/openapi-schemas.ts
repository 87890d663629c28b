// Converts the schemas of operations to the document. A schema in a request is closed, because the server refuses
// unknown fields and values. A schema in a response is open, because a later release may add fields and values, and
// generated clients must accept them.
import { nameOfSchema, SENSITIVE, versionOfSchema } from '../http/schema.ts';

/** An object of an OpenAPI document. Its values are not checked. */
export type OpenApiObject = Record<string, unknown>;

/** The direction of a value. A client sends requests; the server sends responses and events. */
export type Direction = 'request' | 'response';

/** Converts a schema to its form in the document. */
export type SchemaReferrer = (schema: object, direction: Direction) => OpenApiObject;

const MAX_INT32 = 2 ** 31 - 1;

/** Limits of a value in a set that may grow. Values have no spaces. */
const OPEN_VALUE = { maxLength: 100, pattern: '^\\S+$' };

/**
 * The named schemas of a document. Refer to all schemas of responses first: a request gets a schema of its own where it
 * differs.
 */
export class SchemaComponents {
  readonly #components: Record<Direction, Map<string, OpenApiObject>> = { request: new Map(), response: new Map() };
  readonly #names = new Map<string, string>();

  /** Returns a schema in the form of the document. Named schemas become components, wherever they are nested. */
  readonly refer: SchemaReferrer = (schema, direction) => {
    const name = nameOfSchema(schema);
    if (name === undefined) return this.#copy(schema, direction) as OpenApiObject; // a schema is an object
    this.#declare(name, schema, direction);
    return { $ref: `#/components/schemas/${this.#nameIn(name, direction)}` };
  };

  /** Returns all components by their names. */
  all(): Record<string, OpenApiObject> {
    const { request, response } = this.#components;
    const own = [...request].filter(([name]) => this.#nameIn(name, 'request') !== name || !response.has(name));
    const entries = [...response, ...own.map(([name, schema]) => [this.#nameIn(name, 'request'), schema] as const)];
    return Object.fromEntries(entries);
  }

  #nameIn(name: string, direction: Direction): string {
    return direction === 'request' ? (this.#names.get(name) ?? name) : name;
  }

  #declare(name: string, schema: object, direction: Direction): void {
    const components = this.#components[direction];
    if (components.has(name)) return;
    // Reserves the name, for a schema that contains itself.
    components.set(name, {});
    const component = {
      ...(this.#copy(schema, direction) as OpenApiObject),
      'x-schema-version': versionOfSchema(schema),
    }; // a schema is an object
    components.set(name, component);
    const other = this.#components.response.get(name);
    const isDifferent = direction === 'request' && other && JSON.stringify(other) !== JSON.stringify(component);
    if (isDifferent) this.#names.set(name, `${name}Input`);
  }

  #copy(value: unknown, direction: Direction): unknown {
    if (Array.isArray(value)) return value.map((inner) => this.#enter(inner, direction));
    if (typeof value !== 'object' || value === null) return value;
    const published = Object.entries(value).filter(([name]) => name !== SENSITIVE);
    const copied: OpenApiObject = Object.fromEntries(
      published.map(([name, inner]) => [name, this.#enter(inner, direction)]),
    );
    const described = nullAsOneOf(withFormat(copied));
    return direction === 'request' ? described : openSchema(described);
  }

  #enter(inner: unknown, direction: Direction): unknown {
    return typeof inner === 'object' && inner !== null && nameOfSchema(inner) !== undefined
      ? this.refer(inner, direction)
      : this.#copy(inner, direction);
  }
}

/** Adds the format that the limits of an integer imply, for generators that ignore limits. */
function withFormat(schema: OpenApiObject): OpenApiObject {
  if (schema.type !== 'integer') return schema;
  return { ...schema, format: Number(schema.maximum) <= MAX_INT32 ? 'int32' : 'int64' };
}

/**
 * Describes "or null" as `oneOf`, because ogen supports no `anyOf`. No value matches both alternatives, so both
 * keywords have one meaning.
 */
function nullAsOneOf(schema: OpenApiObject): OpenApiObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const isTyped = anyOf.every((one: OpenApiObject) => one.type !== undefined || one.$ref !== undefined);
  return isTyped && anyOf.some((one: OpenApiObject) => one.type === 'null') ? { oneOf: anyOf, ...rest } : schema;
}

/**
 * Returns a schema that accepts further fields and values. A set of values becomes `x-extensible-enum`, which
 * generators ignore: a generated client fails on a value that is not in an `enum`. A set with one value is a constant
 * and stays.
 */
export function openSchema(schema: OpenApiObject): OpenApiObject {
  const isRecord = schema.properties !== undefined;
  const openEntries = Object.entries(schema).filter(
    ([name, value]) => !(name === 'additionalProperties' && value === false && isRecord),
  );
  const { enum: values, ...rest }: OpenApiObject = Object.fromEntries(openEntries);
  if (!Array.isArray(values) || values.length < 2) return Object.fromEntries(openEntries);
  const known = `One of ${values.map((value) => `\`${value}\``).join(', ')}; more may be added.`;
  const description = typeof rest.description === 'string' ? `${rest.description} ${known}` : known;
  return { ...rest, ...(rest.type === 'string' && OPEN_VALUE), description, 'x-extensible-enum': values };
}

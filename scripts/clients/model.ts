// The types and operations of an OpenAPI document in a form for languages with nominal types: each object and each set
// of values has a name. Supports the subset that the contract uses, and throws on anything else.
import type { ClientCall, Document } from '../../server/src/commands/contract-sdk/generate.ts';
import { callsOf } from '../../server/src/commands/contract-sdk/generate.ts';
import type { JsonSchema } from '../../server/src/commands/contract-sdk/generate-types.ts';

type Schema = JsonSchema & { format?: string };

export type Type =
  | { kind: 'string' | 'boolean' | 'integer' | 'number' | 'time' | 'any' }
  | { kind: 'constant'; value: string | number | boolean }
  | { kind: 'list' | 'map'; item: Type }
  | { kind: 'nullable'; of: Type }
  | { kind: 'named'; name: string }
  | { kind: 'union'; of: Type[] };

export interface Field {
  /** Name in JSON. */
  name: string;
  type: Type;
  isRequired: boolean;
  words: string;
}

export type Declaration =
  | { kind: 'object'; name: string; words: string; fields: Field[] }
  | { kind: 'values'; name: string; words: string; values: string[] }
  | { kind: 'alias'; name: string; words: string; type: Type };

export interface Operation extends Omit<ClientCall, 'parameters' | 'body' | 'outputs' | 'page'> {
  path: string;
  pathParameters: Field[];
  queryParameters: Field[];
  body: Type | undefined;
  /** The value of a successful response. Undefined if it has no body. */
  output: Type | undefined;
  page: { parameter: string; item: Type } | undefined;
}

export interface Model {
  declarations: Declaration[];
  operations: Operation[];
  /** The schema of each event in each schema version that webhooks deliver. */
  events: { type: string; schemaVersion: number; name: string }[];
}

/** Splits a name at case changes and at characters that identifiers cannot contain. */
export const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());

export const pascal = (name: string): string =>
  wordsOf(name)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Names of fields that mean something only with the name of their object. */
const VAGUE = new Set(['type', 'state', 'status', 'code', 'label', 'kind']);

/** Reads one document. A reader serves one document, because it collects the names. */
class Reader {
  readonly declarations = new Map<string, Declaration>();
  /** Names of sets of values, by the values. */
  readonly #sets = new Map<string, string>();

  readonly document: Document;

  constructor(document: Document) {
    this.document = document;
  }

  readSchemas(): void {
    for (const [name, schema] of Object.entries(this.document.components.schemas)) this.#declare(name, schema);
  }

  #add(declaration: Declaration): void {
    const { name } = declaration;
    if (this.declarations.has(name)) throw new Error(`Two types of the SDKs would be called ${name}.`);
    this.declarations.set(name, declaration);
  }

  #declare(name: string, given: Schema): void {
    const schema = merged(this.document, given);
    const words = schema.description ?? '';
    if (isRecord(schema)) {
      // Reserves the place before the types of its fields.
      const declaration: Declaration = { kind: 'object', name, words, fields: [] };
      this.#add(declaration);
      declaration.fields = this.#fieldsOf(name, schema);
    } else {
      const type = this.typeOf(schema, { owner: name, field: 'item' });
      if (type.kind === 'named' && type.name === name) return;
      this.#add({ kind: 'alias', name, words, type });
    }
  }

  #fieldsOf(owner: string, schema: Schema): Field[] {
    return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
      name,
      type: this.typeOf(property, { owner, field: name }),
      isRequired: schema.required?.includes(name) ?? false,
      words: wordsAbove(this.document, property),
    }));
  }

  /** Returns the type of a schema. `at` names an object or a set of values that has no name in the document. */
  typeOf(given: Schema, at: { owner: string; field: string }): Type {
    const schema = merged(this.document, given);
    if (schema.$ref !== undefined) return { kind: 'named', name: schema.$ref.replace('#/components/schemas/', '') };
    if (schema.const !== undefined && schema.const !== null) return { kind: 'constant', value: schema.const };
    const values = schema.enum ?? schema['x-extensible-enum'];
    if (values) return this.#valuesOf(values.filter(isName), schema, at);
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives) return this.#unionOf(alternatives, at);
    switch (schema.type) {
      case 'string':
        return { kind: schema.format === 'date-time' ? 'time' : 'string' };
      case 'boolean':
      case 'integer':
      case 'number':
        return { kind: schema.type };
      case 'array':
        return { kind: 'list', item: this.typeOf(schema.items ?? {}, { ...at, field: singular(at.field) }) };
      case 'object':
        return this.#objectOf(schema, at);
      case undefined:
        if (Object.keys(schema).every((key) => /^(?:description|title|x-.*)$/.test(key))) return { kind: 'any' };
    }
    throw new Error(`The generator of the SDKs does not know this schema: ${JSON.stringify(schema)}`);
  }

  #valuesOf(values: (string | number)[], schema: Schema, { owner, field }: { owner: string; field: string }): Type {
    const [first] = values;
    if (values.length === 1 && first !== undefined) return { kind: 'constant', value: first };
    const texts = values.filter((one) => typeof one === 'string');
    if (texts.length < values.length) return { kind: 'integer' };
    const key = JSON.stringify([...texts].sort());
    const name = this.#sets.get(key) ?? this.#nameOfSet(owner, field);
    if (!this.#sets.has(key)) {
      this.#sets.set(key, name);
      this.#add({ kind: 'values', name, words: schema.description ?? '', values: texts });
    }
    return { kind: 'named', name };
  }

  #nameOfSet(owner: string, field: string): string {
    const short = pascal(field);
    const isFree = !VAGUE.has(field) && !this.declarations.has(short) && !(short in this.document.components.schemas);
    return isFree ? short : owner + short;
  }

  #unionOf(alternatives: Schema[], at: { owner: string; field: string }): Type {
    const isNull = (one: Schema): boolean => one.type === 'null' || one.const === null;
    const types = alternatives.filter((one) => !isNull(one)).map((one) => this.typeOf(one, at));
    const distinct = types.filter((one, index) => index === types.findIndex((other) => same(one, other)));
    const [only] = distinct;
    const of: Type = distinct.length === 1 && only ? only : { kind: 'union', of: distinct };
    return alternatives.some(isNull) ? { kind: 'nullable', of } : of;
  }

  #objectOf(schema: Schema, { owner, field }: { owner: string; field: string }): Type {
    if (!isRecord(schema) || isDocument(schema)) return { kind: 'map', item: this.#itemOf(schema, { owner, field }) };
    const name = owner + pascal(field);
    const alike = this.#componentLike(schema);
    if (alike === undefined) this.#declare(name, schema);
    return { kind: 'named', name: alike ?? name };
  }

  /** Returns the component with these fields. A constant counts as a string: an event's subject has a constant type. */
  #componentLike(schema: Schema): string | undefined {
    const shapeOf = ({ properties = {}, required = [] }: Schema): string =>
      JSON.stringify(
        Object.entries(properties)
          .map(([name, one]) => [name, required.includes(name), one.$ref ?? one.type])
          .toSorted(),
      );
    const components = Object.entries(this.document.components.schemas);
    return components.find(([, one]) => isRecord(one) && shapeOf(one) === shapeOf(schema))?.[0];
  }

  #itemOf(schema: Schema, at: { owner: string; field: string }): Type {
    // Further properties may have any value, whatever the known ones have.
    if (schema.additionalProperties === true) return { kind: 'any' };
    const { patternProperties = {}, properties = {}, additionalProperties: further } = schema;
    const inner = [...Object.values(patternProperties), ...Object.values(properties)];
    if (typeof further === 'object') inner.push(further);
    const isUniform = new Set(inner.map((one) => JSON.stringify({ ...one, description: undefined }))).size === 1;
    const [first] = inner;
    return isUniform && first ? this.typeOf(first, at) : { kind: 'any' };
  }
}

const same = (one: Type, other: Type): boolean => JSON.stringify(one) === JSON.stringify(other);

const singular = (name: string): string => name.replace(/s$/, '');

/** Returns the description of a field, or else that of its type. */
function wordsAbove(document: Document, schema: Schema & { deprecated?: boolean }): string {
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const inner = [schema, ...alternatives].map(
    (one) => one.description ?? (one.$ref === undefined ? undefined : resolved(document, one.$ref).description),
  );
  const words = inner.find((one) => one !== undefined) ?? '';
  return schema.deprecated ? `${words} Deprecated.` : words;
}

/**
 * Returns whether an object has fields. An object whose names cannot be identifiers, such as the names of scopes, is a
 * map.
 */
function isRecord({ type, properties = {} }: Schema): boolean {
  const names = Object.keys(properties);
  return type === 'object' && names.length > 0 && names.every((name) => /^[A-Za-z_]\w*$/.test(name));
}

/** Returns whether an object without a name is a document of any content, of which the schema describes one field. */
const isDocument = ({ properties = {}, additionalProperties }: Schema): boolean =>
  additionalProperties === true && Object.keys(properties).length < 2;

/** Returns a schema without `allOf`: a reference with a description, or the fields of all parts. */
function merged(document: Document, schema: Schema): Schema {
  if (!schema.allOf) return schema;
  const { allOf, ...own } = schema;
  const [first] = allOf;
  if (allOf.length === 1 && first && !own.properties) return { ...own, ...first };
  const parts = [...allOf, own].map((part) => (part.$ref === undefined ? part : resolved(document, part.$ref)));
  return {
    type: 'object',
    ...(schema.description !== undefined && { description: schema.description }),
    properties: Object.assign({}, ...parts.map((part) => part.properties ?? {})),
    required: parts.flatMap((part) => part.required ?? []),
  };
}

function resolved(document: Document, reference: string): Schema {
  const schema = document.components.schemas[reference.replace('#/components/schemas/', '')];
  if (!schema) throw new Error(`The document has no ${reference}.`);
  return schema;
}

function operationOf(reader: Reader, call: ClientCall): Operation {
  const owner = pascal(call.id);
  if (call.isBinary) throw new Error(`${call.id} has a binary response, which the SDKs do not support.`);
  const fieldOf = ({ name, schema, required, description = '' }: ClientCall['parameters'][number]): Field => ({
    name,
    type: reader.typeOf(schema, { owner, field: name }),
    isRequired: required === true,
    words: description,
  });
  const [output, ...others] = call.outputs.map((schema) => reader.typeOf(schema, { owner, field: 'output' }));
  if (others.some((one) => output && !same(one, output)))
    throw new Error(`${call.id} has responses of different types, which the SDKs do not support.`);
  return {
    ...call,
    pathParameters: call.parameters.filter((one) => one.in === 'path').map(fieldOf),
    queryParameters: call.parameters.filter((one) => one.in === 'query').map(fieldOf),
    body: call.body && reader.typeOf(call.body, { owner, field: 'body' }),
    output: call.isText ? { kind: 'string' } : output,
    page: call.page && {
      parameter: call.page.parameter,
      item: reader.typeOf(call.page.item, { owner, field: 'item' }),
    },
  };
}

function eventsOf(document: Document, declarations: ReadonlyMap<string, Declaration>): Model['events'] {
  const schemas = Object.values(document.webhooks ?? {}).flatMap(({ post }) =>
    Object.values(post.requestBody.content ?? {}).flatMap(({ schema }) => schema.oneOf ?? schema.anyOf ?? [schema]),
  );
  const names = [...new Set(schemas.map(({ $ref = '' }) => $ref.replace('#/components/schemas/', '')))].sort();
  return names.flatMap((name) => {
    const declaration = declarations.get(name);
    if (declaration?.kind !== 'object') return [];
    const constantOf = (field: string) => {
      const type = declaration.fields.find((one) => one.name === field)?.type;
      return type?.kind === 'constant' ? type.value : undefined;
    };
    const [type, schemaVersion] = [constantOf('type'), constantOf('schemaVersion')];
    return typeof type === 'string' && typeof schemaVersion === 'number' ? [{ type, schemaVersion, name }] : [];
  });
}

/** Returns the types and operations of a document. */
export function readModel(document: Document): Model {
  const reader = new Reader(document);
  reader.readSchemas();
  const operations = callsOf(document)
    .filter(({ isEndless }) => !isEndless)
    .map((call) => operationOf(reader, call));
  const declarations = [...reader.declarations.values()].toSorted((one, other) =>
    one.name < other.name ? -1 : Number(one.name > other.name),
  );
  return { declarations, operations, events: eventsOf(document, reader.declarations) };
}

const isName = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

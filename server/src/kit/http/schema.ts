// Schemas: TypeBox types, which are JSON Schema (2020-12), with names for the contract. Validation neither coerces nor
// drops anything.
import Type, { type Static, type TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Check, Errors } from 'typebox/value';
import { ID_BODY_PATTERN } from '../crypto/ids.ts';
import { type InvalidPart, problem } from '../openapi/problems.ts';
import { escapePointer } from '../text/json-pointer.ts';
import { NAME_PATTERN } from '../text/name-pattern.ts';
import { withBranchErrors } from './condition-errors.ts';
import { describeErrors, MAX_READ_ERRORS } from './schema-errors.ts';
import type { SchemaError } from './union-errors.ts';

export { type Static, type TSchema, Type };

// TypeBox copies a schema with all its own properties for `Type.Optional`, `Type.Partial` and similar. So a fact about
// a schema is a property of the schema, and a copy keeps it. A name is not enumerable, like TypeBox's own `~kind`: a
// schema that is spread into another one (`{ ...AppId, description }`) becomes a different schema. The mark of a
// sensitive value is enumerable, so every copy has it.
const NAME = '~name';
const VERSION = '~version';
export const SENSITIVE = 'x-sensitive';

const hidden = (value: unknown): PropertyDescriptor => ({ value, enumerable: false });

/**
 * Gives a schema its name among the contract's components. Increment the version with every change of a released
 * schema; `npm run contract -- --check` fails if this was forgotten.
 */
export function namedSchema<T extends TSchema>(name: string, schema: T, version = 1): T {
  return Object.defineProperties(schema, { [NAME]: hidden(name), [VERSION]: hidden(version) });
}

export function nameOfSchema(schema: object): string | undefined {
  const name: unknown = Reflect.get(schema, NAME);
  return typeof name === 'string' ? name : undefined;
}

export function versionOfSchema(schema: object): number {
  const version: unknown = Reflect.get(schema, VERSION);
  return typeof version === 'number' ? version : 1;
}

/** Marks values that a request may contain but no record may keep: personal data, and data of the caller. */
export function sensitive<T extends TSchema>(schema: T): T {
  const own = Object.getOwnPropertyDescriptors(schema);
  const copy: T = Object.create(Object.prototype, { ...own, [SENSITIVE]: { value: true, enumerable: true } });
  return copy;
}

export function isSensitive(schema: object): boolean {
  return Reflect.get(schema, SENSITIVE) === true;
}

/** Returns an object schema that accepts no other fields. */
export function strictObject<P extends Record<string, TSchema>>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

/** Returns such a schema with a description. */
export function describedObject<P extends Record<string, TSchema>>(description: string, properties: P) {
  return Type.Object(properties, { additionalProperties: false, description });
}

/** Returns such a schema as a component of the contract. */
export function namedObject<P extends Record<string, TSchema>>(
  name: string,
  description: string,
  properties: P,
  version = 1,
) {
  return namedSchema(name, describedObject(description, properties), version);
}

const ID_PATTERN_END = `_${ID_BODY_PATTERN}$`;
declare const PREFIX: unique symbol;
/** The schema of an identifier. The compiler knows its prefix from the mark, the server from the pattern. */
export type IdSchema<Prefix extends string> = ReturnType<typeof Type.String> & { readonly [PREFIX]: Prefix };

export function idSchema<Prefix extends string>(prefix: Prefix, description: string): IdSchema<Prefix> {
  const schema = Type.String({
    description,
    pattern: `^${prefix}${ID_PATTERN_END}`,
    minLength: prefix.length + 27,
    maxLength: prefix.length + 27,
    examples: [`${prefix}_01j9z3v8k6e5t8m2n4p6q8r0s4`],
  });
  return schema as IdSchema<Prefix>; // the mark has no value
}

/** Returns the properties of an object schema that are identifiers, each with its prefix. */
export function idFieldsOf(schema: TSchema | undefined): (readonly [name: string, prefix: string])[] {
  const properties: Record<string, { pattern?: unknown }> = Object(Reflect.get(Object(schema), 'properties'));
  return Object.entries(properties).flatMap(([name, { pattern }]) => {
    const isId = typeof pattern === 'string' && pattern.endsWith(ID_PATTERN_END);
    const prefix = isId ? pattern.slice(1, -ID_PATTERN_END.length) : '';
    return /^[a-z]+$/.test(prefix) ? [[name, prefix] as const] : [];
  });
}

export function oneOf<const V extends readonly string[]>(values: V, description: string) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], description });
}

/** The highest number that a column of the type int4 stores. */
const MAX_INT4 = 2_147_483_647;

/** Returns the schema of an integer between two limits, which belong to it. */
export function integer(description: string, minimum: number, maximum = MAX_INT4, options: { default?: number } = {}) {
  return Type.Integer({ minimum, maximum, ...options, description });
}

/** Returns the schema of a number of things. */
export const count = (description: string) => integer(description, 0);

/** Returns the schema of a time in RFC 3339 format, in UTC. */
export function dateTime(description: string) {
  const format = 'date-time';
  return Type.String({ description, format, maxLength: 35 }) as ReturnType<typeof Type.String> & {
    format: typeof format;
  };
}

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

interface TextOptions {
  minLength?: number;
  maxLength: number;
  pattern?: string;
  examples?: string[];
}

// Stored text contains no NUL: see findUnstorable.
const PLAIN_TEXT = '^[^\\u0000]*$';

export function text(description: string, options: TextOptions) {
  return Type.String({ description, pattern: PLAIN_TEXT, ...options });
}

/** Returns the schema of a name that people give to an object and recognise it by. */
export function displayName(description: string) {
  return Type.String({ description, minLength: 1, maxLength: 100, pattern: NAME_PATTERN });
}

const validators = new WeakMap<object, Validator>();

// Compiled at first use, so the start does not pay for operations that are never called.
function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator;
}

export type InputLocation = 'body' | 'query' | 'path';

/** Throws invalid_request unless the value fits the schema and Postgres can store each of its strings. */
export function validate(location: InputLocation, schema: TSchema, value: unknown): void {
  const root = location === 'body' ? '' : `/${location}`;
  const unstorable = findUnstorable(value, root);
  if (unstorable) throw problem('invalid_request', { errors: [unstorable] });
  const validator = validatorOf(schema);
  if (validator.Check(value)) return;
  throw problem('invalid_request', { errors: errorsOf(schema, value, root) });
}

/** Returns whether a text from another source than a request would be valid in a request. */
export const fitsSchema = (schema: TSchema, value: string): boolean =>
  findUnstorable(value, '') === undefined && validatorOf(schema).Check(value);

/** Returns where a value does not fit a schema, as pointers that begin with `root`. */
export function schemaErrors(schema: TSchema, value: unknown, root = ''): InvalidPart[] {
  return validatorOf(schema).Check(value) ? [] : errorsOf(schema, value, root);
}

/**
 * Returns the same as schemaErrors without compiling the schema, which is faster for a schema that checks few values.
 */
export const schemaErrorsOnce = (schema: TSchema, value: unknown, root = ''): InvalidPart[] =>
  Check(schema, value) ? [] : describeFound(schema, value, Errors(schema, value), root);

const errorsOf = (schema: TSchema, value: unknown, root: string): InvalidPart[] =>
  describeFound(schema, value, validatorOf(schema).Errors(value), root);

const describeFound = (schema: TSchema, value: unknown, found: readonly SchemaError[], root: string): InvalidPart[] =>
  describeErrors(schema, withBranchErrors(schema, found.slice(0, MAX_READ_ERRORS), value), root);

const MAX_DEPTH = 32;
const MAX_VALUES = 10_000;

// Postgres stores neither NUL nor lone surrogates, nor numbers beyond a double. Such values are refused on arrival
// wherever they stand. So are values that would take long to check, or that are nested too deeply for the stack.
function findUnstorable(value: unknown, root: string): InvalidPart | undefined {
  let values = 0;
  const findIn = (inner: unknown, at: string, depth: number): InvalidPart | undefined => {
    if (++values > MAX_VALUES) return { pointer: root, detail: `holds more than ${MAX_VALUES} values` };
    if (typeof inner === 'string') {
      return isStorable(inner) ? undefined : { pointer: at, detail: 'holds a character that is not valid text' };
    }
    // JSON.parse turns 1e400 into Infinity, which JSON.stringify would turn into null.
    if (typeof inner === 'number' && !Number.isFinite(inner)) return { pointer: at, detail: 'is too large a number' };
    if (typeof inner !== 'object' || inner === null) return undefined;
    if (depth === MAX_DEPTH) return { pointer: at, detail: `is nested more than ${MAX_DEPTH} deep` };
    for (const [name, next] of Object.entries(inner)) {
      if (!isStorable(name)) return { pointer: at, detail: 'has a field whose name is not valid text' };
      const found = findIn(next, `${at}/${escapePointer(name)}`, depth + 1);
      if (found) return found;
    }
    return undefined;
  };
  return findIn(value, root, 0);
}

function isStorable(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed();
}

// Converts the schemas of OpenAPI 3.0 and 3.1 to JSON Schema (2020-12) without references.
import { fits, isInherited, patternError } from '../../access/contracts/index.ts';
import type { Direction } from '../../kit/openapi/openapi-schemas.ts';
import { isObject } from './document.ts';
import { kindsOf, withKinds } from './kinds.ts';
import { mergeSchemas } from './merge-schemas.ts';
import type { Part } from './part.ts';
import { hiddenIn, isMarked, isSmall, withExamples } from './schema-examples.ts';
import { fieldsOf } from './shapes.ts';

export type Schema = Record<string, unknown>;

/** The highest number of parts of a schema, and the number that each schema of a large document can have. */
const [MAX_VALUES, MIN_VALUES] = [2_000, 500];
/** The parts of all schemas together, if none has fewer than MIN_VALUES. */
const TOTAL_VALUES = 150_000;
const MAX_DEPTH = 16;
/** The most characters of the values of an `enum` or `const`. */
const MAX_VALUES_LENGTH = 50_000;
const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const COUNTS = 'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains'.split(' ');
const NUMBERS = ['minimum', 'maximum', 'multipleOf'];
const LIMITS = ['exclusiveMinimum', 'exclusiveMaximum'];
const TEXTS = ['format', 'title', 'description', 'contentEncoding', 'contentMediaType'];
const SCHEMAS = 'items not contains propertyNames if then else unevaluatedItems'.split(' ');
const LISTS = ['oneOf', 'anyOf', 'prefixItems'];
/** Keywords that the other functions of this file read, or that change no value. */
const KNOWN = new Set(
  (
    '$ref $defs $schema $id $comment $anchor type nullable enum const default example examples properties required ' +
    'additionalProperties unevaluatedProperties patternProperties dependentRequired dependentSchemas allOf pattern ' +
    'uniqueItems deprecated readOnly writeOnly xml externalDocs'
  ).split(' '),
);
for (const name of [...COUNTS, ...NUMBERS, ...LIMITS, ...TEXTS, ...SCHEMAS, ...LISTS]) KNOWN.add(name);

interface Progress {
  direction: Direction;
  values: number;
  most: number;
  levels: number;
  /** True after the limit was reported. */
  isCut: boolean;
  root: Part;
}

/** The converted schemas of a document, because operations refer to one component several times. */
const converted = new WeakMap<object, Partial<Record<Direction, Schema>>>();

/** Returns the schema, which is shared by all references and must not be changed. */
export function convertSchema(given: Part, direction: Direction): Schema {
  const part = given.target();
  if (!part) return {};
  const known = converted.get(part.object) ?? {};
  const schema = known[direction] ?? convertWhole(part, direction);
  if (isObject(part.value)) converted.set(part.value, { ...known, [direction]: schema });
  return described(schema, given, part);
}

function convertWhole(part: Part, direction: Direction): Schema {
  const most = mostParts(part);
  const progress = { direction, values: 0, most, levels: levelsOf(part, most), isCut: false, root: part };
  return convert(part, progress, new Set(), 0);
}

/** Returns the number of parts that a schema can have: fewer in a document with many schemas, which can refer to each other. */
function mostParts(part: Part): number {
  const { length } = Object.keys(part.root.at('components', 'schemas')?.object ?? {});
  return Math.max(MIN_VALUES, Math.min(MAX_VALUES, Math.floor(TOTAL_VALUES / Math.max(1, length))));
}

/** Returns the number of levels to convert. A schema with too many parts has fewer, so that each field has its first levels. */
function levelsOf(schema: Part, most: number): number {
  let level = [{ given: schema, inside: new Set<unknown>() }];
  let count = 1;
  for (let levels = 0; levels < MAX_DEPTH; levels++) {
    const below: typeof level = [];
    for (const { given, inside } of level) {
      const part = given.target();
      if (!part || !isObject(part.value) || inside.has(part.value)) continue;
      const around = part === given ? inside : new Set([...inside, part.value]);
      for (const next of innerParts(part)) below.push({ given: next, inside: around });
      if (count + below.length > most) return Math.max(1, levels - 1);
    }
    if (below.length === 0) return MAX_DEPTH;
    count += below.length;
    level = below;
  }
  return MAX_DEPTH;
}

function* innerParts(part: Part): Generator<Part> {
  for (const name of ['properties', 'patternProperties', 'dependentSchemas'])
    for (const [, next] of part.own(name)?.entries(MAX_VALUES) ?? []) yield next;
  for (const name of [...LISTS, 'allOf']) yield* part.own(name)?.items() ?? [];
  for (const name of [...SCHEMAS, 'additionalProperties']) {
    const next = part.own(name);
    if (next) yield next;
  }
}

/** Returns the schema with the description next to the reference, which OpenAPI 3.1 allows. */
function described(schema: Schema, given: Part, part: Part): Schema {
  const description = part === given ? undefined : given.shortText('description');
  return description === undefined ? schema : { ...schema, description };
}

/** `inside` are the components around this schema. `isBase` is true for a schema to which `allOf` adds fields. */
function convert(given: Part, progress: Progress, inside: ReadonlySet<unknown>, depth: number, isBase = false): Schema {
  if (++progress.values > progress.most || depth > progress.levels) {
    const reason = `has more than ${progress.most} parts or ${MAX_DEPTH} levels. The contract accepts any value below`;
    if (!progress.isCut) progress.root.report(reason);
    progress.isCut = true;
    return {};
  }
  const part = given.target();
  if (!part) return {};
  if (inside.has(part.value)) {
    part.report('contains itself. The contract checks the first level only');
    return {};
  }
  if (part.value === false) return { not: {} };
  if (!isObject(part.value)) return {};
  const around = part === given ? inside : new Set([...inside, part.value]);
  const inner = (next: Part): Schema => convert(next, progress, around, depth + 1);
  const schema: Schema = {
    ...typeOf(part),
    ...simpleKeywords(part),
    ...innerKeywords(part, inner),
    ...objectKeywords(part, progress, inner),
  };
  const members = part.own('allOf')?.items() ?? [];
  const isExtended = members.length > 1 || part.own('properties') !== undefined;
  const allOf = members.map((next) => convert(next, progress, around, depth + 1, isExtended));
  const whole = mergeSchemas(described(schema, given, part), allOf);
  const kinds = isBase ? whole : inKinds(part, whole, (next) => convert(next, progress, inside, depth + 1), inside);
  const merged = withNull(part, kinds);
  closeUnevaluated(part, merged);
  reportUnknown(part);
  return withExamples(part, merged, progress.direction);
}

/** Returns whether each reference to a schema can repeat its values. Reports longer ones. */
function isShortEnough(part: Part, keyword: 'enum' | 'const'): boolean {
  const isShort = isSmall(part.object[keyword], MAX_VALUES_LENGTH);
  if (!isShort)
    part.own(keyword)?.report(`has more than ${MAX_VALUES_LENGTH} characters. The contract does not check it`);
  return isShort;
}

const COMBINATIONS = ['allOf', 'oneOf', 'anyOf'];
const isNullableOf30 = (part: Part): boolean => part.version === '3.0' && part.isTrue('nullable');

function typeOf(part: Part): Schema {
  const { type } = part.object;
  const given = Array.isArray(type) ? type : [type];
  const types = given.filter((one): one is string => typeof one === 'string' && TYPES.includes(one));
  if (type !== undefined && types.length < given.length) part.report('has a type that JSON Schema does not have');
  if (types.length === 0 && isObject(part.object.properties)) types.push('object');
  if (types.length === 0 && isObject(part.object.items)) types.push('array');
  // Next to `allOf` and alternatives, withNull() adds null after the merge.
  const isNullable = isNullableOf30(part) && !COMBINATIONS.some((name) => part.own(name));
  if (isNullable && types.length > 0 && !types.includes('null')) types.push('null');
  const { enum: values } = part.object;
  const result: Schema = {};
  if (types.length > 0) result.type = types.length === 1 ? types[0] : types;
  if (Array.isArray(values) && values.length > 0 && isShortEnough(part, 'enum'))
    result.enum = isNullable && !values.includes(null) ? [...values, null] : [...values];
  return result;
}

/**
 * Adds null to a schema of OpenAPI 3.0 whose type is that of its `allOf` or its alternatives. `nullable` next to `allOf` with
 * one reference is the usual form of a field that refers to a component and can be null.
 */
function withNull(part: Part, schema: Schema): Schema {
  if (!isNullableOf30(part) || fits(schema, null)) return schema;
  const { type, enum: values, oneOf, anyOf } = schema;
  const alternatives = Array.isArray(oneOf) ? 'oneOf' : 'anyOf';
  const result: Schema = {
    ...schema,
    ...(typeof type === 'string' && { type: [type, 'null'] }),
    ...(Array.isArray(values) && { enum: [...values, null] }),
    ...((Array.isArray(oneOf) || Array.isArray(anyOf)) && {
      [alternatives]: [...Array.from(Object(schema[alternatives])), { type: 'null' }],
    }),
  };
  if (fits(result, null)) return result;
  part.report('is nullable, but its other rules exclude null. The contract does not accept null');
  return schema;
}

function simpleKeywords(part: Part): Schema {
  const { object } = part;
  const result: Schema = {};
  const copy = (name: string, isValid: (value: unknown) => boolean): void => {
    const value = object[name];
    if (value === undefined) return;
    if (isValid(value)) result[name] = value;
    else part.own(name)?.report(`has a value that ${name} cannot have`);
  };
  for (const name of COUNTS) copy(name, (value) => Number.isInteger(value) && Number(value) >= 0);
  for (const name of NUMBERS) copy(name, (value) => typeof value === 'number' && (name !== 'multipleOf' || value > 0));
  for (const name of LIMITS) if (typeof object[name] !== 'boolean') copy(name, (value) => typeof value === 'number');
  for (const name of ['uniqueItems', 'deprecated']) copy(name, (value) => typeof value === 'boolean');
  for (const name of TEXTS) {
    const text = part.shortText(name);
    if (text !== undefined) result[name] = text;
  }
  for (const [name, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (object[name] !== true || typeof object[bound] !== 'number') continue; // the form of OpenAPI 3.0
    result[name] = object[bound];
    delete result[bound];
  }
  if (object.const !== undefined && isShortEnough(part, 'const')) result.const = object.const;
  if (object.default !== undefined && isSmall(object.default)) result.default = object.default;
  const pattern = part.text('pattern');
  if (pattern !== undefined) {
    const error = patternError(pattern);
    if (error === undefined) result.pattern = pattern;
    else part.own('pattern')?.report(`is a pattern that ${error}. The contract does not check it`);
  }
  return result;
}

function innerKeywords(part: Part, inner: (next: Part) => Schema): Schema {
  const result: Schema = {};
  for (const name of SCHEMAS) {
    const next = part.own(name);
    if (next && (isObject(next.value) || typeof next.value === 'boolean')) result[name] = inner(next);
  }
  for (const name of LISTS) {
    const items = part.own(name)?.items() ?? [];
    if (items.length > 0) result[name] = items.map(inner);
  }
  const discriminator = part.own('discriminator');
  if (discriminator && (result.oneOf !== undefined || result.anyOf !== undefined))
    discriminator.report('is a discriminator. The contract checks the alternatives without it');
  return result;
}

/** Returns the schema of a base with the schemas in the `mapping` of its discriminator as alternatives. */
function inKinds(part: Part, schema: Schema, inner: (next: Part) => Schema, inside: ReadonlySet<unknown>): Schema {
  const discriminator = part.own('discriminator');
  if (!discriminator?.own('mapping') || schema.oneOf !== undefined || schema.anyOf !== undefined) return schema;
  const kinds = kindsOf(part);
  // A kind can refer to its base, which then has no alternatives, because they would contain themselves.
  if (kinds.some(({ reference }) => inside.has(reference.target()?.value))) return schema;
  const converted = kinds.map(({ reference, values }) => ({ schema: inner(reference), values }));
  const whole = withKinds(schema, discriminator.text('propertyName'), converted);
  if (!whole)
    discriminator.report(
      'is a discriminator without `oneOf`. The contract has the fields of this schema, and not those of the schemas in `mapping`',
    );
  return whole ?? schema;
}

function objectKeywords(part: Part, { direction, most }: Progress, inner: (next: Part) => Schema): Schema {
  const result: Schema = {};
  const hidden = hiddenIn(direction);
  const left = new Set<string>();
  const properties: [string, Schema][] = [];
  // Further fields would accept any value, and take time in each schema that contains this one.
  const given = part.own('properties')?.entries(most) ?? [];
  const isCut = given.length === most;
  let lacksField = isCut;
  for (const [name, next] of given) {
    const isUsable = !isInherited(name);
    if (!isUsable) next.report('has the name of a property that every object has. The contract leaves the field out');
    lacksField ||= !isUsable;
    const kept = direction === 'response' ? 'readOnly' : 'writeOnly';
    if (isUsable && !isMarked(next, hidden))
      properties.push([name, { ...inner(next), ...(isMarked(next, kept) && { [kept]: true }) }]);
    else left.add(name);
  }
  if (properties.length > 0) result.properties = Object.fromEntries(properties);
  const known = new Set(properties.map(([name]) => name));
  const { required } = part.object;
  const names = (Array.isArray(required) ? required : []).filter((name) => typeof name === 'string');
  const usable = [...new Set(names)].filter(
    (name) => !left.has(name) && !isInherited(name) && (!isCut || known.has(name)),
  );
  if (usable.length > 0) result.required = usable;
  const others = part.own('additionalProperties');
  if (others?.value === false) Object.assign(result, lacksField ? {} : { additionalProperties: false });
  else if (isObject(others?.value)) result.additionalProperties = inner(others);
  Object.assign(result, namedSchemas(part, inner));
  return result;
}

function namedSchemas(part: Part, inner: (next: Part) => Schema): Schema {
  const result: Schema = {};
  for (const name of ['patternProperties', 'dependentSchemas']) {
    const entries = (part.own(name)?.entries() ?? []).filter(([key, next]) => {
      const error = name === 'patternProperties' ? patternError(key) : undefined;
      if (error !== undefined) next.report(`is a pattern that ${error}. The contract does not check it`);
      return error === undefined && !isInherited(key);
    });
    if (entries.length > 0) result[name] = Object.fromEntries(entries.map(([key, next]) => [key, inner(next)]));
  }
  const dependent =
    part
      .own('dependentRequired')
      ?.entries()
      .filter(([key]) => !isInherited(key)) ?? [];
  if (dependent.length > 0)
    result.dependentRequired = Object.fromEntries(dependent.map(([key, { value }]) => [key, value]));
  return result;
}

/** Closes a schema after its `allOf` was merged, because only then all fields are known. */
function closeUnevaluated(part: Part, schema: Schema): void {
  const given = part.own('unevaluatedProperties');
  if (isObject(given?.value)) given.report('is a schema of further fields, which the contract does not check');
  if (given?.value !== false) return;
  // A field that the contract leaves out remains a field of the API.
  if ([...fieldsOf(part).keys()].some(isInherited)) return;
  const isFlat = ['oneOf', 'anyOf', 'if', 'allOf', 'dependentSchemas'].every((name) => schema[name] === undefined);
  if (isFlat) schema.additionalProperties = false;
  else given.report('closes alternatives. The contract accepts further fields');
}

function reportUnknown(part: Part): void {
  for (const [name, next] of part.entries()) {
    if (!KNOWN.has(name) && name !== 'discriminator' && !name.startsWith('x-'))
      next.report(`is a keyword that the contract does not check`);
  }
}

// A value that fits a schema, made of its examples, values and formats. The same schema always gives the same value.
import { isDeepStrictEqual } from 'node:util';
import { schemaErrorsOnce, type TSchema } from '../../kit/http/schema.ts';
import { sampleOf } from './pattern-sample.ts';

type Schema = Record<string, unknown>;

const DOMAIN = 'example.com';
const FORMATS: Record<string, string> = {
  'date-time': '2026-01-15T09:30:00Z',
  date: '2026-01-15',
  time: '09:30:00Z',
  duration: 'P1D',
  email: 'person@example.com',
  hostname: DOMAIN,
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  'uri-reference': '/path',
  uuid: '0190b2c4-6d1e-7a3f-8b5c-9d7e1f2a3b4c',
  byte: 'dGV4dA==',
  'json-pointer': '/path',
  regex: '^text$',
};

/** Returns whether a value fits a schema. No value fits a schema that cannot be compiled. */
export function fits(schema: TSchema, value: unknown): boolean {
  try {
    return schemaErrorsOnce(schema, value).length === 0;
  } catch {
    return false;
  }
}

/** The keywords that no value can violate. */
const ANNOTATIONS = ['title', 'description', 'deprecated', 'readOnly', 'writeOnly'];
/** Each level of alternatives doubles the number of values that are tried. */
const MAX_TRIED = 5_000;
/** The number of values that the current search may still try. A search is synchronous. */
let left = MAX_TRIED;

/** Returns a value that fits; undefined if none was found. */
export function exampleOf(schema: Schema): unknown {
  return [true, false].map((isFull) => search(schema, isFull)).find((value) => fits(schema, value));
}

function search(schema: Schema, isFull: boolean): unknown {
  left = MAX_TRIED;
  return exampleValue(schema, isFull, 0);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const schemasOf = (value: unknown): Schema[] => listOf(value).map((one) => Object(one));

/**
 * Returns whether a schema accepts any value. The schema of the API can be narrower: an import does not follow references
 * of a schema to itself or to other files. A made value therefore leaves out each optional part with such a schema.
 */
export const acceptsAnyValue = (schema: Schema): boolean =>
  Object.keys(schema).every((name) => ANNOTATIONS.includes(name));

/** `isFull` adds the fields that are not required. */
function exampleValue(schema: Schema, isFull: boolean, depth: number): unknown {
  if (schema.const !== undefined) return schema.const;
  const [example] = listOf(schema.examples);
  if (example !== undefined) return example;
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  const values = listOf(schema.enum);
  if (values.length > 0) return values.find((value) => value !== null) ?? null;
  if (depth > 20 || --left < 0) return null;
  const given = [...schemasOf(schema.oneOf), ...schemasOf(schema.anyOf)];
  const known = given.filter((one) => !acceptsAnyValue(one));
  const alternatives = known.length > 0 ? known : given;
  if (alternatives.length > 0 && schema.type === undefined) return alternativeOf(schema, alternatives, isFull, depth);
  return typedValueOf(schema, alternatives, isFull, depth);
}

function alternativeOf(schema: Schema, alternatives: readonly Schema[], isFull: boolean, depth: number): unknown {
  const all = alternatives.flatMap((one) => [
    exampleValue(one, isFull, depth + 1),
    exampleValue(one, !isFull, depth + 1),
  ]);
  return all.find((value) => value !== null && fits(schema, value)) ?? all.find((value) => fits(schema, value)) ?? null;
}

function typedValueOf(schema: Schema, alternatives: readonly Schema[], isFull: boolean, depth: number): unknown {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const type: unknown = types.find((one) => one !== 'null') ?? types[0];
  if (type === 'object') return objectOf(schema, alternatives, isFull, depth);
  if (type === 'array') return arrayOf(schema, isFull, depth);
  if (type === 'string') return textOf(schema);
  if (type === 'integer' || type === 'number') return numberOf(schema, type === 'integer');
  if (type === 'boolean') return true;
  return type === undefined ? valueOfRest(schema, isFull, depth) : null;
}

function valueOfRest(schema: Schema, isFull: boolean, depth: number): unknown {
  const merged = schemasOf(schema.allOf);
  return merged[0] ? exampleValue(merged[0], isFull, depth + 1) : 'text';
}

function objectOf(schema: Schema, alternatives: readonly Schema[], isFull: boolean, depth: number): unknown {
  const properties: Record<string, Schema> = Object(schema.properties);
  const required = new Set(listOf(schema.required).map(String));
  const isWanted = (name: string): boolean =>
    required.has(name) || (isFull && !acceptsAnyValue(Object(properties[name])));
  const names = new Set([...Object.keys(properties).filter(isWanted), ...required]);
  const own = [...names].map((name) => {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, inner ? exampleValue(inner, isFull && depth < 4, depth + 1) : 'text'] as const;
  });
  const least = Math.min(Number(schema.minProperties ?? 0), 20);
  const others: Schema = Object(schema.additionalProperties);
  const more = Array.from({ length: Math.max(0, least - own.length) }, (_, index) => [
    `key${index}`,
    exampleValue(others, isFull, depth + 1),
  ]);
  const all = Object.fromEntries([...own, ...more]);
  // An optional field without a fitting value is left out.
  const isUsable = ([name, value]: [string, unknown]): boolean =>
    required.has(name) || fits(properties[name] ?? {}, value);
  const base: object = fits(schema, all) ? all : Object.fromEntries(Object.entries(all).filter(isUsable));
  const rest = [
    base,
    ...alternatives.map((one) => ({ ...base, ...Object(exampleValue({ type: 'object', ...one }, isFull, depth + 1)) })),
  ];
  const found = alternatives.length === 0 ? base : (rest.find((value) => fits(schema, value)) ?? base);
  const applied = withConditions(schema, found);
  return applied ? objectOf(applied, alternatives, isFull, depth + 1) : found;
}

/**
 * Returns the schema with the branches that apply to a value in place of its conditions; undefined if it has no condition, or
 * if the value fits. The result has no condition, so the search for a value ends.
 */
function withConditions(schema: Schema, value: object): Schema | undefined {
  const { if: _, then: __, else: ___, allOf, dependentRequired, dependentSchemas, ...rest } = schema;
  const conditions = [schema, ...schemasOf(allOf)].filter((one) => one.if !== undefined);
  const isDependent = dependentRequired !== undefined || dependentSchemas !== undefined;
  if ((conditions.length === 0 && !isDependent) || fits(schema, value)) return undefined;
  const branches = conditions.map((one): Schema => Object(fits(Object(one.if), value) ? one.then : one.else));
  const named = Object.keys(value).flatMap((name): Schema[] => {
    const [names, inner] = [dependentRequired, dependentSchemas].map((all) =>
      Object.hasOwn(Object(all), name) ? Reflect.get(Object(all), name) : undefined,
    );
    return [{ required: names }, Object(inner)];
  });
  const others = schemasOf(allOf).filter((one) => one.if === undefined);
  return [...branches, ...named].reduce(withBranch, { ...rest, ...(others.length > 0 && { allOf: others }) });
}

/** The schema that no value fits. An import writes it in place of `false`. */
const NEVER = { not: {} };

/** Returns the schema of an object with the fields and the rules of a branch. A field that the branch excludes is left out. */
function withBranch(schema: Schema, branch: Schema): Schema {
  const excluded = new Set(listOf(Object(branch.not).required).map(String));
  const fields = new Map<string, unknown>(Object.entries(Object(schema.properties)));
  for (const [name, field] of Object.entries(Object(branch.properties))) {
    if (field === false || isDeepStrictEqual(field, NEVER)) excluded.add(name);
    else fields.set(name, { ...Object(fields.get(name)), ...Object(field) });
  }
  const required = [...listOf(schema.required), ...listOf(branch.required)];
  const kept = [...fields].filter(([name]) => !excluded.has(name));
  return {
    ...schema,
    properties: Object.fromEntries(kept),
    required: required.filter((name) => !excluded.has(String(name))),
  };
}

function arrayOf(schema: Schema, isFull: boolean, depth: number): unknown[] {
  const first = schemasOf(schema.prefixItems).map((one) => exampleValue(one, isFull, depth + 1));
  const least = Number(schema.minItems ?? 0);
  const item: Schema = Object(schema.items ?? schema.contains);
  const wanted = acceptsAnyValue(item) ? 0 : Math.min(1, Number(schema.maxItems ?? 1));
  const count = Math.max(wanted, Math.min(least, 50));
  if (schema.items === undefined && schema.contains === undefined && least === 0) return first;
  const values = listOf(item.enum).length > 0 ? listOf(item.enum) : listOf(item.examples);
  const one = exampleValue(item, isFull && depth < 4, depth + 1);
  const more = Array.from({ length: Math.max(0, count - first.length) }, (_, index) =>
    schema.uniqueItems === true ? (values[index] ?? varied(one, index)) : one,
  );
  return [...first, ...more];
}

/** Returns another value of the same type for each index. */
function varied(value: unknown, index: number): unknown {
  if (typeof value === 'number') return value + index;
  if (typeof value !== 'string' || index === 0) return value;
  // The name of a host stays in the domain that is reserved for documentation.
  return value.endsWith(DOMAIN) ? `n${index}.${value}` : `${value}${index}`;
}

function textOf(schema: Schema): string {
  const least = Number(schema.minLength ?? 0);
  const most = Number(schema.maxLength ?? 1_000);
  const fitted = (text: string): string => text.padEnd(Math.min(least, 10_000), text || 'a').slice(0, most);
  const name = schema.format ?? (schema.contentEncoding === 'base64' ? 'byte' : undefined);
  const format = typeof name === 'string' && Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  if (format !== undefined && schema.pattern === undefined) return format;
  const sample = typeof schema.pattern === 'string' ? sampleOf(schema.pattern) : undefined;
  const tried = [format, sample, sample?.padEnd(least, sample.at(-1)), fitted('text')];
  const found = tried.find((text) => text !== undefined && fits(schema, text));
  return found ?? fitted('text');
}

function numberOf(schema: Schema, isInteger: boolean): number {
  const step = Number(schema.multipleOf ?? (isInteger ? 1 : 0.5));
  const above = Number(schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY);
  const least = Math.max(Number(schema.minimum ?? Number.NEGATIVE_INFINITY), above);
  const most = Math.min(
    Number(schema.maximum ?? Number.POSITIVE_INFINITY),
    Number(schema.exclusiveMaximum ?? Number.POSITIVE_INFINITY),
  );
  const start = Number.isFinite(least)
    ? Math.ceil(least / step) * step
    : Math.min(step, Math.floor(most / step) * step);
  const all = [start, start + step, start - step, 0, (least + most) / 2];
  return all.find((value) => fits(schema, value)) ?? 0;
}

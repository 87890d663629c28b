// Values from an operation's own schemas: valid ones, and ones that are damaged in one place.
import fc from 'fast-check';

/** The keywords of JSON Schema that the contract uses. Any other keyword is an error here. */
export interface InputSchema {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly InputSchema[];
  /** The alternatives must exclude each other. */
  oneOf?: readonly InputSchema[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  uniqueItems?: boolean;
  items?: InputSchema;
  properties?: Readonly<Record<string, InputSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | InputSchema;
  patternProperties?: Readonly<Record<string, InputSchema>>;
}

const KNOWN = new Set(
  `type enum const anyOf oneOf pattern format minLength maxLength minimum maximum minItems maxItems minProperties maxProperties uniqueItems items
   properties required additionalProperties patternProperties description default title examples deprecated writeOnly`.split(
    /\s+/,
  ),
);

/** Values that the service has issued, or with a meaning beyond their schema, by name and schema. */
export type ValueSource = (name: string, schema: InputSchema) => fc.Arbitrary<unknown> | undefined;

const isText = (value: string): boolean => !value.includes('\u0000') && value.isWellFormed();
const codePoints = (value: string): number => [...value].length;

const SCRIPTS = [
  '船台 🚢',
  '\u202eevil\u202c',
  'مرحبا',
  "Robert'); drop table tickets;--",
  '<script>alert(1)</script>',
  '  ',
  '\t\r\n',
];

// Returns a valid character, mostly of the low code points. fast-check's own unit takes long to set up.
const character: fc.Arbitrary<string> = fc
  .oneof(fc.integer({ min: 0, max: 0x2ff }), fc.integer({ min: 0, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code))
  .filter((one) => one.isWellFormed());

/** Returns text of any characters. */
export function anyText(bounds: { minLength?: number; maxLength: number }): fc.Arbitrary<string> {
  return fc.array(character, bounds).map((characters) => characters.join(''));
}

const matching = new Map<string, fc.Arbitrary<string>>();

/** Returns text that matches a pattern. Cached, because it takes long to set up. */
export function matchingText(pattern: string): fc.Arbitrary<string> {
  const arbitrary = matching.get(pattern) ?? fc.stringMatching(new RegExp(pattern));
  matching.set(pattern, arbitrary);
  return arbitrary;
}

function text(schema: InputSchema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 200, pattern } = schema;
  const fits = (value: string): boolean =>
    isText(value) &&
    codePoints(value) >= minLength &&
    codePoints(value) <= maxLength &&
    (pattern === undefined || new RegExp(pattern, 'u').test(value));
  if (schema.format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  // Most texts match a pattern with a negated class, and the generated ones would be too short.
  if (pattern !== undefined && !pattern.includes('[^')) return matchingText(pattern).filter(fits);
  const bounds = { minLength, maxLength: Math.min(maxLength, minLength + 40) };
  return fc
    .oneof(
      { weight: 4, arbitrary: fc.string(bounds) },
      { weight: 2, arbitrary: anyText(bounds) },
      { weight: 1, arbitrary: fc.constantFrom(...SCRIPTS) },
      { weight: 1, arbitrary: fc.constantFrom(minLength, maxLength).map((length) => 'é'.repeat(length)) },
      { weight: 1, arbitrary: fc.constantFrom(minLength, maxLength).map((length) => '😀'.repeat(length)) },
    )
    .filter(fits);
}

function number({ minimum = -1e9, maximum = 1e9, type }: InputSchema): fc.Arbitrary<number> {
  if (type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true });
  return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum));
}

/** Names of inherited properties of JavaScript objects. */
export const INHERITED = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype', '__defineGetter__'];

function object(schema: InputSchema, source: ValueSource): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [], patternProperties = {}, minProperties = 0, maxProperties = 5 } = schema;
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, valid(inner, source, name)]),
  );
  const fixed = fc
    .record(model, { requiredKeys: [...required], noNullPrototype: true })
    .filter((value) => Object.keys(value).length >= minProperties);
  const bounds = { maxKeys: Math.min(maxProperties, 8), noNullPrototype: true };
  const [[pattern, inner] = []] = Object.entries(patternProperties);
  if (pattern !== undefined && inner) {
    const inherited = INHERITED.filter((name) => new RegExp(pattern, 'u').test(name));
    const names = fc.oneof(matchingText(pattern), fc.constantFrom(...inherited));
    return fc.dictionary(names, valid(inner, source), bounds);
  }
  if (schema.additionalProperties === false) return fixed;
  const anything = fc.jsonValue({ maxDepth: 3 }).filter((value) => isText(JSON.stringify(value)));
  const names = fc.oneof(fc.string().filter(isText), fc.constantFrom(...INHERITED));
  return fc.tuple(fc.dictionary(names, anything, bounds), fixed).map(([free, known]) => ({ ...free, ...known }));
}

/** Returns a valid value. */
export function valid(schema: InputSchema, source: ValueSource, name = ''): fc.Arbitrary<unknown> {
  const unknown = Object.keys(schema).find((keyword) => !KNOWN.has(keyword) && !keyword.startsWith('x-'));
  if (unknown !== undefined) throw new Error(`The fuzz test does not support the keyword ${unknown}.`);
  const given = source(name, schema);
  if (given) return given;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  const { anyOf, oneOf = anyOf, type } = schema;
  if (oneOf) return fc.oneof(...oneOf.map((one) => valid(one, source, name)));
  if (typeof type === 'object') return fc.oneof(...type.map((one) => valid({ ...schema, type: one }, source, name)));
  switch (type) {
    case 'string':
      return text(schema);
    case 'integer':
    case 'number':
      return number(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 10 } = schema;
      const bounds = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 5) };
      return schema.uniqueItems ? fc.uniqueArray(valid(items, source), bounds) : fc.array(valid(items, source), bounds);
    }
    case 'object':
      return object(schema, source);
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

export type Damage = (schema: InputSchema) => fc.Arbitrary<unknown>;

/** Returns a value that is valid except in one place. */
export function damaged(schema: InputSchema, damage: Damage, source: ValueSource): fc.Arbitrary<unknown> {
  const whole = valid(schema, source);
  const { properties = {}, patternProperties = {}, items, anyOf, oneOf = anyOf } = schema;
  const inside: fc.Arbitrary<unknown>[] = Object.entries({ ...properties, ...patternProperties }).map(
    ([name, inner]) => {
      const at = name in patternProperties ? 'a.name' : name;
      return fc
        .tuple(whole, damaged(inner, damage, source))
        .map(([value, part]) => ({ ...(value as object), [at]: part }));
    },
  );
  if (items) {
    const part = damaged(items, damage, source);
    inside.push(fc.tuple(whole, part).map(([value, inner]) => [...(value as unknown[]), inner]));
  }
  for (const one of oneOf ?? []) inside.push(damaged(one, damage, source));
  return inside.length === 0 ? damage(schema) : fc.oneof(damage(schema), ...inside);
}

const OTHER_TYPES = [null, true, 0, 1.5, '', 'text', [], {}, [[]], '1', 'null'];

/** Breaks one rule of the schema, or its type. */
export const nearMiss: Damage = (schema) => {
  const {
    minLength = 0,
    maxLength,
    minimum,
    maximum,
    minItems = 0,
    maxItems = 0,
    properties = {},
    required = [],
  } = schema;
  const misses: fc.Arbitrary<unknown>[] = [fc.constantFrom(...OTHER_TYPES)];
  if (schema.enum)
    misses.push(
      fc.constantFrom(...schema.enum.flatMap((one) => [` ${one}`, String(one).toUpperCase(), `${one}\u0000`])),
    );
  if (maxLength !== undefined)
    misses.push(fc.constantFrom('x', '😀', 'e\u0301').map((one) => one.repeat(maxLength + 1)));
  if (minLength > 0) misses.push(fc.constant('x'.repeat(minLength - 1)));
  if (schema.pattern !== undefined) misses.push(anyText({ maxLength: 40 }));
  if (minimum !== undefined) misses.push(fc.constantFrom(minimum - 1, -minimum - 1, Number.MIN_SAFE_INTEGER));
  if (maximum !== undefined) misses.push(fc.constantFrom(maximum + 1, maximum + 0.5, Number.MAX_SAFE_INTEGER, 1e300));
  if (schema.type === 'array') {
    const item = valid(schema.items ?? {}, () => undefined);
    misses.push(fc.array(item, { minLength: maxItems + 1, maxLength: maxItems + 3 }));
    misses.push(item.map((one) => [one, one]));
    if (minItems > 0) misses.push(fc.constant([]));
  }
  if (schema.type === 'object') {
    const whole = valid(schema, () => undefined).map((value) => value as Record<string, unknown>); // an object's schema
    misses.push(fc.tuple(whole, fc.string({ minLength: 1 })).map(([value, name]) => ({ ...value, [name]: 1 })));
    if (required.length > 0) {
      const without = fc.tuple(whole, fc.constantFrom(...required));
      misses.push(
        without.map(([value, name]) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))),
      );
    }
    const names = Object.keys(properties);
    if (names.length > 0)
      misses.push(
        fc
          .tuple(whole, fc.constantFrom(...names))
          .map(([value, name]) => ({ ...value, [name.toUpperCase()]: value[name] ?? 1 })),
      );
  }
  return fc.oneof(...misses);
};

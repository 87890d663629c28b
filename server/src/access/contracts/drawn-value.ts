// Values of a schema that differ from draw to draw. Equal draws return equal values.
import { exampleOf, fits } from './example-value.ts';
import type { SeededRandom } from './seeded-random.ts';

type Schema = Readonly<Record<string, unknown>>;

const YEAR_MS = 365 * 86_400_000;
/** Drawn times are in the year before this time, which is when sandbox data ends. */
const UNTIL_MS = Date.UTC(2026, 0, 1);
const WORDS = [
  'amber',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'harbour',
  'indigo',
  'juniper',
  'lagoon',
  'meadow',
  'north',
  'orchard',
  'pebble',
  'river',
];
const MAX_STEPS = 100;

/** The example of each schema. A search for one takes up to milliseconds, and a change of an object would repeat it. */
const examples = new WeakMap<object, unknown>();

/** Returns a value that fits the schema; undefined if none was found. Keeps the example of the schema. */
export function drawValue(schema: object, draw: SeededRandom): unknown {
  if (!examples.has(schema)) examples.set(schema, exampleOf({ ...schema }));
  const example = examples.get(schema);
  return fitting({ ...schema }, vary({ ...schema }, example, draw), example);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function vary(schema: Schema, example: unknown, draw: SeededRandom): unknown {
  if (schema.const !== undefined) return example;
  const values = [...listOf(schema.enum), ...listOf(schema.examples)].filter((value) => value !== null);
  if (values.length > 0) return draw.pick(values);
  if (typeof example === 'boolean') return draw.number(2) === 1;
  if (typeof example === 'number') return fitting(schema, example + draw.number(MAX_STEPS) * stepOf(schema), example);
  if (typeof example === 'string') return fitting(schema, drawText(schema, draw) ?? example, example);
  if (Array.isArray(example)) return example.map((item) => varyInner(schema.items, item, draw));
  if (typeof example !== 'object' || example === null) return example;
  const properties: Readonly<Record<string, unknown>> = Object(schema.properties);
  const varied = Object.entries(example).map(([name, value]) => [
    name,
    Object.hasOwn(properties, name) ? varyInner(properties[name], value, draw) : value,
  ]);
  return Object.fromEntries(varied);
}

/** Varies a value inside another one, unless the result does not fit its own schema. */
function varyInner(schema: unknown, value: unknown, draw: SeededRandom): unknown {
  if (typeof schema !== 'object' || schema === null) return value;
  return fitting({ ...schema }, vary({ ...schema }, value, draw), value);
}

const fitting = (schema: Schema, value: unknown, otherwise: unknown): unknown =>
  fits({ ...schema }, value) ? value : otherwise;

const stepOf = ({ multipleOf, type }: Schema): number =>
  typeof multipleOf === 'number' ? multipleOf : type === 'integer' ? 1 : 0.5;

/** Returns a text in the format of the schema; undefined if only the example has the form. */
function drawText({ format, pattern, minLength, maxLength }: Schema, draw: SeededRandom): string | undefined {
  const time = new Date(UNTIL_MS - YEAR_MS + draw.number(YEAR_MS));
  if (format === 'date-time') return time.toISOString();
  if (format === 'date') return time.toISOString().slice(0, 10);
  if (format === 'uuid') return drawUuid(draw);
  if (format === 'email') return `${draw.pick(WORDS)}.${draw.number(1_000)}@example.com`;
  if (format !== undefined || pattern !== undefined) return undefined;
  const words = `${draw.pick(WORDS)} ${draw.pick(WORDS)}`.padEnd(Number(minLength ?? 0), ' and so on');
  return words.slice(0, Number(maxLength ?? 1_000)).trimEnd();
}

/** Returns a UUID of version 4. */
function drawUuid(draw: SeededRandom): string {
  const hex = Array.from({ length: 8 }, () =>
    draw
      .number(2 ** 16)
      .toString(16)
      .padStart(4, '0'),
  ).join('');
  const variant = (8 + draw.number(4)).toString(16);
  const [first, second] = [hex.slice(0, 8), hex.slice(8, 12)];
  return `${first}-${second}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

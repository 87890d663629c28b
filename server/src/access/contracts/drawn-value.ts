// Values of a schema that differ from draw to draw. Equal draws return equal values.
import { textsLike, textsOf } from './drawn-text.ts';
import { exampleOf, fits } from './example-value.ts';
import type { SeededRandom } from './seeded-random.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A value that fits, from which another one is drawn. */
interface Base {
  /** The name of the field. */
  name: string;
  value: unknown;
  /** Whether the document has the value. Otherwise it is only implied by the type. */
  isDocumented: boolean;
}

/** A name such as `eventId`. Its examples name objects, and other values name none. */
const REFERENCE = /(?:^id|Id|ID|_id)s?$/;
const MAX_STEPS = 100;
const MAX_RANGE = 1_000_000;

/** The example of each schema. A search for one takes up to milliseconds, and a change of an object would repeat it. */
const implied = new WeakMap<object, unknown>();

/**
 * Returns a value that fits the schema; undefined if none was found. Keeps the example of the schema. A value differs from
 * the examples of the document, but keeps their form; a field with a `name` such as `eventId` has one of the examples.
 */
export function drawValue(schema: object, draw: SeededRandom, name = ''): unknown {
  if (!implied.has(schema)) implied.set(schema, exampleOf({ ...schema }));
  const value = implied.get(schema);
  return fitting({ ...schema }, vary({ ...schema }, { name, value, isDocumented: false }, draw), value);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isValue = (value: unknown): boolean => value !== null && value !== undefined;

function vary(schema: Schema, given: Base, draw: SeededRandom): unknown {
  if (schema.const !== undefined) return given.value;
  const values = listOf(schema.enum).filter(isValue);
  if (values.length > 0) return draw.pick(values);
  const examples = listOf(schema.examples).filter(isValue);
  const base = baseOf(schema, examples, given, draw);
  const { value, isDocumented, name } = base;
  if (isDocumented && REFERENCE.test(name)) return value;
  if (typeof value === 'boolean') return draw.number(2) === 1;
  const alternative = alternativeOf(schema, value);
  if (alternative) return vary(alternative, base, draw);
  if (typeof value === 'number')
    return drawNumber(schema, [value, ...examples.filter((one) => typeof one === 'number')], draw);
  if (typeof value === 'string') return drawText(schema, base, examples.length, draw);
  if (Array.isArray(value)) return value.map((item) => varyInner(schema.items, { ...base, value: item }, draw));
  if (typeof value !== 'object' || value === null) return value;
  const properties: Readonly<Record<string, unknown>> = Object(schema.properties);
  const varied = Object.entries(value).map(([inner, one]) => [
    inner,
    Object.hasOwn(properties, inner)
      ? varyInner(properties[inner], { name: inner, value: one, isDocumented }, draw)
      : one,
  ]);
  return Object.fromEntries(varied);
}

/** Returns the value that the document gives: that of the object around it, an example of the schema, or the default. */
function baseOf(schema: Schema, examples: readonly unknown[], given: Base, draw: SeededRandom): Base {
  if (given.isDocumented) return given;
  if (examples.length > 0) return { ...given, value: draw.pick(examples), isDocumented: true };
  return { ...given, isDocumented: isValue(schema.default) };
}

/** Returns the alternative of a schema without a type that the value fits. */
function alternativeOf({ type, oneOf, anyOf }: Schema, value: unknown): Schema | undefined {
  if (type !== undefined) return undefined;
  const fitted = [...listOf(oneOf), ...listOf(anyOf)].find((one) => fits({ ...Object(one) }, value));
  return typeof fitted === 'object' && fitted !== null ? { ...fitted } : undefined;
}

/** Varies a value inside another one, unless the result does not fit its own schema. */
function varyInner(schema: unknown, base: Base, draw: SeededRandom): unknown {
  if (typeof schema !== 'object' || schema === null) return base.value;
  return fitting({ ...schema }, vary({ ...schema }, base, draw), base.value);
}

const fitting = (schema: Schema, value: unknown, otherwise: unknown): unknown =>
  fits({ ...schema }, value) ? value : otherwise;

/** Draws a number between the examples, or near a single one, within the limits of the schema. */
function drawNumber(schema: Schema, numbers: readonly number[], draw: SeededRandom): unknown {
  const step = stepOf(schema);
  const [smallest, largest] = [Math.min(...numbers), Math.max(...numbers)];
  const wanted = largest > smallest ? Math.min(Math.ceil((largest - smallest) / step), MAX_RANGE) : MAX_STEPS - 1;
  const { least = smallest < 0 ? Number.NEGATIVE_INFINITY : 0, most = Number.POSITIVE_INFINITY } = limitsOf(schema);
  const stepsTo = (limit: number): number => Math.max(0, Math.floor(Math.abs(limit - smallest) / step));
  const above = Math.min(wanted, stepsTo(most));
  const below = Math.min(wanted - above, stepsTo(least));
  // The steps are counted from an example, which is a multiple of the step if the schema requires it.
  const drawn = smallest + (draw.number(above + below + 1) - below) * step;
  return fitting(schema, Number.isInteger(drawn) ? drawn : Number(drawn.toPrecision(12)), smallest);
}

function limitsOf(schema: Schema): { least?: number; most?: number } {
  const numbersOf = (names: readonly string[]): number[] =>
    names.map((name) => schema[name]).filter((one) => typeof one === 'number');
  const [lower, upper] = [numbersOf(['minimum', 'exclusiveMinimum']), numbersOf(['maximum', 'exclusiveMaximum'])];
  return {
    ...(lower.length > 0 && { least: Math.max(...lower) }),
    ...(upper.length > 0 && { most: Math.min(...upper) }),
  };
}

const stepOf = ({ multipleOf, type }: Schema): number =>
  typeof multipleOf === 'number' ? multipleOf : type === 'integer' || listOf(type).includes('integer') ? 1 : 0.5;

/** Draws a text. One of several examples stays if it is prose, so that objects have the texts of the document. */
function drawText(schema: Schema, { value, isDocumented }: Base, exampleCount: number, draw: SeededRandom): unknown {
  const text = String(value);
  if (isDocumented && exampleCount > 1 && isProse(schema, text)) return text;
  const texts = isDocumented ? textsLike(text, schema, draw) : textsOf(text, schema, draw);
  return texts.find((one) => fits({ ...schema }, one)) ?? text;
}

const isProse = ({ format, pattern }: Schema, text: string): boolean =>
  format === undefined && pattern === undefined && !/\d/.test(text);

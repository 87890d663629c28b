// Values of a field that differ from draw to draw, in the form of the values that its contract has.
import { isDeepStrictEqual } from 'node:util';
import type { AnyResource } from './declaration.ts';
import { drawValue } from './drawn-value.ts';
import { exampleOf, fits } from './example-value.ts';
import { createSeededRandom } from './seeded-random.ts';

const schemas = new WeakMap<AnyResource, Map<string, object>>();

/** Returns a value that fits the schema of a field; undefined if none was found. Equal origins return equal values. */
export function drawField(resource: AnyResource, field: string, origin: string): unknown {
  const known = schemas.get(resource) ?? new Map<string, object>();
  schemas.set(resource, known);
  const schema = known.get(field) ?? documentedSchema(resource, field);
  known.set(field, schema);
  return drawValue(schema, createSeededRandom(`${origin}/${field}`), field);
}

/** Returns the schema with the values of the field in the example and the samples as further examples. */
function documentedSchema({ fields, example, samples = [] }: AnyResource, field: string): object {
  const schema: Record<string, unknown> = { ...fields[field] };
  const given: readonly unknown[] = Array.isArray(schema.examples) ? schema.examples : [];
  // An import makes an example of the schema if the document has none.
  const implied = given.length > 0 ? undefined : exampleOf(schema);
  const found = [example, ...samples]
    .map((one): unknown => (Object.hasOwn(one, field) ? Reflect.get(one, field) : undefined))
    .filter((one) => one !== undefined && !isDeepStrictEqual(one, implied) && fits(schema, one));
  const all = [...given, ...found];
  const examples = all.filter((one, index) => all.findIndex((other) => isDeepStrictEqual(other, one)) === index);
  return examples.length > 0 ? { ...schema, examples } : schema;
}

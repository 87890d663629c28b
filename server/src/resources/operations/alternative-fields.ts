// The fields of an object that has one of several forms, such as a payment by card or by transfer.
import { type AnyResource, createSeededRandom, drawValue, fits } from '../../access/contracts/index.ts';
import type { Fields } from '../objects/index.ts';

/**
 * Returns the values of an object that has one of the alternatives of its resource: that of the given values, otherwise one
 * that follows from `origin`. Fields that only other alternatives have are left out, unless they are given.
 */
export function withAlternative(
  { alternatives = [] }: Pick<AnyResource, 'alternatives'>,
  values: Fields,
  given: Fields,
  origin: string,
): Fields {
  const isPossible = ({ fields }: (typeof alternatives)[number]): boolean =>
    Object.entries(fields).every(([name, schema]) => !Object.hasOwn(given, name) || fits(schema, given[name]));
  const possible = alternatives.filter(isPossible);
  if (possible.length === 0) return values;
  const { fields, required = [] } = createSeededRandom(origin).pick(possible);
  const isOfOthers = (name: string): boolean =>
    !Object.hasOwn(fields, name) && alternatives.some((one) => Object.hasOwn(one.fields, name));
  const kept = Object.entries(values).filter(([name]) => Object.hasOwn(given, name) || !isOfOthers(name));
  const result: Record<string, unknown> = Object.fromEntries(kept);
  for (const [name, schema] of Object.entries(fields)) {
    const isMissing = !Object.hasOwn(result, name);
    if (isMissing ? !required.includes(name) : fits(schema, result[name])) continue;
    const drawn = drawValue(schema, createSeededRandom(`${origin}/${name}`), name);
    if (drawn !== undefined) result[name] = drawn;
  }
  return result;
}

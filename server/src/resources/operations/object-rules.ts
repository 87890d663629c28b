// The rules of a resource about several fields of an object, such as `if`, and values that keep them.
import { type AnyResource, exampleOf } from '../../access/contracts/index.ts';
import { schemaErrors } from '../../kit/http/schema.ts';
import type { Fields } from '../objects/index.ts';

/**
 * Returns the values of an object that keep the rules of its resource, if any were found. Given values stay. Optional
 * fields that the rules name are left out, or get the values of an example that has the given values. Other optional fields
 * are left out only if this is not enough. No optional field is added that the rules do not require.
 */
export function withRules(resource: AnyResource, values: Fields, given: Fields): Fields {
  const { rules, optional = [] } = resource;
  const isKept = (one: Fields): boolean => rules === undefined || schemaErrors(rules, one).length === 0;
  if (isKept(values)) return values;
  const texts = new Set(textsIn(rules));
  const without = (isLeftOut: (name: string) => boolean): Fields =>
    Object.fromEntries(
      Object.entries(values).filter(
        ([name]) => Object.hasOwn(given, name) || !optional.includes(name) || !isLeftOut(name),
      ),
    );
  const lean = without((name) => texts.has(name));
  if (isKept(lean)) return lean;
  const solved = solve(resource, given, texts);
  const leanest = without(() => true);
  const found = [{ ...values, ...solved }, { ...lean, ...solved }, leanest, { ...leanest, ...solved }].find(isKept);
  if (!found) return values;
  const added = Object.keys(found).filter((name) => !Object.hasOwn(values, name) && optional.includes(name));
  return added.reduce((kept: Fields, name) => {
    const { [name]: _, ...others } = kept;
    return isKept(others) ? others : kept;
  }, found);
}

/** Returns the texts and the names in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Object.entries(Object(value)).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

/**
 * Returns the fields that the rules name, with the given values, so that they keep the rules; the example without given values.
 * Other fields would only take time.
 */
function solve(
  { fields, optional = [], rules, example }: AnyResource,
  given: Fields,
  texts: ReadonlySet<string>,
): Fields {
  if (Object.keys(given).length === 0) return { ...example };
  const named = <T>(all: Readonly<Record<string, T>>): [string, T][] =>
    Object.entries(all).filter(([name]) => texts.has(name));
  const constants = named(given).map(([name, value]): [string, object] => [name, { const: value }]);
  const properties = Object.fromEntries([...named(fields), ...constants]);
  const isRequired = (name: string): boolean => Object.hasOwn(given, name) || !optional.includes(name);
  const found = exampleOf({
    type: 'object',
    properties,
    required: Object.keys(properties).filter(isRequired),
    ...rules,
  });
  return { ...Object(found) };
}

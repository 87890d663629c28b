// The rules of a resource about several fields of an object, such as `if`, and values that keep them.
import { type AnyResource, exampleOf } from '../../access/contracts/index.ts';
import { schemaErrors } from '../../kit/http/schema.ts';
import type { Fields } from '../objects/index.ts';

/**
 * Returns the values of an object that keep the rules of its resource, if any were found. Given values stay. Optional
 * fields are left out, or other fields get the values of an example that has the given values.
 */
export function withRules(resource: AnyResource, values: Fields, given: Fields): Fields {
  const { rules, optional = [] } = resource;
  const isKept = (one: Fields): boolean => rules === undefined || schemaErrors(rules, one).length === 0;
  if (isKept(values)) return values;
  const lean = Object.fromEntries(
    Object.entries(values).filter(([name]) => Object.hasOwn(given, name) || !optional.includes(name)),
  );
  if (isKept(lean)) return lean;
  const solved = solve(resource, given);
  return (
    [
      { ...values, ...solved },
      { ...lean, ...solved },
    ].find(isKept) ?? values
  );
}

/** Returns an object with the given values that keeps the rules; the example without given values. */
function solve({ fields, optional = [], rules, example }: AnyResource, given: Fields): Fields {
  if (Object.keys(given).length === 0) return { ...example };
  const constants = Object.entries(given).map(([name, value]) => [name, { const: value }]);
  const required = Object.keys(fields).filter((name) => !optional.includes(name));
  const found = exampleOf({
    type: 'object',
    properties: { ...fields, ...Object.fromEntries(constants) },
    required: [...new Set([...required, ...Object.keys(given)])],
    ...rules,
  });
  return { ...Object(found) };
}

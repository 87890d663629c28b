// The identifiers in the path of a request, for the fields that have the name of a parameter of the path.
import { type AnyResource, fits, type OperationDeclaration, resources } from '../../access/contracts/index.ts';
import type { TSchema } from '../../kit/http/schema.ts';
import { type Fields, idFieldOf, idOfKey } from '../objects/index.ts';
import { namedObjects } from './declared-inputs.ts';

/** The forms of each identifier, by the name of its parameter in small letters. */
export type PathValues = ReadonlyMap<string, readonly unknown[]>;

/** `order_id`, `orderId` and `Order-ID` have the same letters. */
const lettersOf = (name: string): string => name.replaceAll(/[^A-Za-z\d]/g, '').toLowerCase();

/**
 * Returns the identifiers in a path. The contract names a parameter after its resource, so an identifier also has the name
 * of the field that holds it, if that name contains the last word of the resource, such as `address_id` of a `SavedAddress`.
 * It also has the name of each field of other resources that identifies such an object as the parent.
 */
export function pathValues(
  resource: AnyResource,
  declared: OperationDeclaration,
  params: Readonly<Record<string, string>>,
): PathValues {
  const values = new Map<string, readonly unknown[]>();
  for (const name of Object.keys(declared.params ?? {}))
    values.set(lettersOf(name), [params[name], Number(params[name])]);
  for (const { resource: one, key } of namedObjects(resource, declared, params)) {
    const field = lettersOf(idFieldOf(one) ?? '');
    const isNamed = field.includes(one.kind.split('_').at(-1) ?? one.kind);
    const parentFields = resources.flatMap(({ parent, parentField = '' }) =>
      parent === one && parentField !== '' ? [lettersOf(parentField)] : [],
    );
    for (const name of [lettersOf(one.idName), ...(isNamed ? [field] : []), ...parentFields])
      values.set(name, [idOfKey(one, key), key]);
  }
  return values;
}

/** Returns the identifier for a field, in the form that its schema accepts; undefined without one. */
export const pathValueFor = (values: PathValues, name: string, schema: TSchema): unknown =>
  values.get(lettersOf(name))?.find((value) => fits(schema, value));

/** Returns the fields of a new object that have the name of a parameter of the path. */
export function pathFields(
  resource: AnyResource,
  declared: OperationDeclaration,
  params: Readonly<Record<string, string>>,
): Fields {
  const values = pathValues(resource, declared, params);
  const fields = Object.entries(resource.fields).map(([name, schema]) => [name, pathValueFor(values, name, schema)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

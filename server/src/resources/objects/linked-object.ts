// The address of an object, also in its own fields, such as `_links.self`.
import { type AnyResource, fieldAt, formsOf, pathNames, valueAt, withValue } from '../../access/contracts/index.ts';
import { fillPath } from '../../kit/http/paths.ts';
import { schemaErrors } from '../../kit/http/schema.ts';
import { objectReader } from './object.ts';

/** Returns the path of an operation that returns the object; undefined without one whose parameters are all known. */
export function locationOf(
  { operations = {} }: AnyResource,
  params: Readonly<Record<string, string>>,
): string | undefined {
  const get = Object.values(operations).find(
    ({ effect, path }) => effect === 'get' && pathNames(path).every((name) => Object.hasOwn(params, name)),
  );
  return get && `/v1${fillPath(get.path, params)}`;
}

/** Returns the parameters of the path of an object that the object itself contains. */
function paramsOf({ idName, parent, parentField }: AnyResource, key: string, object: object): Record<string, string> {
  const above = parentField === undefined ? undefined : valueAt(object, parentField);
  const isNamed = parent !== undefined && above !== undefined && above !== null;
  return { [idName]: key, ...(isNamed && { [parent.idName]: String(above) }) };
}

/**
 * Returns the function that makes objects with their addresses. The stored value of `selfField` stays in an object whose
 * address does not follow from its fields.
 */
export function linkedReader(resource: AnyResource, publicUrl: string): (row: object) => object {
  const read = objectReader(resource);
  const { selfField } = resource;
  const field = selfField === undefined ? undefined : fieldAt(resource.schema, selfField);
  if (selfField === undefined || !field) return read;
  return (row) => {
    const object = read(row);
    const location = locationOf(resource, paramsOf(resource, String(Reflect.get(row, 'key')), object));
    const stored = valueAt(object, selfField);
    if (location === undefined || stored === undefined) return object;
    const forms = [publicUrl + location, location].flatMap((address) => formsOf(field.schema, address, stored));
    const link = forms.find((one) => schemaErrors(field.schema, one).length === 0);
    return link === undefined ? object : Object(withValue(object, selfField, link));
  };
}

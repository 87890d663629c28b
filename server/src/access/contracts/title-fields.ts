// The fields whose values name an object for a reader, such as a member who browses the sandbox data.
import { isSensitive, type TSchema } from '../../kit/http/schema.ts';
import type { AnyResource } from './declaration.ts';

/** The names of such fields, in the order of preference. Case and separators are ignored. */
const NAMES = ['name', 'title', 'displayname', 'fullname', 'label', 'subject', 'headline', 'summary'];

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/**
 * Returns the declared fields with a name or a title, in the order of preference. If the objects have no such field and do
 * not contain their identifier, returns the first text field, because readers do not know the key of such an object.
 */
export function titleFieldsOf(resource: AnyResource): string[] {
  const { kind, fields, open, optional = [], identity, parentField, stateField = 'status' } = resource;
  const texts = Object.entries(fields).flatMap(([field, schema]) => (isText(schema) ? [field] : []));
  const names = [...NAMES, `${plain(kind)}name`, `${plain(kind)}title`];
  const declared = names.flatMap((name) => texts.filter((field) => plain(field) === name));
  const others = open ? ['name', 'title'].filter((name) => !Object.hasOwn(fields, name)) : [];
  const hasId = !identity || identity.field !== undefined;
  const first = texts.find((field) => !optional.includes(field) && field !== parentField && field !== stateField);
  return [...declared, ...others, ...(hasId || declared.length > 0 || first === undefined ? [] : [first])];
}

/** Returns whether a value of the schema can name an object: a text without `enum`, `const` and `format`. */
function isText(schema: TSchema): boolean {
  const { type, format, enum: values, const: only, writeOnly, anyOf, oneOf }: Record<string, unknown> = { ...schema };
  if (isSensitive(schema) || writeOnly === true) return false;
  if (Array.isArray(anyOf ?? oneOf)) return [anyOf ?? oneOf].flat().some((one) => isText({ ...Object(one) }));
  return [type].flat().includes('string') && format === undefined && values === undefined && only === undefined;
}

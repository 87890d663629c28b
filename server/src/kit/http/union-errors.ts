// The errors of a value that fits no branch of a union, reduced to those that a client can act on.
import type { TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import { escapePointer } from '../text/json-pointer.ts';

export type SchemaError = ReturnType<Validator['Errors']>[number];

/** Returns the schema that an error is about. */
export const schemaAt = (schema: TSchema, { schemaPath }: SchemaError): object =>
  Object(
    schemaPath
      .split('/')
      .slice(1)
      .reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), schema),
  );

/**
 * Reduces the errors of a union to one of these:
 * - the errors of the branch that the discriminating field of the value selects, or the values of this field;
 * - one error that lists alternative fields that would be sufficient;
 * - the errors of the branches other than null.
 */
export function withoutBranches(schema: TSchema, errors: readonly SchemaError[]): SchemaError[] {
  const dropped = new Set<SchemaError>();
  const replaced = new Map<SchemaError, SchemaError>();
  for (const union of errors) {
    if (union.keyword !== 'anyOf' && union.keyword !== 'oneOf') continue;
    const ofBranches = errors.filter((one) => isOfBranch(one, union));
    const found = reduceUnion(schema, union, ofBranches);
    for (const one of ofBranches) if (!found.includes(one)) dropped.add(one);
    const own = found.find((one) => !ofBranches.includes(one));
    if (own) replaced.set(union, own);
    else dropped.add(union);
  }
  return errors.filter((one) => !dropped.has(one)).map((one) => replaced.get(one) ?? one);
}

/** Returns the errors in place of those of a union and its branches. */
function reduceUnion(schema: TSchema, union: SchemaError, ofBranches: readonly SchemaError[]): readonly SchemaError[] {
  // Several branches accept the value, so the errors of the others are no cause.
  if (union.keyword === 'oneOf' && union.params.passingSchemas.length > 0) return [union];
  const selected = errorsOfSelected(schema, union, ofBranches);
  if (selected) return selected;
  // Null would be valid too, but a client that sent something else does not need to know this.
  const relevant = ofBranches.filter(
    (one) => !(isItself(one, union) && one.keyword === 'type' && one.params.type === 'null'),
  );
  const missing = relevant.map((one) =>
    isItself(one, union) && one.keyword === 'required' ? one.params.requiredProperties : [],
  );
  if (relevant.length > 1 && missing.every((names) => names.length === 1))
    return [{ ...union, message: `needs at least one of ${missing.join(', ')}` }];
  return relevant.length > 0 ? relevant : [union];
}

/**
 * Returns the errors of the branch that the discriminating field of an object selects, or one error with the values of the
 * field if it selects none; undefined without such a field.
 */
function errorsOfSelected(
  schema: TSchema,
  union: SchemaError,
  ofBranches: readonly SchemaError[],
): SchemaError[] | undefined {
  const list: unknown = Reflect.get(schemaAt(schema, union), union.keyword);
  const branches = Array.isArray(list) ? list.map((branch, index) => ({ branch, index })) : [];
  const objects = branches.filter(({ branch }) => fieldsOf(branch).length > 0);
  const known = objects.map(({ branch }) => new Map(fieldsOf(branch)));
  const field = [...(known[0]?.keys() ?? [])].find((name) => areDistinct(known.map((one) => one.get(name))));
  if (field === undefined || objects.length < 2) return undefined;
  const errorsOf = (index: number): SchemaError[] =>
    ofBranches.filter(({ schemaPath }) =>
      `${schemaPath}/`.startsWith(`${union.schemaPath}/${union.keyword}/${index}/`),
    );
  const instancePath = `${union.instancePath}/${escapePointer(field)}`;
  const isMissing = (one: SchemaError): boolean =>
    isItself(one, union) && one.keyword === 'required' && one.params.requiredProperties.includes(field);
  const isOther = (one: SchemaError): boolean =>
    one.instancePath === instancePath && (one.keyword === 'const' || one.keyword === 'enum');
  const open = objects.map(({ index }) => errorsOf(index)).filter((own) => !own.some((one) => isOther(one)));
  const [first = []] = open;
  if (open.length === 1 && !first.some(isMissing)) return first;
  const values = known.flatMap((one) => one.get(field) ?? []).join(', ');
  if (open.length === 0) return [{ ...union, instancePath, message: `must be one of ${values}` }];
  const isAbsent = open.length === objects.length && open.every((own) => own.some(isMissing));
  return isAbsent ? [{ ...union, instancePath, message: `is required, and must be one of ${values}` }] : undefined;
}

/** Returns the fields of an object schema that have fixed values. */
function fieldsOf(branch: unknown): [name: string, values: readonly unknown[]][] {
  return Object.entries(Object(Reflect.get(Object(branch), 'properties'))).flatMap(([name, field]) => {
    const { const: only, enum: values }: { const?: unknown; enum?: unknown } = Object(field);
    if (only !== undefined) return [[name, [only]]];
    return Array.isArray(values) ? [[name, values]] : [];
  });
}

/** Returns whether each branch has values, and no value of another branch. */
function areDistinct(lists: readonly (readonly unknown[] | undefined)[]): boolean {
  const all = lists.flatMap((values) => [...new Set(values)]);
  return lists.every((values) => values !== undefined) && new Set(all).size === all.length;
}

// Items of an array share the schema's path, and two field names may have the same beginning.
const isOfBranch = (one: SchemaError, whole: SchemaError): boolean =>
  one.schemaPath.startsWith(`${whole.schemaPath}/${whole.keyword}/`) &&
  `${one.instancePath}/`.startsWith(`${whole.instancePath}/`);

/** Returns whether an error is about the same value, and not about a part of it. */
const isItself = (one: SchemaError, whole: SchemaError): boolean => one.instancePath === whole.instancePath;

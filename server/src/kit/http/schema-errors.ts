// Converts validation errors to messages that say how to fix the value.
import type { TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import type { InvalidPart } from '../openapi/problems.ts';
import { escapePointer } from '../text/json-pointer.ts';
import { NAME_PATTERN } from '../text/name-pattern.ts';

const MAX_ERRORS = 20;
/** Maximum number of validation errors that are read: each branch of a union reports its own. */
export const MAX_READ_ERRORS = 5 * MAX_ERRORS;

/** Returns the schema that an error is about. */
const schemaAt = (schema: TSchema, { schemaPath }: SchemaError): object =>
  Object(
    schemaPath
      .split('/')
      .slice(1)
      .reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), schema),
  );

/** Returns why an object does not accept a field of this name. */
function refusalOfName(schema: TSchema, error: SchemaError): string {
  const [pattern] = Object.keys(Object(Reflect.get(schemaAt(schema, error), 'patternProperties')));
  return pattern === undefined ? 'is not a known field' : `must have a name that matches ${pattern}`;
}

/** Returns an example of the required form, which is clearer than a pattern. */
function exampleAt(schema: TSchema, error: SchemaError): unknown {
  const examples: unknown = Reflect.get(schemaAt(schema, error), 'examples');
  return Array.isArray(examples) ? examples[0] : undefined;
}

function refusalOfForm(schema: TSchema, error: SchemaError, pattern: string): string {
  if (pattern === NAME_PATTERN) return 'must hold visible characters, and none that hide or turn text';
  if (pattern === '\\S') return 'must not be blank';
  const example = exampleAt(schema, error);
  return example === undefined ? error.message : `must have the form of ${example}`;
}

type SchemaError = ReturnType<Validator['Errors']>[number];

/**
 * Reduces the errors of a union. Either one error lists alternative fields that would be sufficient, or the errors of
 * the branches other than null remain.
 */
function withoutBranches(errors: readonly SchemaError[]): SchemaError[] {
  const dropped = new Set<SchemaError>();
  const messages = new Map<SchemaError, string>();
  for (const union of errors) {
    if (union.keyword !== 'anyOf') continue;
    const branchErrors = errors.filter((one) => isOfBranch(one, union));
    const relevant = branchErrors.filter(
      (one) => !(isItself(one, union) && one.keyword === 'type' && one.params.type === 'null'),
    );
    const missingFields = relevant.map((one) =>
      isItself(one, union) && one.keyword === 'required' ? one.params.requiredProperties : [],
    );
    if (relevant.length > 1 && missingFields.every((names) => names.length === 1)) {
      for (const one of branchErrors) dropped.add(one);
      messages.set(union, `needs at least one of ${missingFields.join(', ')}`);
    } else if (relevant.length > 0) {
      // Null would be valid too, but a client that sent something else does not need to know this.
      for (const one of branchErrors) if (!relevant.includes(one)) dropped.add(one);
      dropped.add(union);
    }
  }
  return errors
    .filter((one) => !dropped.has(one))
    .map((one) => ({ ...one, message: messages.get(one) ?? one.message }));
}

// Items of an array share the schema's path, and two field names may have the same beginning.
const isOfBranch = (one: SchemaError, whole: SchemaError): boolean =>
  one.schemaPath.startsWith(`${whole.schemaPath}/anyOf/`) &&
  `${one.instancePath}/`.startsWith(`${whole.instancePath}/`);

/** Returns whether an error is about the same value, and not about a part of it. */
const isItself = (one: SchemaError, whole: SchemaError): boolean => one.instancePath === whole.instancePath;

// A text of the wrong length often also breaks the pattern. Keeps the error of the pattern if there is an example,
// otherwise the error of the length.
function dropRepeatedErrors(schema: TSchema, errors: readonly SchemaError[]): SchemaError[] {
  const isForm = ({ keyword }: SchemaError): boolean => keyword === 'pattern';
  const isLength = ({ keyword }: SchemaError): boolean => keyword === 'minLength' || keyword === 'maxLength';
  const hasExample = (error: SchemaError): boolean => exampleAt(schema, error) !== undefined;
  const isEchoOf = (one: SchemaError, other: SchemaError): boolean =>
    one.instancePath === other.instancePath &&
    ((isLength(one) && isForm(other) && hasExample(other)) || (isForm(one) && !hasExample(one) && isLength(other)));
  return errors.filter((one) => !errors.some((other) => isEchoOf(one, other)));
}

/** Converts the errors that the validator found. The pointers begin with `root`. */
export function describeErrors(schema: TSchema, found: readonly SchemaError[], root: string): InvalidPart[] {
  const errors = dropRepeatedErrors(schema, withoutBranches(found)).slice(0, MAX_ERRORS);
  return errors.flatMap((error): InvalidPart[] => {
    const pointer = root + error.instancePath;
    const each = (fields: readonly string[], detail: string): InvalidPart[] =>
      fields.slice(0, MAX_ERRORS).map((name) => ({ pointer: `${pointer}/${escapePointer(name)}`, detail }));
    switch (error.keyword) {
      case 'boolean':
        return []; // repeats the error of additionalProperties
      case 'additionalProperties':
        // Each value of a map that does not fit has an error with its own pointer.
        if (typeof Reflect.get(schemaAt(schema, error), 'additionalProperties') === 'object') return [];
        return each(error.params.additionalProperties, refusalOfName(schema, error));
      case 'required':
        return each(error.params.requiredProperties, 'is required');
      case 'enum':
        return [{ pointer, detail: `must be one of ${error.params.allowedValues.join(', ')}` }];
      case 'pattern':
        return [{ pointer, detail: refusalOfForm(schema, error, String(error.params.pattern)) }];
      case 'minimum':
        return [{ pointer, detail: `must be at least ${error.params.limit}` }];
      case 'maximum':
        return [{ pointer, detail: `must be at most ${error.params.limit}` }];
      case 'minLength':
      case 'minItems':
        return [{ pointer, detail: error.params.limit === 1 ? 'must not be empty' : error.message }];
      default:
        return [{ pointer, detail: error.message }];
    }
  });
}

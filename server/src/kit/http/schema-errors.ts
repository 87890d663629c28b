// Converts validation errors to messages that say how to fix the value.
import type { TSchema } from 'typebox';
import type { InvalidPart } from '../openapi/problems.ts';
import { escapePointer } from '../text/json-pointer.ts';
import { NAME_PATTERN } from '../text/name-pattern.ts';
import { type SchemaError, schemaAt, withoutBranches } from './union-errors.ts';

const MAX_ERRORS = 20;
/** Maximum number of validation errors that are read: each branch of a union reports its own. */
export const MAX_READ_ERRORS = 5 * MAX_ERRORS;

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
  const errors = dropRepeatedErrors(schema, withoutBranches(schema, found)).slice(0, MAX_ERRORS);
  const parts = errors.flatMap((error): InvalidPart[] => {
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
      case 'not': {
        const { required }: { required?: unknown } = Object(Reflect.get(schemaAt(schema, error), 'not'));
        const names = Array.isArray(required) ? required.map(String) : [];
        if (names.length === 1) return each(names, 'is not permitted with the other values');
        const detail = names.length > 1 ? `must not have ${names.join(', ')} together` : 'breaks a rule of its schema';
        return [{ pointer, detail }];
      }
      case 'const':
        return [{ pointer, detail: `must be ${JSON.stringify(error.params.allowedValue)}` }];
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
  // Several branches of a union can report the same.
  return [...new Map(parts.map((part) => [`${part.pointer} ${part.detail}`, part])).values()];
}

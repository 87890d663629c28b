// What is wrong with a value that does not fit its schema, as somebody would say it who wants it mended.
import type { TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import type { InvalidPart } from '../openapi/problems.ts';
import { escapePointer } from '../text/json-pointer.ts';
import { NAME_PATTERN } from '../text/name-pattern.ts';

const MAX_ERRORS = 20;
/** Of what a value breaks so much is looked at: of several branches each tells its own. */
export const MOST_READ = 5 * MAX_ERRORS;

/** The schema that an error is about. */
const schemaAt = (schema: TSchema, { schemaPath }: SchemaError): object =>
  Object(
    schemaPath
      .split('/')
      .slice(1)
      .reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), schema),
  );

/** Why an object takes no field of another name. */
function refusalOfName(schema: TSchema, error: SchemaError): string {
  const [pattern] = Object.keys(Object(Reflect.get(schemaAt(schema, error), 'patternProperties')));
  return pattern === undefined ? 'is not a known field' : `must have a name that matches ${pattern}`;
}

/** Of the form that is wanted: it says sooner than a pattern what is meant. */
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

/** What is wrong where a value fits none of several branches, as somebody would say it who wants it mended. */
function withoutBranches(errors: readonly SchemaError[]): SchemaError[] {
  const dropped = new Set<SchemaError>();
  const said = new Map<SchemaError, string>();
  for (const whole of errors) {
    if (whole.keyword !== 'anyOf') continue;
    const inside = errors.filter((one) => isOfBranch(one, whole));
    const saying = inside.filter(
      (one) => !(isItself(one, whole) && one.keyword === 'type' && one.params.type === 'null'),
    );
    const lacked = saying.map((one) =>
      isItself(one, whole) && one.keyword === 'required' ? one.params.requiredProperties : [],
    );
    if (saying.length > 1 && lacked.every((names) => names.length === 1)) {
      for (const one of inside) dropped.add(one);
      said.set(whole, `needs at least one of ${lacked.join(', ')}`);
    } else if (saying.length > 0) {
      // Null would do too. That is no news to whoever sent something else.
      for (const one of inside) if (!saying.includes(one)) dropped.add(one);
      dropped.add(whole);
    }
  }
  return errors.filter((one) => !dropped.has(one)).map((one) => ({ ...one, message: said.get(one) ?? one.message }));
}

// Items of an array share the schema's path, and an object's fields may begin alike.
const isOfBranch = (one: SchemaError, whole: SchemaError): boolean =>
  one.schemaPath.startsWith(`${whole.schemaPath}/anyOf/`) &&
  `${one.instancePath}/`.startsWith(`${whole.instancePath}/`);

/** Whether it is about the value itself, and not about something in it. */
const isItself = (one: SchemaError, whole: SchemaError): boolean => one.instancePath === whole.instancePath;

// What is too short or too long is of no form either: the form says more where there is an example of it, else the length.
function withoutEchoes(schema: TSchema, errors: readonly SchemaError[]): SchemaError[] {
  const isForm = ({ keyword }: SchemaError): boolean => keyword === 'pattern';
  const isLength = ({ keyword }: SchemaError): boolean => keyword === 'minLength' || keyword === 'maxLength';
  const hasExample = (error: SchemaError): boolean => exampleAt(schema, error) !== undefined;
  const isEchoOf = (one: SchemaError, other: SchemaError): boolean =>
    one.instancePath === other.instancePath &&
    ((isLength(one) && isForm(other) && hasExample(other)) || (isForm(one) && !hasExample(one) && isLength(other)));
  return errors.filter((one) => !errors.some((other) => isEchoOf(one, other)));
}

/** `found` is what the validator says of the value; the pointers begin with `root`. */
export function describeErrors(schema: TSchema, found: readonly SchemaError[], root: string): InvalidPart[] {
  const errors = withoutEchoes(schema, withoutBranches(found)).slice(0, MAX_ERRORS);
  return errors.flatMap((error): InvalidPart[] => {
    const pointer = root + error.instancePath;
    const each = (fields: readonly string[], detail: string): InvalidPart[] =>
      fields.slice(0, MAX_ERRORS).map((name) => ({ pointer: `${pointer}/${escapePointer(name)}`, detail }));
    switch (error.keyword) {
      case 'boolean':
        return []; // says "schema is false" of what additionalProperties says in words
      case 'additionalProperties':
        return each(error.params.additionalProperties, refusalOfName(schema, error));
      case 'required':
        return each(error.params.requiredProperties, 'is required');
      case 'enum':
        return [{ pointer, detail: `must be one of ${error.params.allowedValues.join(', ')}` }];
      case 'pattern':
        return [{ pointer, detail: refusalOfForm(schema, error, String(error.params.pattern)) }];
      default:
        return [{ pointer, detail: error.message }];
    }
  });
}

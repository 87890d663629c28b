// The limits of the schemas of a contract: size, depth, names and patterns.
import { escapePointer } from '../../kit/text/json-pointer.ts';
import { patternError } from './pattern-safety.ts';
import { isInherited } from './reserved-names.ts';

/** The highest number of values in the schema of a resource. */
const MAX_SCHEMA_VALUES = 40_000;
const MAX_SCHEMA_DEPTH = 40;

/** Keywords whose keys are names of fields, and not keywords. */
const NAMED = new Set(['properties', '$defs', 'dependentSchemas', 'dependentRequired']);

interface SchemaMistake {
  pointer: string;
  detail: string;
}

/** Returns the mistakes of a schema. `pointer` begins at the schema. */
export function unsafeParts(schema: unknown): SchemaMistake[] {
  const mistakes: SchemaMistake[] = [];
  let values = 0;
  const report = (pointer: string, detail: string): void => void mistakes.push({ pointer, detail });
  const visit = (value: unknown, pointer: string, depth: number, areNames: boolean): void => {
    if (++values > MAX_SCHEMA_VALUES || typeof value !== 'object' || value === null) return;
    if (depth > MAX_SCHEMA_DEPTH) {
      report(pointer, `is nested more than ${MAX_SCHEMA_DEPTH} deep`);
      return;
    }
    for (const key of Object.keys(value)) {
      const at = `${pointer}/${escapePointer(key)}`;
      const inner: unknown = Reflect.get(value, key);
      if (areNames && isInherited(key)) report(at, 'must not have the name of a property that every object has');
      else if (!areNames && key === '$ref') report(at, 'must not refer to another schema: write the schema in place');
      else if (!areNames && key === 'pattern' && typeof inner === 'string') reportPattern(inner, at, report);
      else visitKeyword(key, inner, at, depth, areNames);
    }
  };
  const visitKeyword = (key: string, inner: unknown, at: string, depth: number, areNames: boolean): void => {
    // Values of the data are no schemas.
    if (!areNames && ['enum', 'const', 'default', 'example', 'examples'].includes(key)) return;
    if (!areNames && key === 'patternProperties') {
      for (const pattern of Object.keys(Object(inner))) reportPattern(pattern, at, report);
    }
    visit(inner, at, depth + 1, !areNames && (NAMED.has(key) || key === 'patternProperties'));
  };
  visit(schema, '', 0, false);
  if (values > MAX_SCHEMA_VALUES) report('', `has more than ${MAX_SCHEMA_VALUES} values`);
  return mistakes;
}

function reportPattern(pattern: string, at: string, report: (pointer: string, detail: string) => void): void {
  const error = patternError(pattern);
  if (error !== undefined) report(at, `is a pattern that ${error}`);
}

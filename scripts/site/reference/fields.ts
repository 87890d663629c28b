// Schemas as tables: one row for each field, with its type, its limits and whether it is required.
import { type Contract, nameOfRef, resolve, type Schema } from './contract.ts';

/** Returns the text of a table cell, without line breaks and with escaped bars. */
export const cell = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');

const MAX_DEPTH = 4;

/** Returns the fields of a schema as a table, or its type if it has none. */
export function fieldTable(contract: Contract, schema: Schema): string {
  const rows = rowsOf(contract, schema, '', []);
  if (rows.length === 0) return `${typeOf(contract, schema)}. ${resolve(contract, schema).description ?? ''}`.trim();
  return ['| field | type | description |', '| --- | --- | --- |', ...rows].join('\n');
}

function rowsOf(contract: Contract, schema: Schema, prefix: string, above: readonly string[]): string[] {
  const found = resolve(contract, schema);
  const named = schema.$ref === undefined ? above : [...above, schema.$ref];
  // A recursive or deep schema is named and not expanded.
  if (above.length > MAX_DEPTH || (schema.$ref !== undefined && above.includes(schema.$ref))) return [];
  const choices = alternativesOf(found);
  if (choices.length === 1 && choices[0]) return rowsOf(contract, choices[0], prefix, named);
  if (choices.length > 1) return choices.flatMap((choice) => rowsOf(contract, choice, prefix, named));
  if (found.items) return rowsOf(contract, found.items, `${prefix.replace(/\.$/, '')}[].`, named);
  return Object.entries(found.properties ?? {}).flatMap(([name, field]) => {
    const own = withoutNull(contract, field);
    const required = found.required?.includes(name) ? '' : ' Optional.';
    const words = `${own.description ?? ''}${required}${limitsOf(own)}`;
    const row = `| \`${prefix}${name}\` | ${cell(typeOf(contract, field))} | ${cell(words)} |`;
    return [row, ...rowsOf(contract, field, `${prefix}${name}.`, named)];
  });
}

/**
 * Returns the schema of a field. A field that may be null has the description and the limits of its one alternative.
 */
function withoutNull(contract: Contract, field: Schema): Schema {
  const own = resolve(contract, field);
  const [only, ...others] = alternativesOf(own);
  return only && others.length === 0 ? { ...resolve(contract, only), ...own } : own;
}

/** Returns the alternatives of a schema without `null`. */
const alternativesOf = ({ anyOf, oneOf }: Schema): readonly Schema[] =>
  (anyOf ?? oneOf ?? []).filter(({ type }) => type !== 'null');

export function typeOf(contract: Contract, schema: Schema): string {
  const found = resolve(contract, schema);
  const choices = found.anyOf ?? found.oneOf;
  if (choices) return [...new Set(choices.map((choice) => typeOf(contract, choice)))].join(' or ');
  if (found.const !== undefined) return `\`${JSON.stringify(found.const)}\``;
  if (found.enum) return found.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (found.items) return `array of ${typeOf(contract, found.items)}`;
  const types = [found.type ?? 'any value'].flat().join(' or ');
  const name = schema.$ref === undefined ? '' : ` (${nameOfRef(schema.$ref)})`;
  return found.format ? `${types} (${found.format})` : `${types}${name}`;
}

function limitsOf({ minLength, maxLength, minimum, maximum, minItems, maxItems, default: given }: Schema): string {
  const between = (low: number | undefined, high: number | undefined, unit: string): string[] => {
    if (low === undefined && high === undefined) return [];
    if (low === high) return [`${low}${unit}`];
    if (high === undefined) return [`at least ${low}${unit}`];
    return [low === undefined || low === 0 ? `at most ${high}${unit}` : `${low} to ${high}${unit}`];
  };
  const limits = [
    ...between(minLength, maxLength, ' characters'),
    ...between(minimum, maximum, ''),
    ...between(minItems, maxItems, ' items'),
    ...(given === undefined ? [] : [`default \`${JSON.stringify(given)}\``]),
  ];
  return limits.length === 0 ? '' : ` Limits: ${limits.join(', ')}.`;
}

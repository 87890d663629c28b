// Describes a schema's type and bounds.
import { grouped } from '../../kit/number.ts';
import { type Document, nameOfReference, resolveSchema, type Schema } from './document.ts';

interface TypeLabel {
  /** Text before the name, such as "array of ". */
  before: string;
  /** Name of the referenced schema. */
  name: string | undefined;
  after: string;
}

export function typeOf(document: Document, schema: Schema): TypeLabel {
  const name = nameOfReference(schema);
  if (name !== undefined) return { before: '', name, after: '' };
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return typeOfChoices(document, choices);
  if (schema.items) {
    const items = typeOf(document, schema.items);
    return { ...items, before: `array of ${items.before}` };
  }
  return { before: plainType(schema), name: undefined, after: '' };
}

function typeOfChoices(document: Document, choices: Schema[]): TypeLabel {
  const rest = choices.filter((one) => one.type !== 'null');
  const orNull = rest.length < choices.length ? ' or null' : '';
  const [only] = rest;
  if (only && rest.length === 1) {
    const words = typeOf(document, only);
    return { ...words, after: words.after + orNull };
  }
  const names = rest.map((one) => {
    const { before, name, after } = typeOf(document, one);
    return before + (name ?? '') + after;
  });
  return { before: `one of ${names.join(', ')}`, name: undefined, after: orNull };
}

function plainType({ type, format, enum: values, const: only, patternProperties, properties }: Schema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(type)) return type.join(' or ');
  if (values) return type ?? 'one of';
  if (type === 'object' && patternProperties && !properties) return 'object of names and values';
  return [type ?? 'anything', format].filter(Boolean).join(', ');
}

/** Returns the part of a schema with bounds and fields: the schema itself, its items, or its alternative to null. */
export function coreOf(document: Document, schema: Schema): Schema {
  const whole = resolveSchema(document, schema);
  const inner = (whole.anyOf ?? whole.oneOf)?.filter((one) => one.type !== 'null');
  const [only] = inner ?? [];
  if (only && inner?.length === 1) return coreOf(document, only);
  return whole.items ? coreOf(document, whole.items) : whole;
}

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  if (least === most) return `${grouped(most ?? 0)}${unit}`;
  if (least === undefined || (unit !== '' && least === 0)) return `at most ${grouped(most ?? 0)}${unit}`;
  return most === undefined ? `at least ${grouped(least)}${unit}` : `${grouped(least)} to ${grouped(most)}${unit}`;
}

/** Returns a phrase for each bound of a value. */
export function boundsOf(document: Document, schema: Schema): string[] {
  const whole = resolveSchema(document, schema);
  const core = coreOf(document, schema);
  const ofArray = whole.items
    ? [range(whole.minItems, whole.maxItems, ' items'), whole.uniqueItems ? 'each once' : undefined]
    : [];
  const of = whole.items ? 'each ' : '';
  const isShown = core.enum === undefined && core.const === undefined;
  const ofValue = isShown
    ? [
        range(core.minLength, core.maxLength, ' characters'),
        range(core.minimum, core.maximum, ''),
        core.maxProperties === undefined ? undefined : `at most ${grouped(core.maxProperties)} names`,
      ].map((one) => one && of + one)
    : [];
  const given = whole.default === undefined ? [] : [`default ${JSON.stringify(whole.default)}`];
  return [...ofArray, ...ofValue, ...given].filter((one) => one !== undefined);
}

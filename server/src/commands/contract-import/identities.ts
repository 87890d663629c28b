// The identifiers of a resource's objects: the field that holds them and their form.
import {
  fits,
  type IdentityDeclaration,
  identifierSpaceOf,
  identifiersOf,
  identitySchema,
  MAX_ID_LENGTH,
  OBJECT_LIMITS,
} from '../../access/contracts/index.ts';
import type { Part } from './part.ts';
import type { Plan } from './plans.ts';
import { convertSchema, type Schema } from './schemas.ts';
import { fieldsOf } from './shapes.ts';
import { camel, wordsOf } from './words.ts';

/** The highest number of the format int32. Such a maximum limits no identifiers that an app reaches. */
const MAX_INT32 = 2 ** 31 - 1;

type Fields = Readonly<Record<string, Schema>>;

const PREFIXED = /^([A-Za-z]{1,20}[_-])[A-Za-z0-9_-]+$/;
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

export function identityOf(plan: Plan, fields: Fields): IdentityDeclaration {
  const parameter = plan.collections.find((one) => one.parameter)?.parameter;
  const field = fieldOf(plan, fields, parameter?.name);
  const ofParameter = parameter?.schema && convertSchema(parameter.schema, 'request');
  const own = field === undefined ? undefined : fields[field];
  const schema = own ?? ofParameter ?? {};
  const description =
    typeof schema.description === 'string' ? schema.description : `The identifier of the ${plan.noun}.`;
  const shared = { ...(field !== undefined && { field }), description };
  const type = own?.type ?? ofParameter?.type;
  const types = Array.isArray(type) ? type : [type];
  const all = { ...ofParameter, ...own };
  const examples = [schema.examples, ofParameter?.examples].flat();
  const isNumber = types.includes('integer') || types.includes('number');
  const isUuid = schema.format === 'uuid' || ofParameter?.format === 'uuid';
  const texts = textsOf(examples).slice(0, 5);
  const prefix = isNumber || isUuid ? undefined : prefixOf(texts, all.pattern);
  const part = (field === undefined ? undefined : fieldsOf(plan.schema).get(field)) ?? plan.schema;
  const form = isNumber ? 'integer' : isUuid ? 'uuid' : prefix !== undefined ? 'prefixed' : 'text';
  const bare = { ...shared, form, ...(prefix !== undefined && { prefix }) } as const;
  const identity = withIdentifierRules(bare, all, part);
  const idSchema = identitySchema(identity);
  const fitting = [...new Set(examples.filter((one) => one !== undefined && fits(idSchema, one)))].slice(0, 5);
  const usable = fitting.filter((one) => typeof one === 'string' || typeof one === 'number');
  const shown = usable.length === 0 && isNumber ? [Number(identifierSpaceOf(identity)?.keyAt(0) ?? 1)] : usable;
  return { ...identity, ...(shown.length > 0 && { examples: shown }) };
}

/** Returns the identity with the rules of the schema. Reports rules that the sandbox cannot keep, and few identifiers. */
function withIdentifierRules(identity: IdentityDeclaration, schema: Schema, part: Part): IdentityDeclaration {
  const ruled = { ...identity, ...rulesOf(identity, schema) };
  const source = identifiersOf(ruled);
  if (source.by === 'none') {
    part.report(`has a ${source.field} of identifiers, which ${source.error}. The sandbox makes other identifiers`);
    return identity;
  }
  if (source.by === 'space' && source.space.size < OBJECT_LIMITS.objects)
    part.report(
      `permits ${source.space.size} identifiers. Sandbox data uses at most half of them, and a creation after the last is refused with 409`,
    );
  return ruled;
}

/** Returns the rules of a schema that are narrower than those of the form. A list of all identifiers replaces the others. */
function rulesOf(identity: IdentityDeclaration, schema: Schema): Partial<IdentityDeclaration> {
  const idSchema = identitySchema(identity);
  const { enum: all, const: only, ...others } = schema;
  const isIdentifier = (one: unknown): one is string | number =>
    fits(idSchema, one) && fits(others, one) && one !== '.' && one !== '..';
  const values = [all, only].flat().filter(isIdentifier);
  if (values.length > 0) return { enum: [...new Set(values)] };
  if (identity.form === 'integer') return numberRules(schema);
  if (identity.form === 'uuid') return {};
  const { pattern, minLength, maxLength } = schema;
  return {
    ...(typeof pattern === 'string' && { pattern }),
    ...(isBetween(2, minLength, MAX_ID_LENGTH) && { minLength }),
    ...(isBetween(1, maxLength, MAX_ID_LENGTH - 1) && { maxLength }),
  };
}

const isBetween = (least: number, value: unknown, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most;

function numberRules(schema: Schema): Partial<IdentityDeclaration> {
  const limits = (name: string, change: (limit: number) => number): number[] =>
    typeof schema[name] === 'number' ? [change(schema[name])] : [];
  const minimum = Math.max(
    0,
    ...limits('minimum', Math.ceil),
    ...limits('exclusiveMinimum', (limit) => Math.floor(limit) + 1),
  );
  const maximum = Math.min(
    MAX_INT32,
    ...limits('maximum', Math.floor),
    ...limits('exclusiveMaximum', (limit) => Math.ceil(limit) - 1),
  );
  const { multipleOf } = schema;
  return {
    ...(minimum > 1 && { minimum }),
    ...(isBetween(0, maximum, MAX_INT32 - 1) && { maximum }),
    ...(isBetween(2, multipleOf, MAX_INT32) && Number.isInteger(multipleOf) && { multipleOf }),
  };
}

/** Returns the text before each identifier, such as `ord_`, if examples or the pattern show it. */
function prefixOf(examples: readonly string[], pattern: unknown): string | undefined {
  const inPattern = typeof pattern === 'string' ? /^\^([A-Za-z]{1,20}_)(?![?*+{|])/.exec(pattern)?.[1] : undefined;
  const [first, ...others] = examples.map((one) => PREFIXED.exec(one)?.[1]);
  const prefix = inPattern ?? (first?.endsWith('_') ? first : undefined);
  return prefix !== undefined &&
    others.every((other) => other === prefix) &&
    examples.every((one) => one.startsWith(prefix))
    ? prefix
    : undefined;
}

/** Returns the field that has the name of the parameter, of the resource's identifier, or a usual name. */
function fieldOf({ name }: Plan, fields: Fields, parameter: string | undefined): string | undefined {
  const words = wordsOf(name);
  const last = words.slice(-1);
  const all = [
    parameter,
    'id',
    camel([...words, 'id']),
    [...words, 'id'].join('_'),
    camel([...last, 'id']),
    [...last, 'id'].join('_'),
    ...(parameter === undefined ? [] : [camel(wordsOf(parameter)), wordsOf(parameter).join('_')]),
    'uuid',
    '_id',
    'key',
    'slug',
    'code',
  ];
  const isScalar = (field: string): boolean => {
    const { type, format } = fields[field] ?? {};
    return (
      [type].flat().every((one) => ['string', 'integer', 'number', undefined].includes(one as string)) &&
      format !== 'date-time'
    );
  };
  const usual =
    parameter === undefined ? all.filter((field) => field !== 'slug' && field !== 'code' && field !== 'key') : all;
  return usual.find((field) => field !== undefined && Object.hasOwn(fields, field) && isScalar(field));
}

// The identifiers of a resource's objects: the field that holds them and their form.
import { type IdentityDeclaration, identityPatternError } from '../../access/contracts/index.ts';
import type { Plan } from './plans.ts';
import { convertSchema, type Schema } from './schemas.ts';
import { fieldsOf } from './shapes.ts';
import { camel, wordsOf } from './words.ts';

/** Numbers of identifiers that an app reaches soon. */
const MOST_NUMBERS = 20_000;

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
  const numbers = [schema.examples, ofParameter?.examples]
    .flat()
    .filter((one) => Number.isSafeInteger(one) && Number(one) >= 0);
  if (types.includes('integer') || types.includes('number')) {
    reportLimits(plan, field, schema);
    return { ...shared, form: 'integer', examples: numbers.length > 0 ? numbers.slice(0, 5).map(Number) : [1] };
  }
  const examples = [...textsOf(schema.examples), ...textsOf(ofParameter?.examples)].slice(0, 5);
  if (schema.format === 'uuid' || ofParameter?.format === 'uuid')
    return { ...shared, form: 'uuid', ...withExamples(examples) };
  const prefix = prefixOf(examples, schema.pattern);
  const found = patternOf(plan, field, schema, prefix);
  const pattern = found !== undefined && { pattern: found };
  const isFit = (one: string): boolean => found === undefined || new RegExp(found, 'u').test(one);
  const fitting = examples.filter(isFit);
  if (prefix !== undefined) return { ...shared, form: 'prefixed', prefix, ...pattern, ...withExamples(fitting) };
  const usable = fitting.filter((one) => /^[^\s/?#]{1,200}$/.test(one));
  return { ...shared, form: 'text', ...pattern, ...withExamples(usable) };
}

/** Reports limits that numbers from 1 do not keep. */
function reportLimits(
  plan: Plan,
  field: string | undefined,
  { minimum, maximum, exclusiveMaximum, enum: values }: Schema,
): void {
  const isLow = [maximum, exclusiveMaximum].some((limit) => typeof limit === 'number' && limit < MOST_NUMBERS);
  if (!isLow && !(typeof minimum === 'number' && minimum > 1) && !Array.isArray(values)) return;
  const part = (field === undefined ? undefined : fieldsOf(plan.schema).get(field)) ?? plan.schema;
  part.report('limits the numbers of identifiers. The sandbox counts them from 1 for all objects of an app');
}

/** Returns the pattern, unless the sandbox can make no identifiers of it. */
function patternOf(
  plan: Plan,
  field: string | undefined,
  { pattern, minLength, maxLength }: Schema,
  prefix: string | undefined,
): string | undefined {
  if (typeof pattern !== 'string') return undefined;
  const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
  const limits = { minLength: numberOf(minLength), maxLength: numberOf(maxLength), prefix };
  const error = identityPatternError(pattern, limits);
  if (error === undefined) return pattern;
  const part = (field === undefined ? undefined : fieldsOf(plan.schema).get(field)) ?? plan.schema;
  part.report(`has a pattern of identifiers, which ${error}. The sandbox makes other identifiers`);
  return undefined;
}

const withExamples = (examples: readonly string[]): { examples?: string[] } =>
  examples.length > 0 ? { examples: [...new Set(examples)] } : {};

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

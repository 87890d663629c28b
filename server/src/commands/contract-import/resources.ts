// The declaration of a resource: its fields, identifiers, states, operations and examples.
import {
  canCreate,
  exampleOf,
  fits,
  isWireName,
  jsonBytes,
  OBJECT_LIMITS,
  type ResourceDeclaration,
  resource,
} from '../../access/contracts/index.ts';
import type { TSchema } from '../../kit/http/schema.ts';
import { differencesOf, mergeFields, requiredByAll } from './alternatives.ts';
import { type CollectionRoute, shapeOfRoute } from './collections.ts';
import { isObject } from './document.ts';
import { identityOf } from './identities.ts';
import { type Context, declareOperation, type OperationEffect } from './operations.ts';
import type { Part } from './part.ts';
import { idNameOf, type Plan } from './plans.ts';
import { type Route, type Success, templateOf } from './routes.ts';
import { hasInherited, uniqueValues } from './schema-examples.ts';
import { convertSchema, type Schema } from './schemas.ts';
import { selfFieldOf } from './self-links.ts';
import { fieldsOf } from './shapes.ts';
import { setStates, statesOf } from './states.ts';
import { singular, truncateText, wordsOf } from './words.ts';

/** A resource as data. The name of its parent stands in place of the parent. */
export type ResourceData = Omit<ResourceDeclaration, 'file' | 'parent' | 'present' | 'list' | 'get'> & {
  parentName?: string;
  identity: NonNullable<ResourceDeclaration['identity']>;
};

const MAX_SAMPLES = 10;
const MAX_FIELDS = 300;
/** Rules about several fields that a resource can have. */
const RULES = ['if', 'then', 'else', 'not', 'allOf', 'dependentRequired', 'dependentSchemas'];
/** Rules that it cannot have. */
const OTHER_RULES = ['patternProperties', 'propertyNames', 'minProperties', 'maxProperties'];

/** `actions` are the operations on the resource that are on no collection. */
export function declareResource(plan: Plan, actions: readonly Route[], context: Context): ResourceData {
  const { fields, required, isOpen, alternatives, base: shared, rules } = readFields(plan);
  const identity = identityOf(plan, fields);
  const { field: idField } = identity;
  const own = Object.fromEntries(Object.entries(fields).filter(([name]) => name !== idField));
  const all = [...(idField === undefined ? [] : [idField]), ...Object.keys(own)];
  const optional = all.filter((name) => !required.has(name));
  const differing = differencesOf(alternatives, Object.keys(own), shared);
  const states = statesOf(own);
  if (states) {
    const part = fieldsOf(plan.schema).get(states.field) ?? plan.schema;
    part.report('names states without transitions. In the contract, each state can follow every other one');
  }
  const members = plan.collections.flatMap((one) => one.members);
  const declared = operationsOf(plan, members, actions, context);
  setStates(plan, declared, states);
  const operations = Object.fromEntries(declared.map(({ id, declared: operation }) => [id, operation]));
  const read = Object.values(operations).find(({ method }) => method === 'GET') ?? Object.values(operations)[0];
  const parentField = plan.parent && parentFieldOf(plan.parent, own);
  const selfField = selfFieldOf(plan, own, { parentField, operations: Object.values(operations) });
  const [tag] = members[0]?.route.operation.at('tags')?.items() ?? [];
  const base = {
    name: plan.name,
    kind: plan.kind,
    plural: plan.plural,
    noun: plan.noun,
    description: descriptionOf(plan),
    path: pathOf(plan, context.mount),
    tag: typeof tag?.value === 'string' ? truncateText(tag.value, 60) : plan.plural,
    idPrefix: plan.idPrefix,
    ...(plan.parent && { parentName: plan.parent.name }),
    scope: read?.scopes[0] ?? '',
    origin: Object.values(operations).some(canCreate) ? ('made' as const) : ('seeded' as const),
    identity,
    ...(parentField !== undefined && { parentField }),
    ...(selfField !== undefined && { selfField }),
    fields: own as Record<string, TSchema>, // plain JSON Schema, which is what TypeBox compiles
    ...(optional.length > 0 && { optional }),
    ...(isOpen && { open: true as const }),
    ...(differing.length > 0 && { alternatives: differing as Alternatives }), // as `fields`
    ...(states && {
      stateField: states.field,
      states: Object.fromEntries(states.names.map((name) => [name, states.names.filter((other) => other !== name)])),
    }),
    operations,
    events: {},
  };
  const routes = members.map(({ route }) => route);
  return withRules(plan, base, rules, (one) => ({ ...one, ...examplesFor(one, routes, plan.schema) }));
}

type WithoutExamples = Omit<ResourceData, 'example' | 'samples'>;

/** Adds the rules about several fields if an example that keeps them was found. */
function withRules(
  { schema: part }: Plan,
  base: WithoutExamples,
  rules: Schema,
  complete: (one: WithoutExamples) => ResourceData,
): ResourceData {
  const names = Object.keys(rules);
  if (names.length === 0) return complete(base);
  const whole = complete({ ...base, rules: rules as TSchema }); // plain JSON Schema
  if (Object.keys(whole.example).length > 0) return whole;
  part.report(`has rules (${names.join(', ')}) for which no example was found. The contract leaves them out`);
  return complete(base);
}

const descriptionOf = ({ schema, name }: Plan): string =>
  schema.shortText('description') ?? schema.shortText('title') ?? `The resource ${name}.`;

function pathOf(plan: Plan, mount: string): string {
  const names = plan.collections[0]?.segments.filter(({ isParameter }) => !isParameter) ?? [];
  const last = (names.at(-1)?.name ?? plan.plural).replace(':', '-');
  return plan.parent
    ? last
    : names.length === 1
      ? `${/^(?:events|me|leaked-keys)$/i.test(last) ? `${mount}-` : ''}${last}`
      : `${names[0]?.name}-${last}`;
}

interface ReadFields {
  fields: Record<string, Schema>;
  required: Set<string>;
  isOpen: boolean;
  alternatives: Schema[];
  /** The fields that the schema has next to its alternatives. */
  base: Record<string, Schema>;
  /** The rules about several fields. */
  rules: Schema;
}

type Alternatives = NonNullable<ResourceDeclaration['alternatives']>;

function readFields({ schema: part, name }: Plan): ReadFields {
  const schema = convertSchema(part, 'response');
  const alternatives = [schema.oneOf, schema.anyOf].flatMap((list) =>
    Array.isArray(list) ? list.map((one) => Object(one)) : [],
  );
  if (alternatives.length > 0) part.report(`has alternatives. A ${name} of the contract has the fields of all of them`);
  const base: Record<string, Schema> = Object(schema.properties);
  const properties = mergeFields(base, alternatives);
  const requiredFields = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const required = new Set<string>([...requiredFields, ...requiredByAll(alternatives)]);
  const lost = OTHER_RULES.filter((rule) => schema[rule] !== undefined);
  if (isObject(schema.additionalProperties)) lost.push('additionalProperties');
  if (lost.length > 0)
    part.report(`has the rule ${lost.join(', ')} about its fields, which the contract does not check`);
  let isOpen = schema.additionalProperties !== false || alternatives.length > 0 || lost.includes('patternProperties');
  const parts = fieldsOf(part);
  const fields: Record<string, Schema> = {};
  for (const [field, given] of Object.entries(properties)) {
    const where = parts.get(field) ?? part;
    if (!isWireName(field) || Object.keys(fields).length >= MAX_FIELDS) {
      where.report(
        isWireName(field)
          ? `is one of more than ${MAX_FIELDS} fields. The contract leaves it out`
          : 'has a name that the contract cannot express. The contract leaves the field out',
      );
      isOpen = true;
      continue;
    }
    const hasExample = exampleOf(given) !== undefined;
    if (!hasExample) where.report('has no example that fits its schema. The contract accepts any value of this field');
    fields[field] = hasExample
      ? given
      : { ...(typeof given.description === 'string' && { description: given.description }) };
  }
  const kept = Object.entries(schema).filter(([keyword]) => RULES.includes(keyword));
  return { fields, required, isOpen, alternatives, base, rules: Object.fromEntries(kept) };
}

function parentFieldOf(parent: Plan, fields: Readonly<Record<string, Schema>>): string | undefined {
  const words = wordsOf(idNameOf(parent)).join('');
  const last = wordsOf(parent.name).at(-1) ?? '';
  const field = Object.keys(fields).find((one) => [words, `${last}id`].includes(wordsOf(one).join('')));
  return field ?? fieldOfParameter(parent, fields);
}

/**
 * Returns the field with the name of the parameter that identifies the parent, such as `org` below `/orgs/{org}`, if the
 * parameter is named after the parent and both have the same form. A parameter such as `name` can be about any object.
 */
function fieldOfParameter({ name, collections }: Plan, fields: Readonly<Record<string, Schema>>): string | undefined {
  const { parameter, segments = [] } = collections.find((one) => one.parameter) ?? {};
  const words = wordsOf(parameter?.name ?? '').join('');
  const segment = segments.findLast(({ isParameter }) => !isParameter)?.name ?? '';
  const own = wordsOf(name);
  const nouns = [own.join(''), own.at(-1) ?? '', wordsOf(segment).map(singular).join('')];
  if (!parameter?.schema || !nouns.some((noun) => noun !== '' && words.startsWith(noun))) return undefined;
  const { type, format } = convertSchema(parameter.schema, 'request');
  const isOfForm = (one: Schema | undefined): boolean =>
    one?.format === format && [one?.type].flat().includes(type) && (type === 'string' || type === 'integer');
  return Object.keys(fields).find((one) => wordsOf(one).join('') === words && isOfForm(fields[one]));
}

const ITEM_EFFECTS: Record<string, OperationEffect> = { GET: 'get', PUT: 'replace', PATCH: 'update', DELETE: 'delete' };

/** Returns whether an operation has the path of an object, such as `POST /orders/{orderId}`. */
const isOnObject = ({ collections }: Plan, { segments }: Route): boolean =>
  segments.at(-1)?.isParameter === true &&
  collections.some(({ template }) => template === templateOf(segments.slice(0, -1)));

function operationsOf(plan: Plan, members: readonly CollectionRoute[], actions: readonly Route[], context: Context) {
  const given = [
    ...members.map(({ route, role }) => ({
      route,
      effect: role === 'item' ? (ITEM_EFFECTS[route.method] ?? 'action') : role,
    })),
    ...actions.map((route) => ({
      route,
      effect: isOnObject(plan, route) ? ('update' as const) : ('action' as const),
    })),
  ];
  const isMade = given.some(({ effect }) => effect === 'create');
  return given.flatMap(({ route, effect }) => {
    const creation = effect === 'replace' ? creationOf(plan, route, isMade) : undefined;
    return declareOperation(plan, route, effect, context, creation) ?? [];
  });
}

/**
 * Returns the response of a PUT that creates an object: the declared 201, otherwise that of the replacement if no other
 * operation creates objects. If the resource has no parent, a declared 404 means that the PUT requires the object.
 */
function creationOf(plan: Plan, { operation, success, created }: Route, isMade: boolean): Success | undefined {
  if (created || isMade || (!plan.parent && operation.at('responses')?.own('404'))) return created;
  operation.report(
    `creates objects in the contract, because no other operation creates a ${plan.name}. If the operation only replaces objects, remove \`creates\` in the module of ${plan.name}`,
  );
  return success;
}

/** Returns the examples of responses and of the schema that fit, or an example that is made of the schema. */
function examplesFor(
  base: WithoutExamples,
  routes: readonly Route[],
  part: Part,
): Pick<ResourceData, 'example' | 'samples'> {
  const { parentName: _, ...declaration } = base;
  const { schema } = resource<ResourceDeclaration>({ ...declaration, file: 'file:///import', example: {} });
  const found = routes.flatMap((route) => examplesIn(route)).filter(({ value }) => !hasInherited(value));
  const fitting = found.filter(({ value, report }) => {
    const isSmall = jsonBytes(value) <= OBJECT_LIMITS.objectBytes;
    const isFit = isSmall && fits(schema, value);
    const reason = isSmall ? `does not fit ${base.name}` : `has more than ${OBJECT_LIMITS.objectBytes} bytes`;
    if (!isFit) report(`is an example that ${reason}. The contract leaves it out`);
    return isFit;
  });
  // The examples of the schema fit the component. A resource can be stricter, because it leaves out fields.
  const { examples = [] } = convertSchema(part, 'response');
  const ofSchema = [examples].flat().filter((value) => fits(schema, value));
  const [example, ...samples] = uniqueValues([...fitting.map(({ value }) => value), ...ofSchema])
    .slice(0, MAX_SAMPLES + 1)
    .map(Object);
  if (example) return { example, ...(samples.length > 0 && { samples }) };
  const made = exampleOf(JSON.parse(JSON.stringify(schema)));
  return { example: typeof made === 'object' && made !== null ? made : {} };
}

function examplesIn(route: Route): { value: unknown; report(reason: string): void }[] {
  const shape = shapeOfRoute(route);
  if (!shape || shape.of === 'value') return [];
  const { examples } = route.success.schema ? route.success : (route.created ?? route.success);
  return examples.flatMap((part) => {
    const inner = (shape.in?.split('.') ?? []).reduce<Part | undefined>((one, field) => one?.own(field), part);
    const parts = shape.of === 'list' ? (inner?.items() ?? []) : [inner];
    return parts.flatMap((one) => (one ? [{ value: one.value, report: (reason: string) => one.report(reason) }] : []));
  });
}

// The values of an object after a change: those of the caller, of the contract's handlers and of the sandbox. Pure.
import {
  type AnyResource,
  drawField,
  jsonBytes,
  OBJECT_LIMITS,
  type ObjectChange,
  type OperationDeclaration,
  objectSchemaOf,
} from '../../access/contracts/index.ts';
import { schemaErrors, type TSchema } from '../../kit/http/schema.ts';
import { type InvalidPart, problem } from '../../kit/openapi/problems.ts';
import {
  type Fields,
  fieldNamesOf,
  idFieldOf,
  idOfKey,
  objectReader,
  type StoredObject,
  stateOf,
} from '../objects/index.ts';
import { withAlternative } from './alternative-fields.ts';
import { completeValue } from './complete-value.ts';
import { withRules } from './object-rules.ts';

/** The values of an object that are stored. */
type ObjectValues = Pick<StoredObject, 'key' | 'data' | 'hidden'>;

const CREATION_TIME = /^(?:created|creation)(?:_?(?:at|on|date|time))?$/i;
const CHANGE_TIME = /^(?:updated|modified|last_?(?:updated|modified))(?:_?(?:at|on|date|time))?$/i;

/** Returns the given values that belong to an object of the resource, without its identifier. */
export function ownFields(resource: AnyResource, given: Fields): Fields {
  const known = new Set(fieldNamesOf(resource));
  const idField = idFieldOf(resource);
  const isHidden = (name: string): boolean => Object.hasOwn(resource.hidden ?? {}, name);
  const isOwn = (name: string): boolean =>
    name !== idField && (known.has(name) || (resource.open === true && !isHidden(name)));
  return Object.fromEntries(Object.entries(given).filter(([name]) => isOwn(name)));
}

/** Returns the names of the fields that a schema describes, and whether a request may set each of them. */
function describedFields(schema: unknown): [name: string, isSettable: boolean][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, allOf, oneOf, anyOf, then, else: otherwise }: Record<string, unknown> = { ...schema };
  const own = Object.entries(Object(properties)).map(([name, field]): [string, boolean] => [
    name,
    Reflect.get(Object(field), 'readOnly') !== true,
  ]);
  const inner = [allOf, oneOf, anyOf].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
  return [...own, ...[...inner, then, otherwise].flatMap(describedFields)];
}

const described = new WeakMap<OperationDeclaration, ReadonlyMap<string, boolean>>();

/** Returns the names of the fields that the body of an operation declares, and whether a request may set each of them. */
function bodyFieldsOf(declared: OperationDeclaration): ReadonlyMap<string, boolean> {
  const known = described.get(declared) ?? new Map(describedFields(objectSchemaOf(declared)));
  described.set(declared, known);
  return known;
}

/**
 * Returns the values of a body that belong to the object. The server sets identifiers of parents. It also sets the state,
 * the times and fields that are `readOnly`, unless the declaration of the body has the field without `readOnly`. The body of
 * an action can contain further values, such as a reason, which describe the action and not the object.
 */
export function givenFields(resource: AnyResource, declared: OperationDeclaration, body: Fields): Fields {
  const { identity, fields, states, stateField = 'status' } = resource;
  const inBody = bodyFieldsOf(declared);
  const isOfServer = (name: string): boolean =>
    (states !== undefined && name === stateField) ||
    isTime(resource, CREATION_TIME, name) ||
    isTime(resource, CHANGE_TIME, name) ||
    Reflect.get(Object(fields[name]), 'readOnly') === true;
  const isGiven = (name: string): boolean =>
    (declared.effect !== 'action' || Object.hasOwn(fields, name)) &&
    (identity !== undefined || !isIdName(resource.parent, name)) &&
    (inBody.get(name) ?? !isOfServer(name));
  return Object.fromEntries(Object.entries(ownFields(resource, body)).filter(([name]) => isGiven(name)));
}

function isTime({ fields }: AnyResource, form: RegExp, name: string): boolean {
  const format: unknown = Object.hasOwn(fields, name) ? Reflect.get(Object(fields[name]), 'format') : undefined;
  return form.test(name) && (format === 'date-time' || format === 'date');
}

/** Returns true for a field that no trigger sets: identifiers of the object and its parents, the state, and times. */
export function isSetByPlatform(resource: AnyResource, name: string): boolean {
  const { identity, parent, parentField, states, stateField = 'status' } = resource;
  return (
    name === idFieldOf(resource) ||
    name === parentField ||
    (identity === undefined && isIdName(parent, name)) ||
    (states !== undefined && name === stateField) ||
    isTime(resource, CREATION_TIME, name) ||
    isTime(resource, CHANGE_TIME, name)
  );
}

/** Returns the times that a change sets, in the formats of their fields. */
function timesOf(resource: AnyResource, form: RegExp, now: Date): Fields {
  const times = Object.entries(resource.fields)
    .filter(([field]) => isTime(resource, form, field))
    .map(([field, schema]) => [
      field,
      Reflect.get(schema, 'format') === 'date' ? now.toISOString().slice(0, 10) : now.toISOString(),
    ]);
  return Object.fromEntries(times);
}

/** Returns the times of a new object. */
export const createdTimes = (resource: AnyResource, now: Date): Fields => ({
  ...timesOf(resource, CREATION_TIME, now),
  ...timesOf(resource, CHANGE_TIME, now),
});

/**
 * Returns the fields of a new object. Fields that nothing sets get the default of their schema. Other required fields get
 * values from the schema, derived from `origin`, or from the example.
 */
export function newFields(
  resource: AnyResource,
  given: Fields,
  { now, origin }: { now: Date; origin: string },
): Fields {
  const { fields, optional = [], states = {}, stateField = 'status', defaults } = resource;
  const preset: unknown = Reflect.get(Object(fields[stateField]), 'default');
  const [firstState] = Object.keys(states).toSorted((a, b) => Number(b === preset) - Number(a === preset));
  const values: Record<string, unknown> = {
    ...createdTimes(resource, now),
    ...(firstState !== undefined && { [stateField]: firstState }),
    ...defaults,
    ...completed(resource, given, {}, origin),
  };
  for (const [field, schema] of Object.entries(fields)) {
    if (Object.hasOwn(values, field)) continue;
    const standard: unknown = Reflect.get(schema, 'default');
    if (standard !== undefined) values[field] = structuredClone(standard);
    else if (!optional.includes(field))
      values[field] = drawField(resource, field, origin) ?? exampleField(resource, field);
  }
  return withRules(resource, withAlternative(resource, values, given, origin), given);
}

/** Returns the fields with the objects inside completed. */
const completed = ({ fields }: AnyResource, given: Fields, before: Fields, origin: string): Fields =>
  Object.fromEntries(
    Object.entries(given).map(([field, value]) => [
      field,
      Object.hasOwn(fields, field) ? completeValue(fields[field], value, before[field], `${origin}/${field}`) : value,
    ]),
  );

/** Returns the value of the example, which fits; null for a field that the example lacks. */
const exampleField = ({ example }: AnyResource, field: string): unknown =>
  Object.hasOwn(example, field) ? Reflect.get(example, field) : null;

/** Returns the fields of an object after the caller has set some. Undefined, or null in a field that cannot be null, removes it. */
export function changedFields(resource: AnyResource, before: Fields, given: Fields, now: Date, origin = ''): Fields {
  const { fields, optional = [] } = resource;
  const isRemoval = (field: string, value: unknown): boolean =>
    value === undefined ||
    (value === null && optional.includes(field) && schemaErrors(fields[field] ?? ({} as TSchema), null).length > 0); // any value fits an unknown field
  const all = { ...before, ...timesOf(resource, CHANGE_TIME, now), ...completed(resource, given, before, origin) };
  return Object.fromEntries(Object.entries(all).filter(([field, value]) => !isRemoval(field, value)));
}

/** Returns the fields that a replacement keeps: the state, and those that its body cannot set. */
function keptFields({ stateField = 'status' }: AnyResource, declared: OperationDeclaration, before: Fields): Fields {
  const inBody = bodyFieldsOf(declared);
  const isKept = (field: string): boolean => field === stateField || inBody.get(field) !== true;
  return Object.fromEntries(Object.entries(before).filter(([field]) => isKept(field)));
}

/** Returns the fields of an object that a body replaces. */
export function replacedFields(
  resource: AnyResource,
  declared: OperationDeclaration,
  before: Fields,
  given: Fields,
  source: { now: Date; origin: string },
): Fields {
  const kept = { ...keptFields(resource, declared, before), ...timesOf(resource, CHANGE_TIME, source.now) };
  return newFields(resource, { ...kept, ...completed(resource, given, before, source.origin) }, source);
}

/** Returns where the object does not fit the schema of its resource or the limit of its size. */
export function invalidParts(resource: AnyResource, { key, data, hidden }: ObjectValues): InvalidPart[] {
  const object = objectReader(resource)({ key, data });
  const { objectBytes } = OBJECT_LIMITS;
  if (jsonBytes({ ...object, ...hidden }) > objectBytes)
    return [{ pointer: '', detail: `must make an object of at most ${objectBytes} bytes as JSON` }];
  return schemaErrors(resource.schema, object);
}

/**
 * Throws invalid_request unless the object fits the schema of its resource and the limit of its size. `at` is the JSON Pointer
 * of the object in the body.
 */
export function requireValid(resource: AnyResource, values: ObjectValues, at = ''): void {
  const errors = invalidParts(resource, values).map((one) => ({ ...one, pointer: at + one.pointer }));
  if (errors.length > 0) throw problem('invalid_request', { errors });
}

/** Throws conflict if the contract does not allow the state to follow. `required` is a state that must be entered. */
export function requireTransition(
  resource: AnyResource,
  before: Fields,
  after: Fields,
  required: string | undefined,
): void {
  const [from, to] = [stateOf(resource, before), stateOf(resource, after)];
  if (from === null || to === null || (from === to && required === undefined)) return;
  const following = resource.states?.[from] ?? [];
  if (following.includes(to)) return;
  const rest = following.length === 0 ? 'No state follows.' : `The states that can follow are ${following.join(', ')}.`;
  throw problem('conflict', { detail: `The ${resource.noun} is ${from}, and cannot become ${to}. ${rest}` });
}

/** Returns the fields with the identifiers of the parents. */
export function parentFields(resource: AnyResource, row: { key: string; data: Fields } | undefined): Fields {
  const { identity, parent, parentField } = resource;
  if (!parent || !row) return {};
  const id = idOfKey(parent, row.key);
  if (identity) return { ...sharedFields(resource, row.data), ...(parentField !== undefined && { [parentField]: id }) };
  const above = Object.entries(row.data).filter(([name]) => isIdName(parent.parent, name));
  return { [parent.idName]: id, ...Object.fromEntries(above) };
}

/** Returns the identifiers in the parent's fields for which an object has a field of the same name that accepts them. */
function sharedFields({ fields, parent }: AnyResource, data: Fields): Fields {
  const shared: Record<string, unknown> = {};
  for (let one = parent; one?.parent; one = one.parent) {
    const { parentField: name } = one;
    if (name === undefined || !Object.hasOwn(fields, name) || !Object.hasOwn(data, name)) continue;
    const schema = fields[name];
    if (schema && schemaErrors(schema, data[name]).length === 0) shared[name] = data[name];
  }
  return shared;
}

function isIdName(resource: AnyResource | undefined, name: string): boolean {
  return resource !== undefined && (resource.idName === name || isIdName(resource.parent, name));
}

/** Returns the delay until `onDue` decides about an object, within the limits; null for never. */
export function dueInMsOf(decision: ObjectChange | undefined): number | null {
  const delayMs: unknown = decision?.dueInMs;
  const isDelay = typeof delayMs === 'number' && !Number.isNaN(delayMs);
  return isDelay ? Math.min(Math.max(delayMs, 0), OBJECT_LIMITS.dueInMs) : null;
}

/** Returns the fields and the hidden fields with the values that a handler has set. */
export function withDecision(
  { hidden: declared = {} }: AnyResource,
  data: Fields,
  hidden: Fields,
  decision: ObjectChange | undefined,
): { data: Fields; hidden: Fields } {
  const set = Object.entries(decision?.set ?? {});
  const isHidden = ([name]: readonly [string, unknown]): boolean => Object.hasOwn(declared, name);
  return {
    data: { ...data, ...Object.fromEntries(set.filter((one) => !isHidden(one))) },
    hidden: { ...hidden, ...Object.fromEntries(set.filter(isHidden)) },
  };
}

type ChangeKind = 'creates' | 'changes' | 'deletes';

/** Returns the types of the events that a change emits. `entered` is the state that it leads to. */
export function eventTypesOf({ events }: AnyResource, kind: ChangeKind, entered: string | null): string[] {
  const entering = Object.entries(events).filter(([, event]) => entered !== null && event.entering === entered);
  const ofKind = Object.entries(events).filter(([, event]) => event[kind] && event.entering === undefined);
  // The event of a state replaces the event of any change.
  const reported = kind === 'changes' && entering.length > 0 ? [] : ofKind;
  return [...reported, ...entering].map(([type]) => type);
}

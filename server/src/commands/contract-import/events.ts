// The events of a contract, from the webhooks of a document.
import { type EventDeclaration, type OperationDeclaration, objectSchemaOf } from '../../access/contracts/index.ts';
import type { Part } from './part.ts';
import type { Plan } from './plans.ts';
import { componentPointer, fieldsOf } from './shapes.ts';
import { type States, stateAfter } from './states.ts';
import { snake, wordsOf } from './words.ts';

interface ImportedEvent {
  plan: Plan;
  type: string;
  event: EventDeclaration;
}

const TYPE = /^[a-z][a-z_]{0,29}\.[a-z][a-z_]{0,29}$/;
const MAX_LEVELS = 3;

interface EventSubjects {
  /** Returns the states of a resource, if it has some. */
  statesOf(plan: Plan): States | undefined;
  operationsOf(plan: Plan): readonly OperationDeclaration[];
}

export function readEvents(
  root: Part,
  plans: readonly Plan[],
  { statesOf, operationsOf }: EventSubjects,
): ImportedEvent[] {
  const webhooks = [root.at('webhooks'), root.at('x-webhooks')].flatMap((part) => part?.entries() ?? []);
  const types = new Set<string>();
  // A component identifies one resource, but an object without a component has the pointer of its own schema.
  const byComponent = new Map(plans.toReversed().map((plan) => [componentPointer(plan.schema), plan]));
  return webhooks.flatMap(([name, given]) => {
    const operation = given.target()?.at('post');
    if (!operation) {
      given.report('is a webhook without POST. The contract leaves it out');
      return [];
    }
    const found = subjectOf(operation, name, plans, byComponent);
    if (!found) {
      operation.report('is a webhook about no resource of the contract. The contract leaves it out');
      return [];
    }
    const { plan, isWhole } = found;
    const type = typeFor(name, plan);
    if (types.has(type) || type.startsWith('installation.')) {
      operation.report(`has a name like another event (${type}). The contract leaves it out`);
      return [];
    }
    types.add(type);
    if (type !== name) operation.report(`is the event ${type} in the contract`);
    if (!isWhole)
      operation.report(`has a payload of its own. The data of the event is a ${plan.name}, in the platform’s envelope`);
    const emission = emissionOf(type, statesOf(plan), operationsOf(plan));
    if (Object.keys(emission.event).length === 0)
      operation.report(
        `names no change of ${plan.name} that the contract knows. Only a trigger emits the event. To emit it with a change, set \`creates\`, \`changes\`, \`deletes\` or \`entering\` in the module of ${plan.name}`,
      );
    else if (!emission.isEmitted)
      operation.report('names a change that no operation of the contract makes. Only a trigger emits the event');
    const meaning =
      operation.shortText('summary', 500) ?? operation.shortText('description', 500) ?? `The event ${type}.`;
    return [{ plan, type, event: { meaning, ...emission.event } }];
  });
}

const CHANGES = {
  creates: /(?:^|_)(?:created|added)$|(?:^|_)new(?:_|$)/,
  changes: /(?:^|_)(?:updated|changed|modified|edited)$/,
  deletes: /(?:^|_)(?:deleted|removed)$/,
} as const;

type Change = keyof typeof CHANGES;

const EFFECTS: Record<Change, readonly OperationDeclaration['effect'][]> = {
  creates: ['create'],
  changes: ['update', 'replace', 'action'],
  deletes: ['delete'],
};

/** Returns the change that emits an event of this type, and whether an operation makes the change. */
function emissionOf(
  type: string,
  states: States | undefined,
  operations: readonly OperationDeclaration[],
): { event: Omit<EventDeclaration, 'meaning'>; isEmitted: boolean } {
  const change = changeOf(type);
  const state = states && stateAfter(type.split('.')[1] ?? '', states);
  const isMade = (one: Change): boolean =>
    operations.some(
      ({ effect, method, creates }) =>
        method !== 'GET' && (EFFECTS[one].includes(effect) || (one === 'creates' && creates !== undefined)),
    );
  // Each new object has the first state. An object that returns to this state later is not created again.
  const isCreation = change === 'creates' && isMade(change) && state === states?.names[0];
  // A deletion enters no state, unless it keeps the object.
  const isDeletion = change === 'deletes' && isMade(change) && !operations.some(({ becomes }) => becomes === state);
  if (states && state !== undefined && !isCreation && !isDeletion)
    return { event: { entering: state }, isEmitted: operations.some((one) => canEnter(one, state, states)) };
  if (!change || (change === 'creates' && !isMade(change))) return { event: {}, isEmitted: false };
  return { event: { [change]: true as const }, isEmitted: isMade(change) };
}

/** Returns whether an operation leads to a state: its own, the first one of new objects, or one that its body names. */
function canEnter(operation: OperationDeclaration, state: string, { field, names }: States): boolean {
  const { effect, method, becomes } = operation;
  if (method === 'GET' || effect === 'delete') return false;
  if (becomes !== undefined) return becomes === state;
  const inBody: unknown = Reflect.get(Object(Reflect.get(Object(objectSchemaOf(operation)), 'properties')), field);
  const isGiven = inBody !== undefined && Reflect.get(Object(inBody), 'readOnly') !== true;
  return isGiven || (effect === 'create' && state === names[0]);
}

/** Returns the change that the words of a type name. */
function changeOf(type: string): Change | undefined {
  const names = Object.keys(CHANGES) as Change[]; // Object.keys loses the literal types
  return names.find((name) => CHANGES[name].test(type.split('.')[1] ?? ''));
}

/** Returns the resource that the payload contains, or that the name begins with. */
function subjectOf(
  operation: Part,
  name: string,
  plans: readonly Plan[],
  byComponent: ReadonlyMap<string, Plan>,
): { plan: Plan; isWhole: boolean } | undefined {
  const content = operation.at('requestBody', 'content')?.entries() ?? [];
  const payload = content.find(([type]) => /json/i.test(type))?.[1].at('schema');
  const whole = payload && byComponent.get(componentPointer(payload));
  if (whole) return { plan: whole, isWhole: true };
  const inside = payload && findInside(payload, byComponent);
  if (inside) return { plan: inside, isWhole: false };
  const words = `_${wordsOf(name).join('_')}_`;
  const named = plans
    .filter(({ name: own }) => words.includes(`_${wordsOf(own).join('_')}_`))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  return named && { plan: named, isWhole: false };
}

/** `seen` are the schemas that were read before, because a schema can contain itself in each of its fields. */
function findInside(
  payload: Part,
  byComponent: ReadonlyMap<string, Plan>,
  level = 0,
  seen: Set<unknown> = new Set(),
): Plan | undefined {
  if (level === MAX_LEVELS || seen.has(payload.value)) return undefined;
  seen.add(payload.value);
  const fields = [...fieldsOf(payload).values()].flatMap((field) => field.target() ?? []);
  for (const field of fields) {
    const direct = byComponent.get(componentPointer(field));
    if (direct) return direct;
  }
  for (const field of fields) {
    const found = findInside(field, byComponent, level + 1, seen);
    if (found) return found;
  }
  return undefined;
}

/** Returns a type such as `order.shipped`. The words of the resource are left out of the second part. */
function typeFor(name: string, plan: Plan): string {
  if (TYPE.test(name)) return name;
  const own = new Set(wordsOf(plan.name));
  const words = wordsOf(name);
  const rest = words.filter((word) => !own.has(word) && !own.has(word.replace(/s$/, '')));
  const action = snake(rest.length > 0 ? rest : words).replace(/^[^a-z]+/, '');
  return `${plan.kind}.${action || 'changed'}`;
}

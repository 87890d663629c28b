// The states of a resource, and the state that an operation or an event leads to. A document names states, but no
// transitions.
import { isInherited } from '../../access/contracts/index.ts';
import type { ImportedOperation } from './operations.ts';
import type { Plan } from './plans.ts';
import type { Schema } from './schemas.ts';
import { wordsOf } from './words.ts';

export interface States {
  field: string;
  names: readonly string[];
}

const MAX_STATES = 50;
const USUAL = ['status', 'state'];

export function statesOf(fields: Readonly<Record<string, Schema>>): States | undefined {
  const named = Object.keys(fields).filter((field) => USUAL.includes(wordsOf(field).at(-1) ?? ''));
  const sorted = named.toSorted((a, b) => wordsOf(a).length - wordsOf(b).length);
  for (const field of sorted) {
    const { type, enum: values } = fields[field] ?? {};
    if (type !== 'string' || !Array.isArray(values) || values.length > MAX_STATES) continue;
    const names = values.filter((value): value is string => typeof value === 'string');
    // The order of the keys of an object is that of the values, except for numbers.
    const isUsable = names.length === values.length && new Set(names).size === names.length;
    if (isUsable && !names.some((name) => isInherited(name) || /^\d+$/.test(name))) return { field, names };
  }
  return undefined;
}

/** Returns the state whose name is the past participle of a verb: `cancelled` for `cancel`, `shipped` for `ship`. */
export function stateAfter(verb: string, { names }: States): string | undefined {
  const [word = ''] = wordsOf(verb);
  if (word.length < 3) return undefined;
  const stem = word.replace(/e$/, '').replace(/y$/, 'i');
  const form = new RegExp(`^${stem}${stem.at(-1)}?e?d$`);
  return names.find((name) => name.toLowerCase() === verb.toLowerCase() || form.test(name.toLowerCase()));
}

const RESTORING_VERBS = /^(?:restore|undelete|recover)$/i;

const verbOf = ({ path }: ImportedOperation['declared']): string => path.split('/').at(-1) ?? '';

/**
 * Sets the states that operations lead to. A deletion that leads to a state, such as `deleted`, keeps the object if its
 * response contains the object or if an operation restores it. Reports operations whose state the document does not name.
 */
export function setStates(
  { name }: Pick<Plan, 'name'>,
  operations: readonly ImportedOperation[],
  states: States | undefined,
): void {
  const isAction = ({ declared: { effect, method } }: ImportedOperation): boolean =>
    effect === 'action' && method !== 'GET';
  const restoring = operations.filter((one) => isAction(one) && RESTORING_VERBS.test(verbOf(one.declared)));
  const deletions = operations.filter(({ declared }) => declared.effect === 'delete');
  const deleted = states && stateAfter('delete', states);
  for (const { declared, part } of deletions) {
    if (deleted === undefined || (declared.content.of !== 'object' && restoring.length === 0)) continue;
    Object.assign(declared, { effect: 'action', becomes: deleted });
    part.report(`leads to the state ${deleted}. The contract declares an action, which keeps the object`);
  }
  const isKept = deletions.some(({ declared }) => declared.effect === 'action');
  for (const { part } of deletions.length > 0 && !isKept ? restoring : [])
    part.report('restores a deleted object. The sandbox does not keep deleted objects, so it answers 404');
  for (const one of states ? operations : []) {
    const { declared, part } = one;
    if (!isAction(one) || declared.becomes !== undefined) continue;
    const state = states && stateAfter(verbOf(declared), states);
    // `DELETE /members/{memberId}/ban` reverses the POST. The document does not name the state that follows.
    const isReversal = declared.method === 'DELETE';
    if (state !== undefined && !isReversal) declared.becomes = state;
    else if (isReversal ? state !== undefined : declared.content.of === 'object')
      part.report(
        `is an action whose next state the document does not name. The contract keeps the state. To change it, set \`becomes\` in the module of ${name}`,
      );
  }
}

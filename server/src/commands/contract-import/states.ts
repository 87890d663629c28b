// The states of a resource, and the state that an operation or an event leads to. A document names states, but no
// transitions.
import { isInherited } from '../../access/contracts/index.ts';
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

// What of one JSON is another in a second, as JSON Pointers (RFC 6901). Pure.
import { escapePointer } from '../../kit/text/json-pointer.ts';

export interface Difference {
  added: string[];
  removed: string[];
  changed: string[];
}

type Holder = Readonly<Record<string, unknown>>;

/** Objects by their names, lists by their places; both of the same kind, or they are compared as a whole. */
function insideOf(value: unknown): { isList: boolean; inside: Holder } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return { isList: Array.isArray(value), inside: { ...value } };
}

/** What was added or removed is named where it begins, and nothing inside it. */
export function differenceOf(before: unknown, after: unknown): Difference {
  const found: Difference = { added: [], removed: [], changed: [] };
  const compare = (was: unknown, is: unknown, at: string): void => {
    const [old, present] = [insideOf(was), insideOf(is)];
    if (!old || !present || old.isList !== present.isList) {
      if (was !== is) found.changed.push(at);
      return;
    }
    for (const [name, value] of Object.entries(old.inside)) {
      const inside = `${at}/${escapePointer(name)}`;
      if (Object.hasOwn(present.inside, name)) compare(value, present.inside[name], inside);
      else found.removed.push(inside);
    }
    for (const name of Object.keys(present.inside)) {
      if (!Object.hasOwn(old.inside, name)) found.added.push(`${at}/${escapePointer(name)}`);
    }
  };
  compare(before, after, '');
  return found;
}

// Compares two JSON values and returns the differences as JSON Pointers (RFC 6901). Pure.
import { escapePointer } from '../../kit/text/json-pointer.ts';

interface Difference {
  added: string[];
  removed: string[];
  changed: string[];
}

type JsonMembers = Readonly<Record<string, unknown>>;

/** Returns the members of an object by name, or of a list by index; undefined for any other value. */
function membersOf(value: unknown): { isList: boolean; inside: JsonMembers } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return { isList: Array.isArray(value), inside: { ...value } };
}

/**
 * Returns the differences. An added or removed value is named by its root, not by its members. Values of different
 * kinds count as changed.
 */
export function compareJson(before: unknown, after: unknown): Difference {
  const found: Difference = { added: [], removed: [], changed: [] };
  const compare = (was: unknown, is: unknown, at: string): void => {
    const [membersBefore, membersAfter] = [membersOf(was), membersOf(is)];
    if (!membersBefore || !membersAfter || membersBefore.isList !== membersAfter.isList) {
      if (was !== is) found.changed.push(at);
      return;
    }
    for (const [name, value] of Object.entries(membersBefore.inside)) {
      const inside = `${at}/${escapePointer(name)}`;
      if (Object.hasOwn(membersAfter.inside, name)) compare(value, membersAfter.inside[name], inside);
      else found.removed.push(inside);
    }
    for (const name of Object.keys(membersAfter.inside)) {
      if (!Object.hasOwn(membersBefore.inside, name)) found.added.push(`${at}/${escapePointer(name)}`);
    }
  };
  compare(before, after, '');
  return found;
}

// The rules of plain English that a machine can check, for documents, comments, test titles, help and the contract's
// text.

export interface Rule {
  /** The message next to a match. */
  name: string;
  pattern: RegExp;
}

// A sentence begins at the start of a text, after a full stop, and after a list's bullet or a table's bar.
const START = String.raw`(?:^|[.!?:]\s+|\n\s*(?:[-*|>]|\d+\.)\s+|\n\n)`;

/** Each pattern has the flag g, and other flags as needed. A match is one fault. */
export const RULES: readonly Rule[] = [
  {
    name: 'sentence begins with Of, Who, Whoever or Whether',
    pattern: new RegExp(`${START}(?:Of|Who|Whoever|Whether)\\b(?![^.!?\\n]*\\?)`, 'gu'),
  },
  { name: 'sentence begins with What as a noun', pattern: new RegExp(`${START}What\\b(?![^.!?\\n]*\\?)`, 'gu') },
  {
    name: 'whoever, whatever, of what, to whom',
    pattern: /\b(?:whoever|whomever|of what|of which one|to whom|of whom)\b/giu,
  },
  { name: 'one that, what is', pattern: /\b(?:one that|what is|what was|what are|who is)\b(?![^.!?\n]*\?)/giu },
  { name: 'nobody, somebody, everybody', pattern: /\b(?:nobody|somebody|everybody|anybody)(?:’s|'s)?\b/giu },
  {
    name: 'a banned word',
    pattern:
      /\b(?:anew|besides|beside|mend|mends|mended|mending|tell of|tells of|told of|told|thereby|shall|as it stands|how-manieth|the one before)\b/giu,
  },
  { name: 'bear', pattern: /\b(?:bear|bears|bore|borne)\b/giu },
  { name: 'at once (use “immediately”)', pattern: /\bat once\b/giu },
];

/** The form of a commit's subject. */
export const SUBJECT =
  /^(?:feat|fix|refactor|test|docs|chore|perf|build|ci|style|revert)(?:\([a-z0-9-]+\))?!?: [a-z0-9`"/.{\-_]\S*(?: \S+)*$/i;
export const SUBJECT_LENGTH = 72;

export interface Match {
  rule: string;
  /** The words around it. */
  text: string;
}

/** Returns each fault in a text without code and markup. */
export function matchesIn(text: string): Match[] {
  return RULES.flatMap(({ name, pattern }) =>
    [...text.matchAll(pattern)].map((found) => {
      const at = found.index;
      const around = text.slice(Math.max(0, at - 30), at + found[0].length + 40);
      return { rule: name, text: around.replaceAll(/\s+/gu, ' ').trim() };
    }),
  );
}

/** Returns the number of words of a text. Apostrophes and hyphens join letters into one word. */
export const wordsIn = (text: string): number => (text.match(/\p{L}[\p{L}\p{N}’'-]*/gu) ?? []).length;

// Names: the words of a name in a document, and the names that a contract derives from them.

/** Returns the words of a name in lower case: `orderLine`, `order-line` and `Order_Line` have the same words. */
export const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])(?=[A-Z][a-z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);

/** Returns the beginning of a text, without half of a surrogate pair at its end, which PostgreSQL does not store. */
export const truncateText = (text: string, most: number): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const pascal = (words: readonly string[]): string => words.map(capital).join('');
export const camel = (words: readonly string[]): string =>
  words.map((word, index) => (index === 0 ? word : capital(word))).join('');

/** Returns a name of letters and underscores, such as `order_line`. Digits become letters. */
export const snake = (words: readonly string[], length = 30): string =>
  words
    .join('_')
    .replaceAll(/\d/g, (digit) => String.fromCharCode(97 + Number(digit)))
    .slice(0, length)
    .replace(/_+$/, '');

const SAME = /(?:ss|us|is|news|series|species)$/;

/** Returns the singular of an English word, by its ending. */
export function singular(word: string): string {
  if (word.length < 4 || SAME.test(word) || !word.endsWith('s')) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /(?:sses|shes|ches|xes|zes)$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

export function plural(word: string): string {
  if (singular(word) !== word) return word;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  if (/(?:s|sh|ch|x|z)$/.test(word)) return `${word}es`;
  return `${word}s`;
}

export const withLast = (words: readonly string[], change: (word: string) => string): string[] =>
  words.map((word, index) => (index === words.length - 1 ? change(word) : word));

/** Returns a name that is not in the set, and adds it. */
export function unique(name: string, taken: Set<string>, variant: (number: number) => string): string {
  let result = name;
  for (let number = 2; taken.has(result); number++) result = variant(number);
  taken.add(result);
  return result;
}

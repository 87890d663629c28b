// Reduces a user agent to product names with versions (RFC 9110, section 10.1.5), for example `bridge/1.4`. Everything
// else may be arbitrary text and becomes `*`. Names that are too long, too many or unlike program names also become
// `*`, because they could spell a secret.

import { memo } from '../../kit/flow/memo.ts';

const PRODUCT = /^([a-z]+(?:-[a-z]+){0,4})\/v?\d{1,5}(?:\.\d{1,5}){0,3}$/i;
// Matches `bridge`, `GitHub`, `HTTPie`, and several of them joined by hyphens.
const WORD = '(?:[A-Z]?[a-z]{2,}(?:[A-Z][a-z]+)*|[A-Z]{2,6}(?:[a-z]{2,})?)';
const NAME = new RegExp(`^${WORD}(?:-${WORD})*$`);
const MAX_NAME_CHARACTERS = 20;
// Further names that browsers send, and products that send no version.
const BROWSERS = new Set(['Mozilla', 'AppleWebKit', 'Gecko', 'Version', 'Chrome', 'Safari', 'Firefox', 'Edg', 'OPR']);
const BARE = new Set(['node', 'undici', 'curl', 'axios', 'Deno', 'Bun']);

const MAX_PRODUCTS = 6;
const MAX_NAMES = 2;
const MAX_READ_CHARACTERS = 1_000;
const MAX_CHARACTERS = 300;

/**
 * Returns true for a name of ordinary words, such as `bridge` or `GitHub-Hook`, which is too short to spell most
 * secrets.
 */
const isName = (text: string): boolean => text.length <= MAX_NAME_CHARACTERS && NAME.test(text);

function mask(text: string): string {
  let products = 0;
  let names = 0;
  function isKept(word: string): boolean {
    const name = PRODUCT.exec(word)?.[1];
    if (name === undefined ? !BARE.has(word) : !isName(name)) return false;
    products += 1;
    if (name !== undefined && !BROWSERS.has(name)) names += 1;
    return products <= MAX_PRODUCTS && names <= MAX_NAMES;
  }
  const words = text
    .slice(0, MAX_READ_CHARACTERS)
    .replaceAll(/\([^)]*\)?/g, ' (*) ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => (word === '(*)' || isKept(word) ? word : '*'));
  return words
    .filter((word, at) => word !== '*' || words[at - 1] !== '*')
    .join(' ')
    .slice(0, MAX_CHARACTERS);
}

const MAX_KNOWN = 500;
// Cached, because a client sends the same header with every request.
const maskKnown = memo(mask, MAX_KNOWN);

export const maskUserAgent = (header: string): string =>
  header.length <= MAX_CHARACTERS ? maskKnown(header) : mask(header);

// What a caller calls itself, as far as that is names of products with their versions (RFC 9110, section 10.1.5): `bridge/1.4`.
// All else that stands there may be anything, and is a `*`.

const PRODUCT = /^[a-z]+(-[a-z]+){0,4}\/v?\d{1,5}(\.\d{1,5}){0,3}$/i;
const MAX_PRODUCT_CHARACTERS = 40;
// Those that send no version.
const BARE = new Set(['node', 'undici', 'curl', 'axios', 'Deno', 'Bun']);

const MAX_READ_CHARACTERS = 1_000;
const MAX_CHARACTERS = 300;

const isProduct = (word: string): boolean =>
  BARE.has(word) || (word.length <= MAX_PRODUCT_CHARACTERS && PRODUCT.test(word));

function mask(text: string): string {
  const words = text
    .slice(0, MAX_READ_CHARACTERS)
    .replaceAll(/\([^)]*\)?/g, ' (*) ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => (word === '(*)' || isProduct(word) ? word : '*'));
  return words
    .filter((word, at) => word !== '*' || words[at - 1] !== '*')
    .join(' ')
    .slice(0, MAX_CHARACTERS);
}

// A caller sends the same with every request.
const known = new Map<string, string>();
const MAX_KNOWN = 500;

export function maskUserAgent(header: string): string {
  let masked = known.get(header);
  if (masked === undefined) {
    masked = mask(header);
    if (known.size >= MAX_KNOWN) known.clear();
    if (header.length <= MAX_CHARACTERS) known.set(header, masked);
  }
  return masked;
}

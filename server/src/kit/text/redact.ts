// Removes secrets (keys, tokens and signing secrets) from text that is stored or logged, also in other
// encodings. Each secret begins with fixed letters, so the encoded forms of these letters can be searched for.

const MAX_LAYERS = 5;
// Personal access tokens have the same form.
const KEY_IN_TEXT = /((?:slw(?:_|%5f)(?:test|live)|slp)(?:_|%5f)[0-9a-z]{12})(?:_|%5f)[0-9a-z]+/gi;
// Covers everything up to a space or the end of a JSON string, because a slash in it has escaped forms (`~1`, `\/`,
// `&#47;`).
const SIGNING_SECRET = /(whsec(?:_|%5f))(?:[^\s"\\]|\\\/){16,}/gi;

const BEGINNINGS = ['slw_test_', 'slw_live_', 'whsec_'];
/** Characters. Shorter than the shortest encoded secret, so that most texts need no search for one. */
const SHORTEST = 50;
/** Characters. Shorter than the shortest unencoded secret: a shorter text is not searched at all. */
const SHORTEST_PLAIN = 18;

/** Returns the base64 characters for these bytes at any offset in a longer text. */
export function encodeBase64Variants(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const ownCharacters = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [ownCharacters, ownCharacters.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const each = (text: string, spell: (code: number) => string): string =>
  [...text].map((letter) => spell(letter.charCodeAt(0))).join('');
const hex = (code: number): string => code.toString(16);

const inAnyCase = BEGINNINGS.flatMap((text) => [
  Buffer.from(text).toString('hex'),
  Buffer.from(text, 'utf16le').toString('hex'),
  [...text].reverse().join(''),
  each(text, (code) => `\\u00${hex(code)}`),
  each(text, (code) => `\\x${hex(code)}`),
  each(text, (code) => `&#${code};`),
  each(text, (code) => `&#x${hex(code)};`),
]);
const inBase64 = BEGINNINGS.flatMap((text) => [
  ...encodeBase64Variants(Buffer.from(text)),
  ...encodeBase64Variants(Buffer.from(text, 'utf16le')),
]);

const anyOf = (texts: readonly string[], flags = ''): RegExp =>
  new RegExp([...new Set(texts)].map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), flags);
const HIDDEN = [
  anyOf(inAnyCase, 'i'),
  anyOf(inBase64),
  /736c705f|(?<![\w+-])c2xwX/i, // a token: its beginning is too short to be searched for inside a text
  /(?<![\w+-])H4sI[\w+/~-]{40,}/, // gzip data: its content is unknown
];
const isHidden = (text: string): boolean => text.length >= SHORTEST && HIDDEN.some((pattern) => pattern.test(text));

/**
 * Returns the text without the secret half of any key or token in it, independent of its owner. Applied to each log
 * line, to captured headers and bodies, to the stored responses of receivers, and in the record of a request to the values
 * of its query and the details of its problem. The other parts of a record keep only values of a known form
 * (docs/architecture.md). Other callers compare the result with the text, to refuse a text that contains a secret.
 */
export function redactKeys(text: string): string {
  if (text.length < SHORTEST_PLAIN) return text;
  const redacted = text.replace(KEY_IN_TEXT, '$1_[secret]').replace(SIGNING_SECRET, '$1[secret]');
  if (isHidden(redacted)) return '[secret]';
  // A secret that is also percent-encoded, once or several times: the whole text is replaced, because nothing in it
  // is worth the risk.
  let decoded = redacted;
  for (let layer = 0; layer < MAX_LAYERS && decoded.includes('%'); layer++) {
    decoded = decoded.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    if (decoded.search(KEY_IN_TEXT) !== -1 || decoded.search(SIGNING_SECRET) !== -1 || isHidden(decoded))
      return '[secret]';
  }
  return redacted;
}

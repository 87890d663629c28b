// Takes the secrets that we give out (keys, tokens and signing secrets) out of what is kept or logged of a request, also where somebody
// has spelt one in another way: each begins with the same letters, which every usual encoding has a spelling for.

const MAX_LAYERS = 5;
// Personal access tokens of the Console are of the same make.
const KEY_IN_TEXT = /((?:slw(?:_|%5f)(?:test|live)|slp)(?:_|%5f)[0-9a-z]{12})(?:_|%5f)[0-9a-z]+/gi;
// Whatever comes after it, up to a space or the end of a JSON string: a slash in it has spellings of its own (`~1`, `\/`, `&#47;`).
const SIGNING_SECRET = /(whsec(?:_|%5f))(?:[^\s"\\]|\\\/){16,}/gi;

const BEGINNINGS = ['slw_test_', 'slw_live_', 'whsec_'];
/** The shortest secret in the shortest of those encodings is longer: most texts need no look. */
const SHORTEST = 50;
/** Likewise as it is: what is no longer is not even looked at. */
const SHORTEST_PLAIN = 18;

/** The characters of base64 that these bytes come to at any place in a longer text. */
export function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const whole = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
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
  ...base64Of(Buffer.from(text)),
  ...base64Of(Buffer.from(text, 'utf16le')),
]);

const anyOf = (texts: readonly string[], flags = ''): RegExp =>
  new RegExp([...new Set(texts)].map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), flags);
const HIDDEN = [
  anyOf(inAnyCase, 'i'),
  anyOf(inBase64),
  /736c705f|(?<![\w+-])c2xwX/i, // a token: too short a beginning to be looked for inside a text
  /(?<![\w+-])H4sI[\w+/~-]{40,}/, // something packed with gzip: nobody can say what
];
const isHidden = (text: string): boolean => text.length >= SHORTEST && HIDDEN.some((pattern) => pattern.test(text));

/** The text without the secret half of any key or token in it, whoever's it is: what is kept or logged of a request. */
export function redactKeys(text: string): string {
  if (text.length < SHORTEST_PLAIN) return text;
  const redacted = text.replace(KEY_IN_TEXT, '$1_[secret]').replace(SIGNING_SECRET, '$1[secret]');
  if (isHidden(redacted)) return '[secret]';
  // A secret that is spelt in percent-encoding too, once or several times: nothing of such a text is worth the risk.
  let decoded = redacted;
  for (let layer = 0; layer < MAX_LAYERS && decoded.includes('%'); layer++) {
    decoded = decoded.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    if (decoded.search(KEY_IN_TEXT) !== -1 || decoded.search(SIGNING_SECRET) !== -1 || isHidden(decoded))
      return '[secret]';
  }
  return redacted;
}

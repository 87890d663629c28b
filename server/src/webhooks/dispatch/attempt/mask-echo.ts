// Masks confidential values that a receiver echoes, before its response is stored. Every member can read responses, but
// no member may see header values of an endpoint or a signature that is still valid.

import type { Secret } from '../../../kit/crypto/secret.ts';
import { encodeBase64Variants, redactKeys } from '../../../kit/text/redact.ts';

/** Returns the text without confidential values. */
export type TextMasker = (text: string) => string;

const MASK = '[secret]';
// A shorter value is no secret, and occurs in any text.
const SHORTEST_VALUE = 6;
const SHORTEST_PART = 8;
/** Length of 32 bytes in base64. */
const SIGNATURE_LENGTH = 44;
// Each part is searched for in every response while other responses wait. A value with a hundred parts is no
// credential.
const MAX_PARTS = 2;
const MAX_LAYERS = 3;

/** Returns the value of a header and its parts: a receiver may echo the token without its scheme. */
function valuesOf(header: string): string[] {
  const [, encoded] = /^basic +(\S+)$/i.exec(header) ?? [];
  const credentials = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString();
  const wholeValues = [header, credentials, credentials.slice(credentials.indexOf(':') + 1)];
  const parts = header.split(/[\s,;:="']+/).sort((a, b) => b.length - a.length);
  return [
    ...wholeValues.filter(({ length }) => length >= SHORTEST_VALUE),
    ...parts.slice(0, MAX_PARTS).filter(({ length }) => length >= SHORTEST_PART),
  ];
}

/** Returns the key without the prefix by which `redactKeys` recognises a signing secret. */
const keyTextOf = (secret: Secret): string => secret.reveal().replace(/^whsec_/, '');

const encodingsOf = (value: string): string[] => {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  return [...encodeBase64Variants(bytes), hex, hex.toUpperCase()];
};

const HTML_ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const ESCAPE = /%([0-9a-f]{2})|&#x([0-9a-f]{2,4});|&#(\d{2,4});|&(amp|lt|gt|quot|apos);|\\u([0-9a-f]{4})|\\(["'/\\])/gi;

/** Reverses the escaping of URLs, HTML and JSON. */
const unescaped = (text: string): string =>
  text.replace(ESCAPE, (_, ...[percent, hex, decimal, named, unicode, plain]: (string | undefined)[]) => {
    const code = percent ?? hex ?? unicode;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    if (decimal !== undefined) return String.fromCharCode(Number(decimal));
    return plain ?? HTML_ENTITIES[named?.toLowerCase() ?? ''] ?? '';
  });

function isEscapedIn(text: string, values: readonly string[]): boolean {
  let [before, now] = [text, unescaped(text)];
  for (let layer = 0; layer < MAX_LAYERS && now !== before; layer++) {
    const read = now;
    if (values.some((value) => read.includes(value))) return true;
    [before, now] = [now, unescaped(now)];
  }
  return false;
}

/**
 * Returns the confidential values that all deliveries of an endpoint share. The longest come first, so that no rest of
 * a whole value remains after a part was masked.
 */
export function confidentialOf(
  custom: Readonly<Record<string, string>>,
  secrets: readonly Secret[],
): readonly string[] {
  const given = [...Object.values(custom).flatMap(valuesOf), ...secrets.map(keyTextOf)];
  return [...new Set(given)].filter((one) => one !== '').sort((a, b) => b.length - a.length);
}

/** Returns the mask for a request with these confidential values and this signature header. */
export function maskFor(confidential: readonly string[], signatures: string | undefined): TextMasker {
  let values: readonly string[] | undefined;
  let encoded: readonly string[] | undefined;
  return (text) => {
    const redacted = redactKeys(text);
    const { length } = redacted;
    if (length < SHORTEST_VALUE) return redacted;
    // Most texts are shorter than any value that they could contain. Such texts need no further work.
    if (length < SIGNATURE_LENGTH && confidential.every((one) => length < one.length)) return redacted;
    // None of these values contains another.
    values ??= [...(signatures ?? '').split(' ').map((one) => one.replace(/^v1,/, '')), ...confidential].filter(
      Boolean,
    );
    const masked = values.reduce((left, value) => left.replaceAll(value, MASK), redacted);
    encoded ??= values.flatMap(encodingsOf);
    // A value in another encoding: the whole text is masked, because nothing in it is worth the risk.
    const isHidden = encoded.some((one) => masked.includes(one)) || isEscapedIn(masked, values);
    return isHidden ? MASK : masked;
  };
}

// What a receiver sends back of what it was sent in confidence is not kept: every member sees answers, and nobody is shown the
// values of an endpoint's headers, or a signature that still counts.

import { base64Of, redactKeys } from '../../access/authority/index.ts';
import type { Secret } from '../../kit/crypto/secret.ts';

/** A text with nothing of it. */
export type Mask = (text: string) => string;

const MASK = '[secret]';
// What is shorter is no secret, and stands in any text.
const SHORTEST_VALUE = 6;
const SHORTEST_PART = 8;
/** Base64 of 32 bytes. */
const SIGNATURE_LENGTH = 44;
// Each is looked for in every answer, while everybody's wait: a value of a hundred parts is no credential.
const MAX_PARTS = 2;
const MAX_LAYERS = 3;

/** A header's value and what it is made of: a receiver may show the token without its scheme. */
function valuesOf(header: string): string[] {
  const [, encoded] = /^basic +(\S+)$/i.exec(header) ?? [];
  const credentials = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString();
  const whole = [header, credentials, credentials.slice(credentials.indexOf(':') + 1)];
  const parts = header.split(/[\s,;:="']+/).sort((a, b) => b.length - a.length);
  return [
    ...whole.filter(({ length }) => length >= SHORTEST_VALUE),
    ...parts.slice(0, MAX_PARTS).filter(({ length }) => length >= SHORTEST_PART),
  ];
}

/** Without the prefix that `redactKeys` knows a signing secret by. */
const keyTextOf = (secret: Secret): string => secret.reveal().replace(/^whsec_/, '');

const encodingsOf = (value: string): string[] => {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  return [...base64Of(bytes), hex, hex.toUpperCase()];
};

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const ESCAPE = /%([0-9a-f]{2})|&#x([0-9a-f]{2,4});|&#(\d{2,4});|&(amp|lt|gt|quot|apos);|\\u([0-9a-f]{4})|\\(["'/\\])/gi;

/** As it was before it was put into a URL, a page or a JSON. */
const unescaped = (text: string): string =>
  text.replace(ESCAPE, (_, ...[percent, hex, decimal, named, unicode, plain]: (string | undefined)[]) => {
    const code = percent ?? hex ?? unicode;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    if (decimal !== undefined) return String.fromCharCode(Number(decimal));
    return plain ?? NAMED[named?.toLowerCase() ?? ''] ?? '';
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

/** The values that an endpoint's deliveries have in common, the longest first so that a part leaves nothing of the whole. */
export function confidentialOf(
  custom: Readonly<Record<string, string>>,
  secrets: readonly Secret[],
): readonly string[] {
  const given = [...Object.values(custom).flatMap(valuesOf), ...secrets.map(keyTextOf)];
  return [...new Set(given)].filter((one) => one !== '').sort((a, b) => b.length - a.length);
}

/** Of a request with what is confidential of its endpoint, and this header of signatures. */
export function maskFor(confidential: readonly string[], signatures: string | undefined): Mask {
  let values: readonly string[] | undefined;
  let encoded: readonly string[] | undefined;
  return (text) => {
    const redacted = redactKeys(text);
    const { length } = redacted;
    if (length < SHORTEST_VALUE) return redacted;
    // Most are shorter than anything that could be in them: of those nothing is laid out.
    if (length < SIGNATURE_LENGTH && confidential.every((one) => length < one.length)) return redacted;
    // No part of one of these is another.
    values ??= [...(signatures ?? '').split(' ').map((one) => one.replace(/^v1,/, '')), ...confidential].filter(
      Boolean,
    );
    const masked = values.reduce((left, value) => left.replaceAll(value, MASK), redacted);
    encoded ??= values.flatMap(encodingsOf);
    // In another spelling: nothing of such a text is worth the risk.
    const isHidden = encoded.some((one) => masked.includes(one)) || isEscapedIn(masked, values);
    return isHidden ? MASK : masked;
  };
}

// Texts that differ from draw to draw and keep the form of an example, a format or a pattern.
import { readPattern } from './pattern-sample.ts';
import type { SeededRandom } from './seeded-random.ts';

type Schema = Readonly<Record<string, unknown>>;

const DAY_MS = 86_400_000;
const YEAR_DAYS = 365;
/** Drawn times are in the year before this time, which is when sandbox data ends. */
const UNTIL_MS = Date.UTC(2026, 0, 1);
const WORDS = [
  'amber',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'harbour',
  'indigo',
  'juniper',
  'lagoon',
  'meadow',
  'north',
  'orchard',
  'pebble',
  'river',
];
const MAX_NUMBER = 1_000;
/** The number of texts in which the digits of an example are replaced, before a text is drawn from the pattern. */
const MIMICKED = 5;
/** The number of digits from which a text is a code whose digits are replaced. */
const CODE_DIGITS = 3;

const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
const TIME = /^\d\d:\d\d(?<seconds>:\d\d)?(?<zone>Z)?$/;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const EMAIL = /^[^@\s]+@[^@\s]+$/;
/** Codes such as currencies, countries and languages. Programs refuse codes that they do not know. */
const KNOWN_CODE = /^(?:[A-Z]{1,3}|[a-z]{1,3}|[a-z]{2}[-_][A-Z]{2})$/;
/** Names such as time zones and media types, of which other ones do not exist. */
const KNOWN_PATH = /^[A-Za-z._+-]+\/[A-Za-z._+/-]+$/;

/** Formats whose texts lose their meaning with other digits. */
const OTHER_FORMS = /^(?:byte|binary|regex|json-pointer)$/;
/** The networks and the domain that are reserved for documentation (RFC 5737, RFC 3849 and RFC 2606). */
const NETWORKS = ['192.0.2', '198.51.100', '203.0.113'];
const NETWORK_V6 = '2001:db8:';
const DOMAIN = 'example.com';
const MAX_HOST = 254;

/** Returns texts in the order of preference. The first that fits the schema is used. `example` is of the document. */
export function textsLike(example: string, schema: Schema, draw: SeededRandom): string[] {
  if (schema.pattern === undefined && schema.format === undefined && KNOWN_PATH.test(example)) return [];
  if (KNOWN_CODE.test(example)) return [];
  const addresses = networkTexts(schema, draw);
  if (addresses.length > 0) return [...addresses, ...textsOfPattern(schema, draw)];
  if (isBase64(schema)) return [];
  const formatted = textsInForm(example, draw);
  if (formatted.length > 0) return [...formatted, ...textsOfPattern(schema, draw)];
  if (schema.pattern !== undefined) {
    const hasDigit = /\d/.test(example);
    const mimicked = hasDigit ? Array.from({ length: MIMICKED }, () => withOtherDigits(example, draw)) : [];
    return [...mimicked, `${example}-${draw.pick(WORDS)}`, ...textsOfPattern(schema, draw)];
  }
  if (schema.format === undefined) return [numbered(example, schema, draw)];
  return OTHER_FORMS.test(String(schema.format)) ? [] : [withOtherDigits(example, draw)];
}

/** Returns texts for a schema without an example, in the order of preference. `implied` is the text that it implies. */
export function textsOf(implied: string, schema: Schema, draw: SeededRandom): string[] {
  const formatted = [...networkTexts(schema, draw), ...encodedTexts(implied, schema, draw)];
  if (formatted.length > 0) return [...formatted, ...textsOfPattern(schema, draw)];
  if (schema.format !== undefined) return [...textsInForm(implied, draw), ...textsOfPattern(schema, draw)];
  if (schema.pattern !== undefined) return textsOfPattern(schema, draw);
  const { minLength = 0, maxLength = 1_000 } = schema;
  const words = `${draw.pick(WORDS)} ${draw.pick(WORDS)}`.padEnd(Number(minLength), ' and so on');
  return [words.slice(0, Number(maxLength)).trimEnd()];
}

/** Returns addresses and names of hosts, if the format is one of these. */
function networkTexts({ format }: Schema, draw: SeededRandom): string[] {
  if (format === 'ipv4') return [`${draw.pick(NETWORKS)}.${1 + draw.number(MAX_HOST)}`];
  const group = (): string => (1 + draw.number(2 ** 16 - 1)).toString(16);
  if (format === 'ipv6') return [`${NETWORK_V6}:${group()}:${group()}`];
  if (format !== 'hostname' && format !== 'idn-hostname') return [];
  const number = draw.number(MAX_NUMBER);
  return [`${draw.pick(WORDS)}-${number}.${DOMAIN}`, `h${number}.example`];
}

/** Returns durations, paths and base64 in place of a text that the format implies. */
function encodedTexts(implied: string, schema: Schema, draw: SeededRandom): string[] {
  const { format } = schema;
  const number = (): number => 1 + draw.number(MAX_NUMBER);
  if (isBase64(schema)) return [Buffer.from(`${draw.pick(WORDS)} ${number()}`).toString('base64')];
  if (format === 'duration') return [`PT${number()}M`];
  return format === 'uri-reference' || format === 'json-pointer' ? [`${implied}/${number()}`] : [];
}

const isBase64 = ({ format, contentEncoding }: Schema): boolean =>
  contentEncoding === 'base64' || (format === 'byte' && contentEncoding === undefined);

/** Returns texts with the form of a time, an identifier or an address, if the example has such a form. */
function textsInForm(example: string, draw: SeededRandom): string[] {
  // The day and the time are drawn each, because a draw has 32 bits and a year has more milliseconds.
  const daysAgo = 1 + draw.number(YEAR_DAYS);
  const time = new Date(UNTIL_MS - daysAgo * DAY_MS + draw.number(DAY_MS)).toISOString();
  if (DATE_TIME.test(example)) return [time, time.replace(/\.\d+/, '')];
  if (DATE.test(example)) return [time.slice(0, 10)];
  const clock = TIME.exec(example)?.groups;
  if (clock) return [`${time.slice(11, clock.seconds === undefined ? 16 : 19)}${clock.zone ?? ''}`];
  if (UUID.test(example)) return [drawUuid(draw)];
  if (example.includes('://')) return addressesLike(example, draw);
  if (EMAIL.test(example)) return [`${draw.pick(WORDS)}.${draw.number(MAX_NUMBER)}@${DOMAIN}`];
  return [];
}

/** Returns an address below the example, or the example with a query, which leads to the same file. */
function addressesLike(example: string, draw: SeededRandom): string[] {
  if (/[?#]/.test(example)) return [];
  const number = draw.number(MAX_NUMBER);
  return [`${example}${example.endsWith('/') ? number : `?number=${number}`}`];
}

/** Returns the example with another number: in place of its digits, or after it. */
function numbered(example: string, { maxLength = 10_000 }: Schema, draw: SeededRandom): string {
  const digits = example.match(/\d/g)?.length ?? 0;
  if (digits >= CODE_DIGITS) return withOtherDigits(example, draw);
  const number = String(1 + draw.number(MAX_NUMBER));
  if (digits > 0) return example.replace(/\d+(?=\D*$)/, number);
  const suffix = /^[a-z_.-]+$/.test(example) ? `-${number}` : ` ${number}`;
  // A character of two code units stays whole, because Postgres stores no half of it.
  const kept = Array.from(example).slice(0, Math.max(0, Number(maxLength) - suffix.length));
  return `${kept.join('')}${suffix}`;
}

/** Returns the text with other digits. A number keeps its length. */
const withOtherDigits = (text: string, draw: SeededRandom): string =>
  text.replaceAll(/\d+/g, (run) =>
    Array.from(run, (digit, index) => (index === 0 && digit !== '0' ? 1 + draw.number(9) : draw.number(10))).join(''),
  );

const patterns = new Map<string, ReturnType<typeof readPattern>>();

function textsOfPattern({ pattern }: Schema, draw: SeededRandom): string[] {
  // Texts that are made of a pattern ignore its look-around.
  if (typeof pattern !== 'string' || /\(\?<?[=!]/.test(pattern)) return [];
  if (!patterns.has(pattern)) patterns.set(pattern, readPattern(pattern));
  const text = patterns.get(pattern)?.make(draw);
  return text === undefined ? [] : [text];
}

/** Returns a UUID of version 4. */
function drawUuid(draw: SeededRandom): string {
  const hex = Array.from({ length: 8 }, () =>
    draw
      .number(2 ** 16)
      .toString(16)
      .padStart(4, '0'),
  ).join('');
  const variant = (8 + draw.number(4)).toString(16);
  const [first, second] = [hex.slice(0, 8), hex.slice(8, 12)];
  return `${first}-${second}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

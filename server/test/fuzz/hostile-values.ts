// Hostile values, bodies, headers, paths and queries.
import fc from 'fast-check';
import { anyText, type Damage, INHERITED } from './values.ts';
import { bytesOf } from './wire.ts';

/** JSON that no JavaScript value represents: numbers beyond a double, half surrogate pairs, repeated names. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function toJson(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return `{${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}:${toJson(inner)}`)
    .join(',')}}`;
}

const NUMBERS = ['1e400', '-1e400', `1${'0'.repeat(400)}`, '-0', '1E+2', '1.0', '9007199254740993', '1e-400', '0.1e1'];
const STRINGS = [
  '\u0000',
  'a\u0000b',
  '\u202e\u2066evil',
  '\ufeff',
  '\u200b',
  '\uffff',
  '\r\nSet-Cookie: a=b',
  '../../etc/passwd',
  '%00',
  '{{7*7}}',
];
const NAMES = ['__proto__', ...INHERITED, '\u0000', 'a\u0000', '', '\u202e', '~', '/', 'x'.repeat(300)];

const rawName = (name: string, value: string): RawJson => new RawJson(`{${JSON.stringify(name)}:${value}}`);
const nested = (depth: number, [open, close]: readonly [string, string]): RawJson =>
  new RawJson(`${open.repeat(depth)}1${close.repeat(depth)}`);

/** Returns a hostile value in place of any value. */
export const hostileValue: Damage = () =>
  fc.oneof(
    fc.constantFrom(...NUMBERS).map((text) => new RawJson(text)),
    fc.constantFrom(...STRINGS),
    fc.constantFrom('"\\ud800"', '"a\\udfffb"', '"\\udc00\\ud800"').map((text) => new RawJson(text)),
    fc.constantFrom(...NAMES).map((name) => rawName(name, '1')),
    fc
      .constantFrom('{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}')
      .map((text) => new RawJson(text)),
    fc.constantFrom(...NAMES).map((name) => new RawJson(`{${JSON.stringify(name)}:1,${JSON.stringify(name)}:2}`)),
    fc.integer({ min: 20, max: 3_000 }).map((depth) => nested(depth, ['[', ']'])),
    fc.integer({ min: 20, max: 3_000 }).map((depth) => nested(depth, ['{"a":', '}'])),
    fc.integer({ min: 101, max: 20_000 }).map((length) => Array(length).fill(1)),
    fc.integer({ min: 201, max: 100_000 }).map((length) => 'a'.repeat(length)),
  );

const NOT_JSON = [
  '',
  ' ',
  'null',
  'undefined',
  'NaN',
  '{',
  '[]]',
  "{'a':1}",
  '{"a":1,}',
  '{"a":01}',
  '"text"',
  '\ufeff{}',
  '{}{}',
  '{} x',
  '/**/{}',
  '\u0000',
  '{"a":"\t"}',
  'a=b&c=d',
];
const NOT_UTF8 = ['{"a":"\xff\xfe"}', '\xc3\x28', '{"\xed\xa0\x80":1}', '\xff\xfe{\x00}\x00', '\xf8\x88\x80\x80\x80'];

/** Returns hostile bytes that are derived from a valid body. */
export function hostileBody(good: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...NOT_JSON).map(bytesOf),
    fc.constantFrom(...NOT_UTF8),
    fc.tuple(good, fc.nat(200)).map(([body, cut]) => body.slice(0, Math.max(0, body.length - 1 - cut))),
    good.map((body) => `${body.slice(0, -1)}${body === '{}' ? '' : ','}"__proto__":{"a":1}}`),
    // Repeats each name: either the second one counts, or the body is refused.
    good.map((body) => (body.length > 2 ? `${body.slice(0, -1)},${body.slice(1)}` : body)),
    good.map((body) => body + ' '.repeat(256 * 1024 + 1 - body.length)),
    fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  );
}

export type Header = readonly [string, string];

const CONTENT_TYPES = [
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'Application/JSON',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/vnd.api+json',
  'application/problem+json',
  'application/json+x',
  'application/jsonx',
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  '*/*',
  '',
  ';',
  'application/json, text/plain',
  'application',
  '\xff',
];

const ODD_HEADERS: readonly Header[] = [
  ['Accept', 'text/html'],
  ['Accept', 'application/json;q=0'],
  ['Accept', ''],
  ['Accept', ',;,;q='],
  ['Accept', `a${' '.repeat(5_000)}b`],
  ['Accept-Encoding', 'gzip, br, \xff'],
  ['Authorization', 'Bearer'],
  ['Authorization', 'Bearer  a b'],
  ['Authorization', 'bearer slw_test_000000000000_00000000000000000000000000000000000000'],
  ['Authorization', '\xff\xfe'],
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'identity, identity'],
  ['Content-Length', '-1'],
  ['Content-Length', '0x10'],
  ['Cookie', 'slipway_session=%00; slipway_session=a; ;=;'],
  ['Expect', 'bogus'],
  ['Expect', '100-continue'],
  ['Host', ''],
  ['Host', 'a b'],
  ['Host', 'evil.example.org:99999'],
  ['Idempotency-Key', ''],
  ['Idempotency-Key', 'k'.repeat(255)],
  ['Idempotency-Key', 'k'.repeat(256)],
  ['Idempotency-Key', '\xff\u0001'],
  ['If-Match', '*'],
  ['If-None-Match', ''],
  ['If-None-Match', '*'],
  ['If-None-Match', '"\xff", W/"a", ,'],
  ['If-Modified-Since', 'yesterday'],
  ['Origin', 'https://evil.example.org'],
  ['Range', 'bytes=0-1,5-'],
  ['Sandbox-Simulate', 'code=\xff;latency=-1'],
  ['Sandbox-Simulate', 'latency=1e400'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Slipway-Console', ''],
  ['TE', 'trailers, gzip'],
  ['Traceparent', '00-00000000000000000000000000000000-0000000000000000-00'],
  ['Traceparent', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-zz`],
  ['Tracestate', 'x'.repeat(3_000)],
  ['Transfer-Encoding', 'chunked, chunked'],
  ['Upgrade', 'websocket'],
  ['User-Agent', '\u0001\u0002'],
  ['User-Agent', `\xc3\x28${'u'.repeat(4_000)}`],
  ['X-Forwarded-For', "1.2.3.4, ' or 1=1, ::1%eth0"],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Long', 'x'.repeat(17 * 1024)],
  ['X-Null', 'a\u0000b'],
  ['Bad Name', 'x'],
  ['', 'no name'],
  ['X-Folded', 'a\r\n b'],
];

/** An additional header, or another value of an existing one. */
export const oddHeader: fc.Arbitrary<Header> = fc.oneof(
  fc.constantFrom(...ODD_HEADERS),
  fc.constantFrom(...CONTENT_TYPES).map((type): Header => ['Content-Type', type]),
  fc.string({ maxLength: 60 }).map((value): Header => ['X-Anything', value]),
);

/** Unusual text that is still one segment of a path. */
export const oddSegment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '%',
    '%zz',
    '%c0%80',
    '%ff',
    '%00',
    '%2e%2e',
    '..%2f..',
    '%2F',
    '%5c',
    '%252e',
    '\xff',
    'a;b=c',
    '%0d%0aX:1',
    "'",
    '*',
    ':',
    '[]',
    '%ed%a0%80',
    'undefined',
    'null',
    '-1',
    '%f0%9f%9a%a2',
  ),
  fc.constantFrom('__proto__', ...INHERITED),
  fc.integer({ min: 100, max: 8_100 }).map((length) => 'a'.repeat(length)),
  anyText({ minLength: 1, maxLength: 20 }).map(encodeURIComponent),
);

/** Returns a hostile query that is derived from a valid one. */
export function hostileQuery(good: fc.Arbitrary<string>, names: readonly string[]): fc.Arbitrary<string> {
  const name = fc.constantFrom(...names, '__proto__', 'constructor', 'a[b]', 'a.b', '', '%00', '%ff', '%');
  const value = fc.oneof(
    fc.constantFrom(
      '',
      '%',
      '%zz',
      '%00',
      '%ff',
      '%ed%a0%80',
      '1e400',
      '-0',
      '01',
      '1.0',
      '+1',
      '%31',
      '0x1',
      '99999999999999999999',
      'null',
      '[]',
      '\xff',
    ),
    fc.integer({ min: 500, max: 8_200 }).map((length) => 'a'.repeat(length)),
  );
  const join = (...parts: string[]): string => parts.filter((part) => part !== '').join('&');
  return fc.oneof(
    fc.tuple(good, name, value).map(([query, key, what]) => join(query, `${key}=${what}`)),
    fc.tuple(good, name).map(([query, key]) => join(query, key, `${key}=1`, `${key}=2`)),
    fc.constantFrom('&', '=', '&&&', '=&=', '?', '??', '#', 'a=1;b=2', '%'),
    fc
      .integer({ min: 10, max: 1_500 })
      .map((count) => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&')),
  );
}

const METHODS = 'HEAD OPTIONS TRACE QUERY PROPFIND GET POST PUT PATCH DELETE get BREW CONNECT'.split(' ');
export const oddMethod: fc.Arbitrary<string> = fc.constantFrom(...METHODS);

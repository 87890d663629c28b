// An address that is not public is refused in every spelling: a table by class, and random spellings of random
// addresses.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refuseUrl } from './addresses.ts';

const none = { allowHosts: [] };

const CLASSES: Record<string, string> = {
  'IPv4, in parts of any base': `127.0.0.1 127.1 127.0.1 0177.0.0.1 0x7f.0.0.1 0x7F.1 10.1 0xa.0x1 012.1 192.168.257
    0300.0250.1 172.1048577 0xac.020.1`,
  'IPv4, as one number':
    '2130706433 0x7f000001 017700000001 167772161 0xA000001 2852039166 0xa9fea9fe 025177524776 0 1',
  'IPv4, in other digits, dots and escapes':
    '１２７.0.0.1 127。0。0。1 127．0．0．1 %31%32%37.0.0.1 127%2e0.0.1 ⑩.0.0.1',
  'IPv4, ended by a dot': '127.0.0.1. 10.0.0.1. 0x7f000001. localhost.',
  'IPv4, special':
    '0.0.0.0 100.64.0.1 192.0.0.170 192.0.2.1 198.18.0.1 203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255',
  IPv6: '[::] [::1] [0:0:0:0:0:0:0:1] [fc00::1] [fd12::1] [fe80::1] [fec0::1] [ff02::1] [2001:db8::1] [100::1] [3fff::1]',
  'IPv4 mapped into IPv6': `[::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:A00:1] [0:0:0:0:0:ffff:c0a8:0101]
    [::ffff:169.254.169.254] [::ffff:0:127.0.0.1]`,
  'IPv4 behind NAT64': '[64:ff9b::127.0.0.1] [64:ff9b::a00:1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::808:808]',
  'IPv4 inside IPv6 otherwise': '[::127.0.0.1] [::7f00:1] [2002:7f00:1::] [2002:a00:1::1] [2001:0:7f00:1::]',
  metadata: `169.254.169.254 0xa9.254.43518 [fd00:ec2::254] [::ffff:a9fe:a9fe] 168.63.129.16 100.100.100.200 192.0.0.192
    169.254.170.2`,
  names: 'localhost LOCALHOST localhost. a.localhost ｌocalhost loc%61lhost',
  ports: '127.0.0.1:443 10.0.0.1:80 169.254.169.254:80 [::1]:8443 localhost:4000 127.1:65535',
};
const PATHS = ['/', '/latest/meta-data', '/?x=@example.com'];

describe.each(Object.entries(CLASSES))('class of addresses: %s', (_, hosts) => {
  test.each(hosts.trim().split(/\s+/))('refuses the host %s', (host) => {
    for (const path of PATHS) expect(refuseUrl(`https://${host}${path}`, none)).toMatch(/public address/);
  });
});

/** Base and prefix length of the ranges that are refused. */
const RANGES: readonly [first: number, bits: number][] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xe0000000, 4],
  [0xf0000000, 4],
];
const forbidden = fc
  .tuple(fc.constantFrom(...RANGES), fc.nat(0xffffffff))
  .map(([[first, bits], offset]) => first + (offset % 2 ** (32 - bits)));

const inBase = (value: number, base: number): string => {
  if (base === 10) return String(value);
  return base === 16 ? `0x${value.toString(16)}` : `0${value.toString(8)}`;
};

/** Writes an address in one to four parts, each with its own base. The last part contains the rest. */
const inParts = (address: number, bases: readonly number[]): string => {
  const last = bases.length - 1;
  return bases
    .map((base, at) => {
      const shifted = Math.floor(address / 2 ** (24 - 8 * at)) % 256;
      return inBase(at === last ? address % 2 ** (32 - 8 * last) : shifted, base);
    })
    .join('.');
};

const hex = (address: number): string =>
  `${Math.floor(address / 65_536).toString(16)}:${(address % 65_536).toString(16)}`;
const dotted = (address: number): string => inParts(address, [10, 10, 10, 10]);
const INSIDE_IPV6 = ['::ffff:', '0:0:0:0:0:ffff:', '64:ff9b::', '::', '::ffff:0:', '2002:'] as const;

const FULL_WIDTH = 0xff10 - 0x30;
type AddressSpelling = (text: string) => string;
const ADDRESS_SPELLINGS: readonly AddressSpelling[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + FULL_WIDTH)),
  (text) => text.replaceAll('.', '。'),
  (text) => text.replace(/[\d.]/g, (one) => `%${one.charCodeAt(0).toString(16)}`),
  (text) => `${text}.`,
];

const bases = fc.array(fc.constantFrom(8, 10, 16), { minLength: 1, maxLength: 4 });
const port = fc.constantFrom('', ':443', ':80', ':8443');
const spelling = fc.oneof(
  fc.tuple(bases, fc.constantFrom(...ADDRESS_SPELLINGS)).map(
    ([chosen, disguise]) =>
      (address: number) =>
        disguise(inParts(address, chosen)),
  ),
  fc
    .tuple(fc.constantFrom(...INSIDE_IPV6), fc.boolean(), fc.boolean())
    .map(([before, isDotted, isUpper]) => (address: number) => {
      const text =
        before === '2002:' ? `2002:${hex(address)}::1` : before + (isDotted ? dotted(address) : hex(address));
      return `[${isUpper ? text.toUpperCase() : text}]`;
    }),
);

test('refuses any spelling of any address that is not public', () => {
  fc.assert(
    fc.property(forbidden, spelling, port, (address, spell, at) => {
      const url = `https://${spell(address)}${at}/`;
      expect(refuseUrl(url, none), `${dotted(address)} as ${url}`).toBeTypeOf('string');
    }),
    { numRuns: 2_000 },
  );
});

test('accepts the same spellings of a public address, so they are valid spellings', () => {
  fc.assert(
    fc.property(bases, fc.constantFrom(...ADDRESS_SPELLINGS), (chosen, disguise) => {
      const url = `https://${disguise(inParts(0x08080404, chosen))}/`;
      expect(refuseUrl(url, none), url).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});

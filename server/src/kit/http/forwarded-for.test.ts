import { expect, test } from 'vitest';
import { problemsAt } from '../../access/problems/index.ts';
import { readAddress } from './forwarded-for.ts';
import { createServer } from './http.ts';

const LONG = 'a'.repeat(10_000);

test.each([
  ['1.2.3.4', '1.2.3.4'],
  [' 1.2.3.4 ', '1.2.3.4'],
  ['1.2.3.4:5678', '1.2.3.4'],
  ['::1', '::1'],
  ['[::1]', '::1'],
  ['[::1]:443', '::1'],
  ['2001:db8::7', '2001:db8::7'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['::FFFF:102:304', '1.2.3.4'],
  ['[::ffff:102:304]:443', '1.2.3.4'],
  ['0:0:0:0:0:ffff:1.2.3.4', '1.2.3.4'],
  ['0000:0000:0000:0000:0000:ffff:0102:0304', '1.2.3.4'],
  ['::102:304', '::102:304'],
  ['64:ff9b::102:304', '64:ff9b::102:304'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%eth0]:80', 'fe80::1'],
])('reads %s as %s', (entry, address) => {
  expect(readAddress(entry)).toBe(address);
});

test.each([
  '',
  ' ',
  'unknown',
  '_hidden',
  '1.2.3.4.5',
  '256.1.1.1',
  '1.2.3.4:',
  '1.2.3.4:123456',
  '[::1',
  '[1.2.3.4',
  'host',
  '1.2.3.4 5',
  '0x7f.1',
  LONG,
])('reads no address in %j', (entry) => {
  expect(readAddress(entry)).toBeUndefined();
});

const PEER = '10.0.0.9';
const HIDDEN = '198.51.100.7';

/** Returns the address that an operation sees behind a declared network of proxies. */
async function addressFor(header: string | undefined, remoteAddress = PEER): Promise<unknown> {
  const app = createServer({ problems: problemsAt(''), headers: {}, trustedProxies: ['10.0.0.0/8'] });
  app.get('/', async ({ ip }) => ({ ip }));
  const headers = header === undefined ? {} : { 'x-forwarded-for': header };
  const answer = await app.inject({ method: 'GET', url: '/', remoteAddress, headers });
  await app.close();
  return answer.json().ip;
}

test.each([
  ['203.0.113.5:5678', '203.0.113.5'],
  ['203.0.113.5:5678, 10.0.0.7:443', '203.0.113.5'],
  [`${HIDDEN}, 203.0.113.5`, '203.0.113.5'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:cb00:7105', '203.0.113.5'],
  ['unknown', PEER],
  ['_hidden, 10.0.0.7', '10.0.0.7'],
  [`${HIDDEN}, unknown, 203.0.113.5`, '203.0.113.5'],
  [`${HIDDEN}, unknown, 10.0.0.7`, '10.0.0.7'],
  ['', PEER],
  [','.repeat(5_000), PEER],
  [LONG, PEER],
  [`${'1.1.1.1,'.repeat(1_000)}203.0.113.5`, '203.0.113.5'],
])('takes the caller behind a trusted proxy from X-Forwarded-For %#', async (header, address) => {
  expect(await addressFor(header)).toBe(address);
});

test('ignores X-Forwarded-For of a peer that is no declared proxy', async () => {
  expect(await addressFor('203.0.113.5', HIDDEN)).toBe(HIDDEN);
});

test('reads the IPv4 address of a peer of a socket for both versions', async () => {
  expect(await addressFor(undefined, '::ffff:198.51.100.7')).toBe(HIDDEN);
  expect(await addressFor('203.0.113.5', '::ffff:10.0.0.9')).toBe('203.0.113.5');
});

test('drops the zone of a link-local peer', async () => {
  expect(await addressFor(undefined, 'fe80::1%eth0')).toBe('fe80::1');
});

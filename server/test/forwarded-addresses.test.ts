// The Console behind a declared proxy that writes addresses in unusual spellings: no operation fails because of them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole } from './console-app.ts';

let site: TestConsole;
const failures: unknown[] = [];
beforeAll(async () => {
  site = await startConsole('local', { onInternalError: (error) => failures.push(error) });
});
afterAll(() => site.close());

const SPELLINGS = [
  '1.2.3.4:5678',
  '[::1]:443',
  '[2001:db8::7]',
  'fe80::1%eth0',
  '::ffff:192.0.2.200',
  '::ffff:c000:2c9',
  '0:0:0:0:0:ffff:192.0.2.202',
  'unknown',
  '_hidden',
  '',
  '1.2.3.4, unknown',
  ','.repeat(4_000),
  'a'.repeat(10_000),
];

test.each(
  SPELLINGS.map((spelling) => [spelling.slice(0, 30), spelling]),
)('each operation that counts by address responds without a 500 to X-Forwarded-For %j', async (_, spelling) => {
  const { visitor } = await site.newPerson();
  const ask = async (method: string, path: string, body?: unknown): Promise<number> =>
    (await visitor.call(method, path, body, { 'x-forwarded-for': spelling })).status;
  expect(await ask('POST', '/api/password-resets', { email: 'imke@example.org' })).toBe(202);
  expect(await ask('POST', '/api/sign-ups', { email: 'imke@example.org' })).toBe(202);
  expect(await ask('POST', '/api/device-sign-ins', { device: 'A laptop' })).toBe(201);
  expect(await ask('POST', '/api/device-sign-ins/poll', { deviceCode: 'A'.repeat(43) })).toBe(200);
  expect(await ask('POST', '/api/device-sign-ins/find', { userCode: 'BBBB-BBBB' })).toBe(404);
  expect([401, 429]).toContain(await ask('POST', '/api/session', { email: 'imke@example.org', password: 'wrong' }));
  expect(await ask('GET', '/api/session')).toBe(200);
  expect(await ask('POST', '/api/organisations', { name: 'Harbour Tools' })).toBe(201);
  expect(failures).toEqual([]);
});

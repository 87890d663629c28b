import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { deriveKey } from '../kit/crypto/seal.ts';
import { secret } from '../kit/crypto/secret.ts';
import { openCursor, sealCursor } from '../kit/http/page.ts';
import { cursorKeysOf, readMasterKeys } from './master-keys.ts';
import type { SettingName } from './settings.ts';

const [first, second] = [1, 2].map(() => randomBytes(32).toString('base64')) as [string, string];
const read = (current: string, settings: Partial<Record<SettingName, string>> = {}) =>
  readMasterKeys({ find: (name) => settings[name] }, secret(current));
const during = { SLIPWAY_SANDBOX_MASTER_KEY_VERSION: '2', SLIPWAY_SANDBOX_OTHER_MASTER_KEYS: `1:${first}` };

test('the only master key is current until a rotation adds another one', () => {
  const shown = ({ current, keys }: ReturnType<typeof read>) => ({
    current,
    keys: Object.fromEntries(Object.entries(keys).map(([id, one]) => [id, one.reveal()])),
  });
  expect(shown(read(first))).toEqual({ current: 'm1', keys: { m1: first } });
  expect(shown(read(second, during))).toEqual({ current: 'm2', keys: { m1: first, m2: second } });
});

test.each([
  '1:short',
  `1:${'f'.repeat(64)}`,
  `2:${first}`,
  first,
])('refuses an invalid or repeated other master key without showing it: %#', (others) => {
  const settings = { SLIPWAY_SANDBOX_MASTER_KEY_VERSION: '2', SLIPWAY_SANDBOX_OTHER_MASTER_KEYS: others };
  expect(() => read(second, settings)).toThrow(/^SLIPWAY_SANDBOX_OTHER_MASTER_KEYS/);
  expect(() => read(second, settings)).not.toThrow(first);
});

test('cursors stay valid during a rotation, and not after it', () => {
  const [one, both, alone] = [
    read(first),
    read(second, during),
    read(second, { SLIPWAY_SANDBOX_MASTER_KEY_VERSION: '2' }),
  ].map((keys) => cursorKeysOf(keys, 'sandbox')) as [Secrets, Secrets, Secrets];
  type Secrets = ReturnType<typeof cursorKeysOf>;
  const old = sealCursor('evt_1', 'app A', secret(deriveKey(secret(first), 'slipway cursors')));
  expect([one, both].map((keys) => openCursor(old, 'app A', keys))).toEqual(['evt_1', 'evt_1']);
  expect(openCursor(sealCursor('evt_1', 'app A', both), 'app A', alone)).toBe('evt_1');
  expect(() => openCursor(old, 'app A', alone)).toThrow();
  expect(() => openCursor(old, 'app B', both)).toThrow();
});

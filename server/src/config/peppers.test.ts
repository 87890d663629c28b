import { describe, expect, test } from 'vitest';
import { secret } from '../kit/crypto/secret.ts';
import { readPeppers } from './peppers.ts';
import type { SettingName } from './settings.ts';

const text = (letter: string): string => letter.repeat(32);
const read = (settings: Partial<Record<SettingName, string>>) => {
  const { current, keys } = readPeppers({ find: (name) => settings[name] }, secret(text('c')));
  return { current, keys: Object.fromEntries(Object.entries(keys).map(([version, one]) => [version, one.reveal()])) };
};

describe('peppers', () => {
  test('the only pepper is current, in version 1, if nothing else is set', () => {
    expect(read({})).toEqual({ current: 1, keys: { 1: text('c') } });
  });

  test('reads the current pepper and others, which may contain the separators of the setting', () => {
    const others = `1:${text('a')},b:,7:${text('x')}, 2:${text('2,:')}`;
    expect(read({ SLIPWAY_SANDBOX_PEPPER_VERSION: '8', SLIPWAY_SANDBOX_OTHER_PEPPERS: others })).toEqual({
      current: 8,
      keys: { 1: `${text('a')},b:`, 7: text('x'), 2: text('2,:'), 8: text('c') },
    });
  });

  test.each([
    [{ SLIPWAY_SANDBOX_PEPPER_VERSION: '0' }, 'is not a version'],
    [{ SLIPWAY_SANDBOX_PEPPER_VERSION: '32768' }, 'is not a version'],
    [{ SLIPWAY_SANDBOX_PEPPER_VERSION: 'two' }, 'is not a version'],
    [{ SLIPWAY_SANDBOX_OTHER_PEPPERS: text('a') }, 'must be `1:<pepper>'],
    [{ SLIPWAY_SANDBOX_OTHER_PEPPERS: `1:${text('a')}` }, 'names pepper 1, which is there already'],
    [{ SLIPWAY_SANDBOX_OTHER_PEPPERS: '2:short' }, 'fewer than 32 characters'],
  ])('refuses invalid peppers with a sentence that contains none of them: %j', (settings, why) => {
    let message = '';
    try {
      read(settings);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain(why);
    expect(message).not.toContain(text('a'));
  });
});

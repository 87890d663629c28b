// An invalid setting is reported in a sentence that names it. test/refused-starts.test.ts tests that the process then
// ends.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { RENAMED_SETTINGS } from './renamed-settings.ts';
import { SETTINGS } from './settings.ts';

const refusalOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};

test.each<[string, Record<string, string>, RegExp]>([
  [
    'a database of another kind',
    { SLIPWAY_SANDBOX_DATABASE_URL: 'mysql://x' },
    /SLIPWAY_SANDBOX_DATABASE_URL must be a postgres/,
  ],
  [
    'a list with a malformed host',
    { SLIPWAY_SANDBOX_DATABASE_URL: 'postgres://a:5432,b:port/x' },
    /SLIPWAY_SANDBOX_DATABASE_URL must be a postgres/,
  ],
  [
    'a list with an empty host',
    { SLIPWAY_SANDBOX_DATABASE_URL: 'postgres://a:5432,/x' },
    /SLIPWAY_SANDBOX_DATABASE_URL must be a postgres/,
  ],
  [
    'a database URL that asks for a standby',
    { SLIPWAY_CONSOLE_DATABASE_URL: 'postgres://a,b/x?target_session_attrs=prefer-standby' },
    /SLIPWAY_CONSOLE_DATABASE_URL: target_session_attrs must be/,
  ],
  ['a port that is no number', { SLIPWAY_CONSOLE_PORT: 'three' }, /SLIPWAY_CONSOLE_PORT must be a port number/],
  ['a port out of range', { SLIPWAY_SANDBOX_API_PORT: '65536' }, /SLIPWAY_SANDBOX_API_PORT must be a port number/],
  ['a demo that is neither on nor off', { SLIPWAY_DEMO: 'yes' }, /SLIPWAY_DEMO must be/],
  [
    'plain http on another machine',
    { SLIPWAY_CONSOLE_URL: 'http://console.example.org' },
    /SLIPWAY_CONSOLE_URL is plain http/,
  ],
  [
    'a receiver that is reached in the clear',
    { SLIPWAY_DEMO_RECEIVER_URL: 'http://receiver.example.org' },
    /SLIPWAY_DEMO_RECEIVER_URL is plain http/,
  ],
  ['a malformed address', { SLIPWAY_SANDBOX_API_URL: 'sandbox' }, /SLIPWAY_SANDBOX_API_URL must be an http/],
  [
    'a permission that is neither allowed nor forbidden',
    { SLIPWAY_SANDBOX_CAPTURE_BODIES: 'on' },
    /SLIPWAY_SANDBOX_CAPTURE_BODIES must be `allowed` or `forbidden`/,
  ],
  [
    'captures that are kept for a single hour',
    { SLIPWAY_SANDBOX_CAPTURE_RETENTION_HOURS: '1' },
    /SLIPWAY_SANDBOX_CAPTURE_RETENTION_HOURS must be a whole number from 2 to 168/,
  ],
  ['captures in production', { SLIPWAY_PRODUCTION_CAPTURE_BODIES: 'allowed' }, /SLIPWAY_PRODUCTION_CAPTURE_BODIES/],
  ['addresses kept by halves', { SLIPWAY_CLIENT_ADDRESSES: 'half' }, /SLIPWAY_CLIENT_ADDRESSES must be one of/],
  [
    'a proxy that is no address',
    { SLIPWAY_TRUSTED_PROXIES: '10.0.0.0/40' },
    /SLIPWAY_TRUSTED_PROXIES: "10\.0\.0\.0\/40"/,
  ],
  [
    'a host for webhooks without a port',
    { SLIPWAY_WEBHOOK_ALLOW_HOSTS: 'nonsense' },
    /SLIPWAY_WEBHOOK_ALLOW_HOSTS: .*host:port, not "nonsense"/,
  ],
  [
    'a host for webhooks on another machine',
    { SLIPWAY_WEBHOOK_ALLOW_HOSTS: 'localhost:1,example.com:80' },
    /SLIPWAY_WEBHOOK_ALLOW_HOSTS: "example\.com:80" is not on this machine/,
  ],
  [
    'a bare address for webhooks',
    { SLIPWAY_WEBHOOK_ALLOW_CIDRS: '10.0.0.5' },
    /SLIPWAY_WEBHOOK_ALLOW_CIDRS: "10\.0\.0\.5" is not a range in CIDR notation/,
  ],
  [
    'an owner without an address',
    { SLIPWAY_OWNER_EMAIL: 'nonsense' },
    /SLIPWAY_OWNER_EMAIL: "nonsense" is not an e-mail address/,
  ],
])('%s is refused', (_what, env, sentence) => {
  expect(refusalOf(() => readConfig(env))).toMatch(sentence);
});

const long = 'a secret of at least thirty-two characters';

test.each([
  ['a pepper that is too short', 'SLIPWAY_SANDBOX_PEPPER', 'short', /SLIPWAY_SANDBOX_PEPPER must have at least 32/],
  ['a malformed master key', 'SLIPWAY_SANDBOX_MASTER_KEY', long, /SLIPWAY_SANDBOX_MASTER_KEY must be 32 bytes/],
] as const)('%s is refused, and its value is not repeated', (_what, name, value, sentence) => {
  const refusal = refusalOf(() => readConfig({ [name]: value }).needSecret(name));
  expect(refusal).toMatch(sentence);
  expect(refusal).not.toContain(value);
});

test('the configuration is valid without any setting', () => {
  expect(refusalOf(() => readConfig({}))).toBe('');
});

test('variables of the CLI in the same shell are accepted', () => {
  const theirs = ['KEY', 'API_URL', 'TOKEN', 'PROFILE', 'APP'].map((name) => [`SLIPWAY_${name}`, 'x']);
  expect(refusalOf(() => readConfig(Object.fromEntries(theirs)))).toBe('');
});

test('RENAMED_SETTINGS contains the old names of the shutdown delay, the key lifetime and the age of held deliveries', () => {
  expect(Object.keys(RENAMED_SETTINGS)).toEqual([
    'SLIPWAY_STOP_DELAY_SECONDS',
    'SLIPWAY_SANDBOX_KEY_DAYS',
    'SLIPWAY_SANDBOX_HELD_RETENTION_DAYS',
    'SLIPWAY_PRODUCTION_KEY_DAYS',
    'SLIPWAY_PRODUCTION_HELD_RETENTION_DAYS',
  ]);
});

const upgrading = readFileSync(new URL('../../../docs/operate/upgrades.md', import.meta.url), 'utf8');

test.each(Object.entries(RENAMED_SETTINGS))('a process refuses to start with %s and names %s', (old, current) => {
  expect(refusalOf(() => readConfig({ [old]: '7' }))).toBe(
    `${old} is now named ${current}. Rename the setting in the environment.`,
  );
  expect(refusalOf(() => readConfig({ [current]: '7' }))).toBe('');
  expect(Object.keys(SETTINGS)).not.toContain(old);
  expect(upgrading).toContain(`| \`${old}\` | \`${current}\` |`);
});

// What a key, its scopes and a grant allow, as tables written down apart from the rules.
import { describe, expect, test } from 'vitest';
import { askRules, firstBroken, GRANT_RULES, KEY_RULES, SCOPE_RULES } from './decision.ts';

const STATES = [null, 'authorised', 'paused', 'revoked'] as const;

describe('a call on a server is judged by the installation first and then by its scope', () => {
  test.each([
    [null, null, 'not_found'],
    ['authorised', 'authorised', undefined],
    ['authorised', 'paused', 'installation_paused'],
    ['authorised', 'revoked', 'installation_revoked'],
    ['authorised', null, 'scope_not_authorised'],
    ['paused', 'authorised', 'installation_paused'],
    ['paused', 'paused', 'installation_paused'],
    ['paused', 'revoked', 'installation_paused'],
    ['paused', null, 'installation_paused'],
    ['revoked', 'authorised', 'installation_revoked'],
    ['revoked', 'paused', 'installation_revoked'],
    ['revoked', 'revoked', 'installation_revoked'],
    ['revoked', null, 'installation_revoked'],
  ] as const)('installation %s, scope %s: %s', (installation_state, scope_state, code) => {
    expect(
      firstBroken(GRANT_RULES, { installation_state, scope_state, is_over_cap: false }, 'servers:read')?.code,
    ).toBe(code);
  });

  test('one over the cap is paused, by a rule of its own: nobody has paused it', () => {
    const grant = { installation_state: 'paused', scope_state: 'authorised', is_over_cap: true } as const;
    expect(firstBroken(GRANT_RULES, grant, 'servers:read')).toMatchObject({
      name: 'installation_within_cap',
      code: 'installation_paused',
    });
    const findings = askRules(GRANT_RULES, grant, 'servers:read');
    expect(findings.filter(({ outcome }) => outcome === 'broken').map(({ rule }) => rule)).toEqual([
      'installation_within_cap',
    ]);
  });

  test('a server that is not there is not found', () => {
    expect(firstBroken(GRANT_RULES, undefined, 'servers:read')?.code).toBe('not_found');
  });

  test('only one of all the cases allows', () => {
    const allowed = STATES.flatMap((installation_state) =>
      STATES.map((scope_state) => ({ installation_state, scope_state, is_over_cap: false })).filter(
        (grant) => firstBroken(GRANT_RULES, grant, 'servers:read') === undefined,
      ),
    );
    expect(allowed).toEqual([{ installation_state: 'authorised', scope_state: 'authorised', is_over_cap: false }]);
  });
});

describe('a key is judged by its revocation, then by its expiry, then by its app', () => {
  test.each([
    ['active', false, 'active', undefined],
    ['active', false, 'suspended', 'app_suspended'],
    ['active', true, 'active', 'expired_key'],
    ['active', true, 'suspended', 'expired_key'],
    ['revoked', false, 'active', 'revoked_key'],
    ['revoked', false, 'suspended', 'revoked_key'],
    ['revoked', true, 'active', 'revoked_key'],
    ['revoked', true, 'suspended', 'revoked_key'],
  ] as const)('%s, expired %s, app %s: %s', (state, isExpired, appStanding, code) => {
    expect(firstBroken(KEY_RULES, { state, isExpired, appStanding }, undefined)?.code).toBe(code);
  });

  test('one that is not there is invalid', () => {
    expect(firstBroken(KEY_RULES, undefined, undefined)?.code).toBe('invalid_key');
  });
});

test('what nothing is known of lets nothing through, whichever rule is asked first', () => {
  for (const rule of KEY_RULES) expect([rule.name, rule.holds(undefined, 'servers:read')]).not.toContain(true);
  for (const rule of SCOPE_RULES) expect([rule.name, rule.holds(undefined, 'servers:read')]).not.toContain(true);
  for (const rule of GRANT_RULES) expect([rule.name, rule.holds(undefined, 'servers:read')]).not.toContain(true);
});

test('a key has the scopes that it was made with and no other', () => {
  expect(firstBroken(SCOPE_RULES, ['servers:read'], 'servers:read')).toBeUndefined();
  expect(firstBroken(SCOPE_RULES, ['servers:read'], 'tickets:create')?.code).toBe('missing_scope');
  expect(firstBroken(SCOPE_RULES, [], 'servers:read')?.code).toBe('missing_scope');
});

// Tables that state what a key, its scopes and a grant allow, written independently of the rules.
import { describe, expect, test } from 'vitest';
import { evaluateRules, findUnmetRule, GRANT_RULES, KEY_RULES, SCOPE_RULES } from './access-rules.ts';
import type { GrantRow } from './grant-store.ts';

const UNRESTRICTED = {
  is_over_cap: false,
  restriction: null,
  scope_restriction: null,
  upstream_state: null,
  upstream_scope_state: null,
} as const;
const STATES = [null, 'authorised', 'paused', 'revoked'] as const;

describe('a call on a server is checked against the installation first and then against its scope', () => {
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
  ] as const)('installation %s and scope %s give %s', (installation_state, scope_state, code) => {
    expect(findUnmetRule(GRANT_RULES, { installation_state, scope_state, ...UNRESTRICTED }, 'servers:read')?.code).toBe(
      code,
    );
  });

  test('an installation over the cap breaks installation_within_cap and no other rule', () => {
    const states = { installation_state: 'paused', scope_state: 'authorised' } as const;
    const grant = { ...UNRESTRICTED, ...states, is_over_cap: true };
    expect(findUnmetRule(GRANT_RULES, grant, 'servers:read')).toMatchObject({
      name: 'installation_within_cap',
      code: 'installation_paused',
    });
    const findings = evaluateRules(GRANT_RULES, grant, 'servers:read');
    expect(findings.filter(({ outcome }) => outcome === 'broken').map(({ rule }) => rule)).toEqual([
      'installation_within_cap',
    ]);
  });

  describe('rules distinguish the organisation from the upstream API', () => {
    const RESTRICTED = ['paused', 'revoked'] as const;
    const broken = (grant: GrantRow): string[] =>
      evaluateRules(GRANT_RULES, grant, 'servers:read').flatMap(({ rule, outcome }) =>
        outcome === 'broken' ? rule : [],
      );
    const authorised = { ...UNRESTRICTED, installation_state: 'authorised', scope_state: 'authorised' } as const;

    test.each(RESTRICTED)('a server that the organisation has %s breaks only the organisation’s rule', (state) => {
      const grant = {
        ...authorised,
        installation_state: state,
        restriction: state,
        upstream_state: 'authorised',
      } as const;
      expect(broken(grant)).toEqual([`server_not_${state}_by_organisation`]);
      expect(findUnmetRule(GRANT_RULES, grant, 'servers:read')?.code).toBe(`installation_${state}`);
    });

    test.each(RESTRICTED)('a scope that the organisation has %s breaks only the organisation’s rule', (state) => {
      const grant = {
        ...authorised,
        scope_state: state,
        scope_restriction: state,
        upstream_scope_state: 'authorised',
      } as const;
      expect(broken(grant)).toEqual([`scope_not_${state}_by_organisation`]);
      expect(findUnmetRule(GRANT_RULES, grant, 'servers:read')?.code).toBe(`installation_${state}`);
    });

    test('a grant that both sides restrict breaks a rule of each side', () => {
      const grant = {
        ...authorised,
        installation_state: 'revoked',
        restriction: 'revoked',
        upstream_state: 'paused',
      } as const;
      expect(broken(grant)).toEqual(['server_not_revoked_by_organisation', 'installation_not_paused']);
    });

    test('a restriction of the server or of the scope refuses an otherwise authorised call', () => {
      for (const restriction of RESTRICTED) {
        expect(findUnmetRule(GRANT_RULES, { ...authorised, restriction }, 'servers:read')).toBeDefined();
        expect(
          findUnmetRule(GRANT_RULES, { ...authorised, scope_restriction: restriction }, 'servers:read'),
        ).toBeDefined();
      }
    });
  });

  test('an unknown server gives not_found', () => {
    expect(findUnmetRule(GRANT_RULES, undefined, 'servers:read')?.code).toBe('not_found');
  });

  test('only an authorised installation with an authorised scope allows a call', () => {
    const allowed = STATES.flatMap((installation_state) =>
      STATES.map((scope_state) => ({ installation_state, scope_state, ...UNRESTRICTED })).filter(
        (grant) => findUnmetRule(GRANT_RULES, grant, 'servers:read') === undefined,
      ),
    );
    expect(allowed).toEqual([{ installation_state: 'authorised', scope_state: 'authorised', ...UNRESTRICTED }]);
  });
});

describe('a key is checked for revocation, then for expiry, then for the status of its app', () => {
  test.each([
    ['active', false, 'active', undefined],
    ['active', false, 'suspended', 'app_suspended'],
    ['active', true, 'active', 'expired_key'],
    ['active', true, 'suspended', 'expired_key'],
    ['revoked', false, 'active', 'revoked_key'],
    ['revoked', false, 'suspended', 'revoked_key'],
    ['revoked', true, 'active', 'revoked_key'],
    ['revoked', true, 'suspended', 'revoked_key'],
  ] as const)('key %s, expired %s and app %s give %s', (state, isExpired, appStatus, code) => {
    expect(findUnmetRule(KEY_RULES, { state, isExpired, appStatus }, undefined)?.code).toBe(code);
  });

  test('an unknown key gives invalid_key', () => {
    expect(findUnmetRule(KEY_RULES, undefined, undefined)?.code).toBe('invalid_key');
  });
});

test('no rule allows a request without facts, whichever rule is evaluated first', () => {
  for (const rule of KEY_RULES) expect([rule.name, rule.holds(undefined, 'servers:read')]).not.toContain(true);
  for (const rule of SCOPE_RULES) expect([rule.name, rule.holds(undefined, 'servers:read')]).not.toContain(true);
  for (const rule of GRANT_RULES) expect([rule.name, rule.holds(undefined, 'servers:read')]).not.toContain(true);
});

test('a key has only the scopes that it was created with', () => {
  expect(findUnmetRule(SCOPE_RULES, ['servers:read'], 'servers:read')).toBeUndefined();
  expect(findUnmetRule(SCOPE_RULES, ['servers:read'], 'tickets:create')?.code).toBe('missing_scope');
  expect(findUnmetRule(SCOPE_RULES, [], 'servers:read')?.code).toBe('missing_scope');
});

// The transition of a grant for each requested state, as a table. Authorised and paused are reversible, revoked is
// final.
import { describe, expect, test } from 'vitest';
import { planGrant, toInstallation } from './installation.ts';

describe('the transition of a grant', () => {
  test.each([
    [undefined, 'authorised', 'make'],
    [undefined, 'paused', 'refuse'],
    [undefined, 'revoked', 'refuse'],
    ['authorised', 'authorised', 'keep'],
    ['authorised', 'paused', 'change'],
    ['authorised', 'revoked', 'change'],
    ['paused', 'authorised', 'change'],
    ['paused', 'paused', 'keep'],
    ['paused', 'revoked', 'change'],
    ['revoked', 'authorised', 'make'],
    ['revoked', 'paused', 'refuse'],
    ['revoked', 'revoked', 'keep'],
  ] as const)('from %s to %s is %s', (current, wanted, plan) => {
    expect(planGrant(current, wanted)).toBe(plan);
  });
});

test('returns no installation for a server on which the app was never installed', () => {
  const row = {
    app_id: '01890a5d-ac96-774b-bcce-b302099a8057',
    server_id: '0188bac7-4afa-78aa-bc3b-bd1eef28d881',
    server_name: 'A',
    installation_id: null,
    state: null,
    is_over_cap: null,
    scopes: [],
    upstream: null,
    restrictions: [],
  };
  expect(toInstallation(row)).toEqual({
    serverId: 'srv_01h2xcejqtf2nbrexx3vqjhp41',
    serverName: 'A',
    installation: null,
    upstream: null,
    restrictions: [],
    isOverCap: false,
    unusedScopes: null,
  });
});

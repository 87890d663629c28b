// What a grant allows, as a table, and what binds a cursor.
import { describe, expect, test } from 'vitest';
import { cursorBinding, judgeGrant } from './caller.ts';
import { ACTIONS, mayDo, ROLES } from './roles.ts';

describe('a call on a server is judged by the installation first and then by its scope', () => {
  test.each([
    [undefined, undefined, 'not_found'],
    ['authorised', 'authorised', undefined],
    ['authorised', 'paused', 'installation_paused'],
    ['authorised', 'revoked', 'installation_revoked'],
    ['authorised', undefined, 'scope_not_authorised'],
    ['paused', 'authorised', 'installation_paused'],
    ['paused', 'paused', 'installation_paused'],
    ['paused', 'revoked', 'installation_paused'],
    ['paused', undefined, 'installation_paused'],
    ['revoked', 'authorised', 'installation_revoked'],
    ['revoked', 'paused', 'installation_revoked'],
    ['revoked', 'revoked', 'installation_revoked'],
    ['revoked', undefined, 'installation_revoked'],
  ] as const)('installation %s, scope %s: %s', (installation, scope, code) => {
    expect(judgeGrant(installation, scope)).toBe(code);
  });

  test('only one of all the cases allows', () => {
    const states = [undefined, 'authorised', 'paused', 'revoked'] as const;
    const allowed = states.flatMap((installation) =>
      states.filter((scope) => judgeGrant(installation, scope) === undefined).map((scope) => [installation, scope]),
    );
    expect(allowed).toEqual([['authorised', 'authorised']]);
  });
});

describe('a cursor is bound', () => {
  const bound = cursorBinding('app A', 'listThings', { code: 'x', method: 'GET', limit: 5, cursor: 'c' });

  test('to its app, its operation and its filter', () => {
    expect(cursorBinding('app B', 'listThings', { code: 'x', method: 'GET' })).not.toBe(bound);
    expect(cursorBinding('app A', 'listOthers', { code: 'x', method: 'GET' })).not.toBe(bound);
    expect(cursorBinding('app A', 'listThings', { code: 'y', method: 'GET' })).not.toBe(bound);
    expect(cursorBinding('app A', 'listThings', { code: 'x' })).not.toBe(bound);
  });

  test('but neither to the size of the page, nor to the place in it, nor to the order of the query', () => {
    expect(cursorBinding('app A', 'listThings', { limit: 9, method: 'GET', cursor: 'd', code: 'x' })).toBe(bound);
  });
});

describe('roles', () => {
  test('everyone may read; who only looks on may change nothing', () => {
    for (const action of Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]) {
      const isRead = action.endsWith('.read');
      expect([action, ROLES.filter((role) => mayDo(role, action))]).toEqual([
        action,
        isRead ? ['owner', 'admin', 'developer', 'auditor', 'viewer'] : ['owner', 'admin', 'developer'],
      ]);
    }
  });
});

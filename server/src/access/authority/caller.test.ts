// What binds a cursor, and what a role may do.
import { describe, expect, test } from 'vitest';
import { cursorBinding } from './caller.ts';
import { ACTIONS, mayDo, type ROLES } from './roles.ts';

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

// About nobody but whoever does it: their membership, their tokens.
const OWN = ['organisation.leave', 'tokens.create', 'tokens.revoke'];

describe('roles', () => {
  test('who only looks on changes nothing of others, and an admin may what a developer may, an owner everything', () => {
    for (const action of Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]) {
      const may = (role: (typeof ROLES)[number]): boolean => mayDo(role, action);
      const isHarmless = action.endsWith('.read') || OWN.includes(action);
      expect([action, may('owner'), may('developer') && !may('admin')]).toEqual([action, true, false]);
      if (!isHarmless) expect([action, may('auditor'), may('viewer')]).toEqual([action, false, false]);
    }
  });
});

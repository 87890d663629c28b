// What binds a cursor, and what a role may do.
import { describe, expect, test } from 'vitest';
import { cursorBinding } from './caller.ts';
import { ACTIONS, mayDo, ROLES } from './roles.ts';

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
  // Neither everybody's to read nor every builder's to change.
  const RESERVED: Partial<Record<keyof typeof ACTIONS, string[]>> = {
    'apps.delete': ['owner', 'admin'],
    'audit.read': ['owner', 'admin', 'auditor'],
  };

  test('everyone may read but what is reserved; who only looks on may change nothing', () => {
    for (const action of Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]) {
      const isRead = action.endsWith('.read');
      const usual = isRead ? ['owner', 'admin', 'developer', 'auditor', 'viewer'] : ['owner', 'admin', 'developer'];
      const allowed = ROLES.filter((role) => mayDo(role, action));
      expect([action, allowed]).toEqual([action, RESERVED[action] ?? usual]);
    }
  });
});

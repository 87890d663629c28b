import { describe, expect, test } from 'vitest';
import { ACTIONS, mayDo, type ROLES } from './roles.ts';

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

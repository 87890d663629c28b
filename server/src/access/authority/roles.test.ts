import { describe, expect, test } from 'vitest';
import { ACTIONS, isActionAllowed, type ROLES } from './roles.ts';

// Actions on the member's own membership, tokens, mail settings and saved views.
const OWN = ['notices.follow', 'organisation.leave', 'tokens.create', 'tokens.revoke', 'views.change'];

describe('roles', () => {
  test('an auditor or viewer changes nothing of other members, an admin may do all that a developer may, and an owner may do everything', () => {
    for (const action of Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]) {
      const may = (role: (typeof ROLES)[number]): boolean => isActionAllowed(role, action);
      const isHarmless = action.endsWith('.read') || OWN.includes(action);
      expect([action, may('owner'), may('developer') && !may('admin')]).toEqual([action, true, false]);
      if (!isHarmless) expect([action, may('auditor'), may('viewer')]).toEqual([action, false, false]);
    }
  });
});

// Generates docs/reference/roles.md: the table of roles and actions, with the operations that require each action.
import { ACTIONS, type Action, isActionAllowed, ROLES } from '../../server/src/access/authority/index.ts';
import type { AnyOperation } from '../../server/src/kit/http/operation.ts';

export function rolesPage(operations: readonly Pick<AnyOperation<never>, 'id' | 'access'>[]): string {
  const actions = Object.keys(ACTIONS) as Action[]; // Object.keys loses the type
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const askedFor = (action: Action): string =>
    [...new Set(operations.filter(({ access }) => access.action === action).map(({ id }) => `\`${id}\``))].join(', ');
  return [
    '# Roles',
    '',
    'Generated from `server/src/access/authority/roles.ts` by `npm run contract`. Do not edit.',
    '',
    'A member of an organisation has one role. This table of role-based access control (RBAC) decides which actions a role allows; an action',
    'that is not in the table is refused. `listRoles` returns the same table. No member can assign a role that allows more than their own, or change a',
    'member who has such a role. So only owners appoint and change owners, and the last owner keeps the role',
    '([0022](../decisions/0022-members-and-roles.md)).',
    '',
    row(['action', ...ROLES, 'operations']),
    row(['---', ...ROLES.map(() => ':-:'), '---']),
    ...actions.map((action) =>
      row([`\`${action}\``, ...ROLES.map((role) => (isActionAllowed(role, action) ? 'yes' : '')), askedFor(action)]),
    ),
    '',
  ].join('\n');
}

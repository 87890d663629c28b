// Generates docs/roles.md: the table of roles and actions, with the operations that require each action.
import { ACTIONS, type Action, mayDo, ROLES } from '../access/authority/index.ts';
import type { AnyOperation } from '../kit/http/operation.ts';

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
    'Who belongs to an organisation does so in one role. This table decides what the role allows, is served by `listRoles`,',
    'and what it does not name nobody may do. Nobody gives a role that may do more than their own, or changes a member who',
    'may; so only owners make owners and change owners, and the last owner stays one (docs/decisions/0022).',
    '',
    row(['action', ...ROLES, 'asked for by']),
    row(['---', ...ROLES.map(() => ':-:'), '---']),
    ...actions.map((action) =>
      row([`\`${action}\``, ...ROLES.map((role) => (mayDo(role, action) ? 'yes' : '')), askedFor(action)]),
    ),
    '',
  ].join('\n');
}

import { ACTIONS, type Action, isActionAllowed, ROLES, RoleSchema } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { namedObject, namedSchema, oneOf, strictObject, Type } from '../../kit/http/schema.ts';
import { allowPerson } from '../sessions/index.ts';

const actions = Object.keys(ACTIONS) as Action[]; // Object.keys returns strings

const RoleActions = namedObject('RoleActions', 'A role and its actions.', {
  role: RoleSchema,
  actions: Type.Array(oneOf(actions, 'An action that a role can allow.'), {
    maxItems: 200,
    description: 'All actions that the role allows.',
  }),
});

const data = ROLES.map((role) => ({ role, actions: actions.filter((action) => isActionAllowed(role, action)) }));

export const listRoles = operation({
  id: 'listRoles',
  route: 'GET /api/roles',
  tag: 'Organisations',
  summary: 'List roles',
  description:
    'Lists each role with the actions that it allows. The same table decides each request, so a client can check in advance whether a request would be refused.',
  access: allowPerson(),
  replies: ok(
    'The roles, from the most to the least privileged.',
    namedSchema(
      'RoleList',
      strictObject({ data: Type.Array(RoleActions, { maxItems: 10, description: 'Each role.' }) }),
    ),
    { aRole: { data: [{ role: 'viewer', actions: ['apps.read', 'keys.read'] }] } },
  ),
  async run() {
    return { status: 200, body: { data } };
  },
});

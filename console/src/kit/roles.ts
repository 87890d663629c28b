// Reads the server's table of roles and actions. The server decides; the Console shows the decision in advance.
import { useQuery } from '@tanstack/react-query';
import { type Action, api, type Role, type RoleActions } from './api.ts';
import { queryKeys } from './query-keys.ts';

export const ROLE_MEANING: Record<Role, string> = {
  owner: 'Owns the organisation and can do everything in it.',
  admin: 'Can change everything in the organisation, including its members.',
  developer: 'Can register apps and change keys, installations and webhooks.',
  auditor: 'Can read everything, including the audit log, and change nothing.',
  viewer: 'Can read everything and change nothing.',
};

/** Returns the meaning as a sentence about a member with the role. */
export function describeRole(role: Role): string {
  const [first = '', ...rest] = ROLE_MEANING[role];
  return `${/^[ao]/.test(role) ? 'An' : 'A'} ${role} ${first.toLowerCase()}${rest.join('')}`;
}

function useRoleTable() {
  return useQuery({
    queryKey: queryKeys.roles,
    queryFn: ({ signal }) => api.listRoles({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY, // changes only with the server's version
  });
}

function useRoles(): RoleActions[] | undefined {
  return useRoleTable().data?.data;
}

/**
 * Returns whether the role permits the action; undefined while the table loads. If the table cannot be loaded, the
 * server decides.
 */
export function useIsPermitted(role: Role | undefined, action: Action): boolean | undefined {
  const table = useRoleTable();
  if (table.isError) return true;
  return table.data?.data.find((one) => one.role === role)?.actions.includes(action);
}

/** Returns the actions that the role permits; none while the table loads. */
export function usePermittedActions(role: Role | undefined): ReadonlySet<Action> {
  return new Set(useRoles()?.find((one) => one.role === role)?.actions);
}

/** Returns why the role does not permit the action; undefined if it does or while the table loads. */
export function useRefusalReason(role: Role | undefined, action: Action): string | undefined {
  const roles = useRoles();
  if (role === undefined) return 'Your role is still loading.';
  const able = roles?.filter(({ actions }) => actions.includes(action)).map((one) => one.role);
  if (!able || able.includes(role)) return undefined;
  return `Your role is ${role}. This action requires one of: ${able.join(', ')}.`;
}

/**
 * Returns the roles without more actions than this one. A member cannot assign any other role, or change a member who
 * has it.
 */
export function useRolesWithin(own: Role | undefined): Role[] {
  const roles = useRoles() ?? [];
  const reach = roles.find(({ role }) => role === own)?.actions ?? [];
  return roles.filter(({ actions }) => actions.every((action) => reach.includes(action))).map(({ role }) => role);
}

// The only table of roles and actions. It determines the checks, the disabled controls of the Console and the
// documentation.

import { oneOf } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import type { Environment } from './key-token.ts';

export const ROLES = ['owner', 'admin', 'developer', 'auditor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];
export const RoleSchema = oneOf(ROLES, 'A role in an organisation.');

const everyone = ROLES;
const auditors = ['owner', 'admin', 'auditor'] as const;
const builders = ['owner', 'admin', 'developer'] as const;
const managers = ['owner', 'admin'] as const;
const owners = ['owner'] as const;

export const ACTIONS = {
  'organisation.leave': everyone,
  'organisation.change': managers,
  'organisation.transfer': owners,
  'organisation.delete': owners,
  'organisation.export': owners,
  'members.read': everyone,
  'members.invite': managers,
  'members.change': managers,
  'members.remove': managers,
  'tokens.read': everyone,
  'tokens.create': everyone,
  'tokens.revoke': everyone,
  // Also the tokens of other members.
  'tokens.manage': managers,
  'apps.read': everyone,
  'apps.create': builders,
  'apps.change': builders,
  'apps.suspend': builders,
  'apps.delete': managers,
  'keys.read': everyone,
  'keys.create': builders,
  'keys.change': builders,
  'keys.rotate': builders,
  'keys.revoke': builders,
  // Applies in production, where it replaces `keys.create` and `keys.rotate`.
  'production_keys.create': managers,
  'keys.use': builders,
  'notices.read': everyone,
  'notices.change': builders,
  // The member's own mail.
  'notices.follow': everyone,
  'installations.read': everyone,
  'installations.change': builders,
  'endpoints.read': everyone,
  'endpoints.change': builders,
  'endpoints.reveal': builders,
  'endpoints.rotate': builders,
  'deliveries.read': everyone,
  'deliveries.redeliver': builders,
  'requests.read': everyone,
  'requests.reveal': builders,
  'views.read': everyone,
  // The member's own saved views.
  'views.change': everyone,
  'faults.read': everyone,
  'faults.change': builders,
  'world.read': everyone,
  'world.change': builders,
  'live_access.read': everyone,
  'live_access.request': managers,
  'audit.read': auditors,
  'receipts.read': everyone,
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof ACTIONS;

/** The action that is required in production, if it differs. It also requires a recently confirmed second factor. */
const IN_PRODUCTION: Partial<Record<Action, Action>> = {
  'keys.create': 'production_keys.create',
  'keys.rotate': 'production_keys.create',
};

export function actionIn(environment: Environment, action: Action): Action {
  return (environment === 'production' && IN_PRODUCTION[action]) || action;
}

export const needsSecondFactor = (action: Action): boolean => action === 'production_keys.create';

export function isActionAllowed(role: Role, action: Action): boolean {
  const allowed: readonly Role[] = ACTIONS[action];
  return allowed.includes(role);
}

/** Throws the refusal that names the allowed roles. */
export function requireAction(role: Role, action: Action): void {
  if (isActionAllowed(role, action)) return;
  const roles = ACTIONS[action].join(', ');
  throw problem('role_not_allowed', { detail: `Your role is ${role}. This requires one of the roles ${roles}.` });
}

/**
 * Returns true if `own` may do all that `role` may. A member cannot assign or change a role that has more permissions
 * than the member's own.
 */
export function coversRole(own: Role, role: Role): boolean {
  return Object.values<readonly Role[]>(ACTIONS).every((allowed) => !allowed.includes(role) || allowed.includes(own));
}

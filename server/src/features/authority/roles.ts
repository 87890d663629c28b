// The one table of role x action: it drives the checks, the Console's disabled controls and the documentation.
import { oneOf } from '../../kit/schema.ts';

export const ROLES = ['owner', 'admin', 'developer', 'auditor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];
export const RoleSchema = oneOf(ROLES, 'A role in an organisation.');

const everyone = ROLES;
const auditors = ['owner', 'admin', 'auditor'] as const;
const builders = ['owner', 'admin', 'developer'] as const;

export const ACTIONS = {
  'apps.read': everyone,
  'apps.create': builders,
  'apps.change': builders,
  'apps.suspend': builders,
  'apps.delete': ['owner', 'admin'],
  'keys.read': everyone,
  'keys.create': builders,
  'keys.change': builders,
  'keys.rotate': builders,
  'keys.revoke': builders,
  'keys.use': builders,
  'installations.read': everyone,
  'installations.change': builders,
  'endpoints.read': everyone,
  'endpoints.change': builders,
  'deliveries.read': everyone,
  'requests.read': everyone,
  'faults.read': everyone,
  'faults.change': builders,
  'world.read': everyone,
  'world.change': builders,
  'audit.read': auditors,
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof ACTIONS;

export function mayDo(role: Role, action: Action): boolean {
  const allowed: readonly Role[] = ACTIONS[action];
  return allowed.includes(role);
}

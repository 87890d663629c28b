// Texts of the access rules. Pure functions.
import type { AccessExplanation } from '../../kit/api.ts';

type Rule = AccessExplanation['rules'][number];

export const RULE_LABELS: Record<Rule['rule'], string> = {
  key_exists: 'The key belongs to this app',
  key_not_revoked: 'The key is not revoked',
  key_not_expired: 'The key has not expired',
  app_active: 'The app is active',
  key_has_scope: 'The key has the scope',
  server_exists: 'The server exists',
  installation_exists: 'The server has authorised the app',
  server_not_revoked_by_organisation: 'Your organisation has not revoked the server',
  installation_not_revoked: 'The installation is not revoked',
  server_not_paused_by_organisation: 'Your organisation has not paused the server',
  installation_within_cap: 'The server is within the server limit',
  installation_not_paused: 'The installation is not paused',
  scope_not_revoked_by_organisation: 'Your organisation has not revoked the scope there',
  scope_authorised: 'The server has authorised the scope',
  scope_not_revoked: 'The scope is not revoked there',
  scope_not_paused_by_organisation: 'Your organisation has not paused the scope there',
  scope_not_paused: 'The scope is not paused there',
  resource_scope_approved: 'The app is approved for the scope of the event’s resource',
  resource_scope_not_revoked_by_organisation:
    'Your organisation has not revoked the scope of the event’s resource there',
  resource_scope_authorised: 'The server has authorised the scope of the event’s resource',
  resource_scope_not_revoked: 'The scope of the event’s resource is not revoked there',
  resource_scope_not_paused_by_organisation: 'Your organisation has not paused the scope of the event’s resource there',
  resource_scope_not_paused: 'The scope of the event’s resource is not paused there',
};

export const OUTCOMES = {
  holds: { tone: 'good', words: 'holds' },
  broken: { tone: 'bad', words: 'broken' },
  unknown: { tone: 'none', words: 'not asked' },
} as const satisfies Record<Rule['outcome'], unknown>;

export function describeAccess({ isAllowed, code, omittedServers }: AccessExplanation): string {
  if (!isAllowed) return `The response would be ${code}`;
  if (omittedServers === null || omittedServers.length === 0) return 'Every rule holds';
  return `Every rule holds; ${omittedServers.length === 1 ? 'one server is' : `${omittedServers.length} servers are`} left out`;
}

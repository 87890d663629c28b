// Who may change things. The server decides; the Console only shows beforehand what it would answer.
import type { Role } from './api.ts';

export const ROLE_MEANING: Record<Role, string> = {
  owner: 'Owns the organisation and may do everything in it.',
  admin: 'May change everything in the organisation.',
  developer: 'May register apps and change keys, installations and webhooks.',
  auditor: 'May look at everything and change nothing.',
  viewer: 'May look at everything and change nothing.',
};

export function mayChange(role: Role | undefined): boolean {
  return role === 'owner' || role === 'admin' || role === 'developer';
}

/** Why this role may not change anything; undefined when it may. */
export function reasonAgainst(role: Role | undefined): string | undefined {
  if (mayChange(role)) return undefined;
  return `Your role here is ${role ?? 'unknown'}. An owner, admin or developer may do this.`;
}

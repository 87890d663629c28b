// Describes the six scopes: what each permits, and what stops without it.
import type { Scope } from './api.ts';

export const SCOPES: readonly Scope[] = [
  'servers:read',
  'publications:read',
  'events:read',
  'roadmap:read',
  'tickets:create',
  'workflows:run',
];

export const SCOPE_MEANING: Record<Scope, string> = {
  'servers:read': 'Read servers',
  'publications:read': 'Read publications',
  'events:read':
    'Read events, and receive them by webhook. The server of an event with a resource must also authorise the resource’s scope.',
  'roadmap:read': 'Read the roadmap',
  'tickets:create': 'Create tickets, and read those that the app created',
  'workflows:run': 'Run workflows',
};

/** The scopes of the quick start of an app: its first call, its ticket, and the webhook of the ticket. */
export const FIRST_KEY_SCOPES = ['servers:read', 'events:read', 'tickets:create'] as const satisfies readonly Scope[];

interface ScopePreset {
  name: string;
  scopes: readonly Scope[];
}

export const SCOPE_PRESETS: readonly ScopePreset[] = [
  { name: 'First call', scopes: ['servers:read'] },
  { name: 'Tickets with their events', scopes: FIRST_KEY_SCOPES },
  { name: 'Read only', scopes: ['servers:read', 'publications:read', 'events:read', 'roadmap:read'] },
  { name: 'All six', scopes: SCOPES },
];

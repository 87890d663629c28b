// Describes the scopes of the contract: what each permits, and what stops without it.
import type { Scope } from './api.ts';
import { OWN_CONTRACT } from './own-contract.ts';

export const SCOPE_MEANING: Record<Scope, string> = OWN_CONTRACT?.scopes ?? {
  'servers:read': 'Read servers',
  'publications:read': 'Read publications',
  'events:read':
    'Read events, and receive them by webhook. The server of an event with a resource must also authorise the resource’s scope.',
  'roadmap:read': 'Read the roadmap',
  'tickets:create': 'Create tickets, and read those that the app created',
  'workflows:run': 'Run workflows',
};

export const SCOPES = Object.keys(SCOPE_MEANING) as readonly Scope[]; // Object.keys loses the key type

/** The scopes of the quick start of an app: its first call, its ticket, and the webhook of the ticket. */
export const FIRST_KEY_SCOPES: readonly Scope[] = OWN_CONTRACT
  ? SCOPES
  : ['servers:read', 'events:read', 'tickets:create'];

interface ScopePreset {
  name: string;
  scopes: readonly Scope[];
}

export const SCOPE_PRESETS: readonly ScopePreset[] = OWN_CONTRACT
  ? [
      ...Object.entries(OWN_CONTRACT.keyPresets).map(([name, scopes]) => ({ name, scopes })),
      { name: 'All', scopes: SCOPES },
    ]
  : [
      { name: 'First call', scopes: ['servers:read'] },
      { name: 'Tickets with their events', scopes: FIRST_KEY_SCOPES },
      { name: 'Read only', scopes: ['servers:read', 'publications:read', 'events:read', 'roadmap:read'] },
      { name: 'All six', scopes: SCOPES },
    ];

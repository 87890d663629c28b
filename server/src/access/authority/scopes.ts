// The six scopes. A key holds scopes and a server authorises scopes, independently of each other.
import { oneOf } from '../../kit/http/schema.ts';

export const SCOPES = [
  'servers:read',
  'publications:read',
  'events:read',
  'roadmap:read',
  'tickets:create',
  'workflows:run',
] as const;

export type Scope = (typeof SCOPES)[number];

export const SCOPE_MEANING: Record<Scope, string> = {
  'servers:read': 'Read servers',
  'publications:read': 'Read publications',
  'events:read': 'Read events; the server of an event with a resource must also authorise the resource’s scope',
  'roadmap:read': 'Read roadmap',
  'tickets:create': 'Create tickets, and read those that the app created',
  'workflows:run': 'Run workflows',
};

export const ScopeSchema = oneOf(SCOPES, 'A scope.');

// The default contract: communities on a chat platform, with the six scopes of the specification.
import { defineContract } from '../contract.ts';
import { deprecations } from './deprecations.ts';
import { publications } from './publications.ts';
import { roadmapItems } from './roadmap.ts';
import { servers } from './servers.ts';
import { tickets } from './tickets.ts';
import { workflowRuns, workflows } from './workflows.ts';

const MINUTE_MS = 60_000;

export const community = defineContract({
  file: import.meta.url,
  name: 'community',
  scopes: {
    'servers:read': 'Read servers',
    'publications:read': 'Read publications',
    'events:read': 'Read events; the server of an event with a resource must also authorise the resource’s scope',
    'roadmap:read': 'Read roadmap',
    'tickets:create': 'Create tickets, and read those that the app created',
    'workflows:run': 'Run workflows',
  },
  keyPresets: {
    'read-only': ['servers:read', 'publications:read', 'events:read', 'roadmap:read'],
    tickets: ['servers:read', 'tickets:create'],
    workflows: ['servers:read', 'workflows:run'],
    webhooks: ['events:read'],
  },
  resources: [servers, publications, roadmapItems, tickets, workflows, workflowRuns],
  presets: {
    empty: {
      meaning: 'nothing',
      counts: { servers: 0, publications: 0, roadmapItems: 0, tickets: 0 },
      script: 'plain',
      tickMs: 10 * MINUTE_MS,
    },
    small: {
      meaning: 'five servers',
      counts: { servers: 5, publications: 12, roadmapItems: 6, tickets: 3 },
      script: 'plain',
      tickMs: 10 * MINUTE_MS,
    },
    busy: {
      meaning: 'many objects and much activity',
      counts: { servers: 20, publications: 150, roadmapItems: 40, tickets: 30 },
      script: 'plain',
      tickMs: MINUTE_MS,
    },
    unicode: {
      meaning: 'texts in many scripts',
      counts: { servers: 10, publications: 20, roadmapItems: 8, tickets: 5 },
      script: 'unicode',
      tickMs: 10 * MINUTE_MS,
    },
    large: {
      meaning: '10,000 servers',
      counts: { servers: 10_000, publications: 20, roadmapItems: 2, tickets: 0 },
      script: 'plain',
      tickMs: MINUTE_MS,
    },
  },
  deprecations,
});

// Presets: sets of scopes for a task, each with the minimum that the task needs.

import { SCOPES, type Scope } from '../../access/authority/index.ts';
import { oneOf } from '../../kit/http/schema.ts';

export const PRESETS = {
  'read-only': ['servers:read', 'publications:read', 'events:read', 'roadmap:read'],
  tickets: ['servers:read', 'tickets:create'],
  workflows: ['servers:read', 'workflows:run'],
  webhooks: ['events:read'],
  everything: SCOPES,
} as const satisfies Record<string, readonly Scope[]>;

const presetLines = Object.entries(PRESETS).map(
  ([name, scopes]) => `\`${name}\`: ${scopes.map((scope) => `\`${scope}\``).join(', ')}`,
);

export const Preset = oneOf(
  Object.keys(PRESETS) as (keyof typeof PRESETS)[], // the keys of the constant above
  `A set of scopes for a task, instead of \`scopes\`. ${presetLines.join('; ')}.`,
);

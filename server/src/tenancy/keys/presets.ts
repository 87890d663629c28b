// Presets: sets of scopes for a task, each with the minimum that the task needs.

import { SCOPES, type Scope } from '../../access/authority/index.ts';
import { contract } from '../../access/contracts/index.ts';
import { oneOf } from '../../kit/http/schema.ts';

export const PRESETS = { ...contract.keyPresets, everything: SCOPES } satisfies Record<string, readonly Scope[]>;

const presetLines = Object.entries(PRESETS).map(
  ([name, scopes]) => `\`${name}\`: ${scopes.map((scope) => `\`${scope}\``).join(', ')}`,
);

export const Preset = oneOf(
  Object.keys(PRESETS) as (keyof typeof PRESETS)[], // the keys of the constant above
  `A set of scopes for a task, instead of \`scopes\`. ${presetLines.join('; ')}.`,
);

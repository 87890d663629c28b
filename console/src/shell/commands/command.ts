// A command of the palette, and the search: every word must match, and names that begin with the query come first.

import type { TablerIcon } from '@tabler/icons-react';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { OWN_CONTRACT } from '../../kit/own-contract.ts';

export type CommandGroup =
  | 'Pasted'
  | 'This app'
  | 'Key'
  | 'Endpoint'
  | 'App'
  | 'Organisation'
  | 'Operator'
  | 'Page'
  | 'Action';

/** A dialog that a command opens over the current page. */
export type PaletteDialog = 'shortcuts' | 'trigger-event' | 'change-server';

export interface Command {
  id: string;
  group: CommandGroup;
  label: string;
  /** Icon of the page that the command opens. Otherwise the icon of the group is shown. */
  icon?: TablerIcon;
  /** Distinguishes the command from others with a similar label. */
  note?: string;
  /** Further words that match the command. */
  words?: string;
  run(): void;
}

const MAX_SHOWN = 60;

export function findCommands(commands: readonly Command[], query: string): Command[] {
  const wanted = query.toLowerCase().trim();
  const words = wanted.split(/\s+/);
  const rank = ({ group, label, note = '', words: more = '' }: Command): number => {
    if (group === 'Pasted') return 3; // made from the query itself
    const name = label.toLowerCase();
    if (name.startsWith(wanted)) return 2;
    const text = `${name}\n${note}\n${more}\n${group}`.toLowerCase();
    return words.every((word) => text.includes(word)) ? 1 : 0;
  };
  return commands
    .map((command) => ({ command, rank: rank(command) }))
    .filter((one) => one.rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MAX_SHOWN)
    .map((one) => one.command);
}

/** Returns the commands by group. The first command of each group decides the order of the groups. */
export function groupCommands(commands: readonly Command[]): Map<CommandGroup, Command[]> {
  const groups = new Map<CommandGroup, Command[]>();
  for (const command of commands) groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  return groups;
}

const KINDS = {
  req: 'request',
  evt: 'event',
  dlv: 'delivery',
  whe: 'endpoint',
  key: 'key',
  srv: 'server',
  rdl: 'redelivery',
  drl: 'drill',
  aud: 'audit entry',
} as const;
// Objects of the sandbox data, which production does not have.
const OBJECT_KINDS = {
  pub: 'publication',
  rmi: 'roadmap item',
  tkt: 'ticket',
  wfl: 'workflow',
  wfr: 'workflow run',
} as const;
const OWN_KINDS =
  OWN_CONTRACT && Object.fromEntries(OWN_CONTRACT.resources.map(({ idPrefix }) => [idPrefix, 'object' as const]));
export type PastedKind =
  | (typeof KINDS)[keyof typeof KINDS]
  | (typeof OBJECT_KINDS)[keyof typeof OBJECT_KINDS]
  | 'object';

const KIND_OF_PREFIX = new Map<string, PastedKind>(
  Object.entries({ ...(!IS_PRODUCTION && (OWN_KINDS ?? OBJECT_KINDS)), ...KINDS }),
);

/** Returns the kind of a text that is exactly one identifier; otherwise undefined. */
export function kindOfIdentifier(text: string): PastedKind | undefined {
  const [, prefix = ''] = /^([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}$/.exec(text.trim()) ?? [];
  return KIND_OF_PREFIX.get(prefix);
}

// A command of the palette, and the search: every word must match, and names that begin with the query come first.

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

export interface Command {
  id: string;
  group: CommandGroup;
  label: string;
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

const KINDS = {
  req: 'request',
  evt: 'event',
  dlv: 'delivery',
  whe: 'endpoint',
  key: 'key',
  srv: 'server',
} as const;
export type PastedKind = (typeof KINDS)[keyof typeof KINDS];

/** Returns the kind of a text that is exactly one identifier; otherwise undefined. */
export function kindOfIdentifier(text: string): PastedKind | undefined {
  const [, prefix] = /^(req|evt|dlv|whe|key|srv)_[0-7][0-9a-hjkmnp-tv-z]{25}$/.exec(text.trim()) ?? [];
  return prefix === undefined ? undefined : KINDS[prefix as keyof typeof KINDS]; // the pattern permits no other prefix
}

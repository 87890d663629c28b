// Adds lines below the error of a mistyped command: the command that was probably meant, and the commands that exist.
import type { Command } from 'commander';

const LISTED = ['list', 'ls', 'show', 'get', 'all'];

/** Words that other tools use, with the names in this CLI. The first name that exists at that place is suggested. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  ticket: ['tickets'],
  webhook: ['endpoints'],
  webhooks: ['endpoints'],
  org: ['use'],
  orgs: ['use'],
  organisation: ['use'],
  organisations: ['use'],
  organization: ['use'],
  organizations: ['use'],
  auth: ['login'],
  signin: ['login'],
  logs: ['requests'],
  ls: ['list'],
  all: ['list'],
  get: ['show'],
  view: ['show'],
  describe: ['show'],
  new: ['create'],
  add: ['create'],
  delete: ['delete', 'revoke', 'remove'],
  remove: ['remove', 'delete', 'revoke'],
  rm: ['remove', 'delete', 'revoke'],
  edit: ['update', 'rename'],
};

/** Returns the full path of a command: `slipway keys`. */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

const commandsLine = (command: Command, names: readonly string[]): string =>
  `${command.parent ? `Commands of ${pathOf(command)}` : 'Commands'}: ${names.join(', ')}\n`;

/** Returns the error of commander with the command that was probably meant. `words` is the typed command line. */
export function withHint(text: string, command: Command, words: readonly string[]): string {
  const [error = '', suggestion] = text.split(/\n\(Did you mean (?:one of )?([^?]*)\?\)\n?/);
  if (error.includes('too many arguments')) return `${error.trimEnd()}\n${excessHint(command, words)}`;
  const unknown = /unknown command '(.*)'/.exec(error)?.[1];
  if (unknown === undefined) return text;
  const names = command.commands.map((one) => one.name());
  const meant = findReorderedCommand(unknown, names, words) ?? synonym(unknown, names) ?? suggestion?.split(', ')[0];
  const hint = meant === undefined ? '' : `Did you mean \`${pathOf(command)} ${meant}\`?\n`;
  return `${error.trimEnd()}\n${hint}${commandsLine(command, names)}`;
}

/** Families that are a single command. */
const SINGLE = ['events', 'me', 'servers', 'status', 'whoami'];

/** Returns the command for words in the wrong order: `keys list` for `list keys`, and `servers` for `list servers`. */
function findReorderedCommand(unknown: string, names: readonly string[], words: readonly string[]): string | undefined {
  const next = words[words.indexOf(unknown) + 1];
  if (next === undefined) return undefined;
  const family = [next, `${next}s`].find((name) => names.includes(name));
  if (family === undefined || SINGLE.includes(family)) return family;
  return `${family} ${(Object.hasOwn(SYNONYMS, unknown) && SYNONYMS[unknown]?.[0]) || unknown}`;
}

const synonym = (unknown: string, names: readonly string[]): string | undefined =>
  (Object.hasOwn(SYNONYMS, unknown) ? SYNONYMS[unknown] : undefined)?.find((name) => names.includes(name));

/**
 * Returns the hint for excess arguments. Users often type `list` after a command without subcommands, such as
 * `servers`.
 */
function excessHint(command: Command, words: readonly string[]): string {
  const path = pathOf(command);
  const isHabit = command.registeredArguments.length === 0 && words.some((word) => LISTED.includes(word));
  return isHabit ? `Did you mean \`${path}\`? It has no commands of its own.\n` : `Usage: ${path} ${command.usage()}\n`;
}

// Types of a command, and parsers of its options. A command is a table row that calls one operation, or a function.
import type { AccessChangeInput, Operations } from '@slipway/sdk/management';
import type { Columns, OutputFormat } from './cells.ts';
import type { Settings } from './config.ts';
import { type Peer, UsageError } from './errors.ts';
import type { Io } from './io.ts';
import type { CommonOptions, Session } from './session.ts';
import { escapeText } from './text.ts';

export interface OptionSpec {
  /** Flags in the syntax of commander. `--no-rate` belongs to `--rate` and must follow it. */
  flags: string;
  /** Path of the field that the option sets, such as `effect.code`. Default: the option's name in camel case. */
  field?: string;
  description: string;
  isRequired?: boolean;
  /** Flag of the option that can replace this one, if one of the two is required. */
  alternative?: string;
  /** Parses the typed text. `before` is the result of the same option earlier in the command line. */
  parse?: (text: string, before: unknown) => unknown;
}

interface AnyCommand {
  /** Empty if the family is a single command. */
  name: string;
  /**
   * Arguments such as `<keyId>`: a parameter in the operation's path, or otherwise a field of its body. The last one
   * can take several words: `<command...>`.
   */
  args?: string;
  summary: string;
  /** An example without `slipway`, which the help prints. Identifiers end with `...`. */
  example: string;
  /** Text below the help of the command. */
  about?: string;
  /** Returns further text of the help for the typed words. */
  describe?: (words: readonly string[], settings: Settings) => Promise<string>;
}

export interface OperationCommand extends AnyCommand {
  operation: keyof Operations;
  query?: readonly OptionSpec[];
  body?: readonly OptionSpec[];
  /** Values of body fields: constants, and defaults that an option replaces. */
  fixed?: Readonly<Record<string, unknown>>;
  columns?: Columns;
  /** Text in place of an empty table, if the command can say more than `Nothing found.` */
  nothing?: string;
  /** The response is a JSON document, which is printed indented on a terminal and in a pipe. */
  isDocument?: true;
  /**
   * Returns the response without the fields that have no meaning in its state. Used on a terminal only; JSON has every
   * field.
   */
  summarise?: (answer: unknown) => unknown;
  /** Confirmation before the call. `{keyId}` is replaced by the argument. */
  question?: string;
  /**
   * Returns the access that the command takes away, or undefined if it takes none. A dry run prints what this would
   * break.
   */
  forecast?: (input: Readonly<Record<string, unknown>>) => AccessChangeInput | undefined;
  /** Message on a terminal after success, if there is no result to show. `{keyId}` is replaced by the argument. */
  done?: string;
}

interface CustomCommand extends AnyCommand {
  options?: readonly OptionSpec[];
  /** The command handles Ctrl-C itself: it finishes its work before it ends. */
  handlesInterrupt?: boolean;
  /** The command needs no sign-in. The common options, such as --app and --profile, are omitted. */
  isAlone?: boolean;
  /** The command calls /v1 with SLIPWAY_KEY, which determines app and environment. */
  isByKey?: boolean;
  /** The command does not exist in production. */
  isSandboxOnly?: boolean;
  /** Common options that have no meaning for the command, such as `--dry-run`. */
  omits?: readonly string[];
  run(call: Invocation): Promise<void>;
}

export type CommandSpec = OperationCommand | CustomCommand;

export type OptionValues = Readonly<Record<string, unknown>>;

/** A run of a command: its arguments, options and connections. */
export interface Invocation {
  io: Io;
  settings: Settings;
  form: OutputFormat;
  common: CommonOptions;
  args: Readonly<Record<string, string>>;
  /** The values of an argument such as `<command...>`. */
  rest: readonly string[];
  options: OptionValues;
  /** Opens a session of the signed-in user. */
  session(): Promise<Session>;
  /** Records which server is called next, so that a missing response can be explained. */
  expect(peer: Peer): void;
}

export interface CommandGroup {
  name: string;
  summary: string;
  load(): Promise<readonly CommandSpec[]>;
}

/** Returns the names of arguments: two for `<keyId> [name]`. */
export const namesOf = (args = ''): string[] => [...args.matchAll(/[<[](\w+)/g)].map(([, name = '']) => name);

/**
 * Returns the arguments as optional ones, because commander would report only the first missing one. `requireAll`
 * reports all of them.
 */
export const optionalArguments = (args: string): string => args.replaceAll(/<(\w+(?:\.\.\.)?)>/g, '[$1]');

export const isOperationCommand = (spec: CommandSpec): spec is OperationCommand => 'operation' in spec;

/**
 * Passes typed text to an operation without validation. The API validates it and names the permitted values, so the CLI
 * keeps no list that becomes outdated.
 */
export const unvalidated = <T>(value: unknown): T => value as T; // the API validates it

export function option(flags: string, description: string, parse?: OptionSpec['parse']): OptionSpec {
  return { flags, description, ...(parse && { parse }) };
}
export const required = (...of: Parameters<typeof option>): OptionSpec => ({ ...option(...of), isRequired: true });

/** Returns the name under which commander passes an option: `expiresInDays` for `-y, --expires-in-days <days>`. */
export function nameOf({ flags }: OptionSpec): string {
  const name = /--([\w-]+)/.exec(flags)?.[1] ?? '';
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the long flag as it is typed: `--expires-in-days`. */
export const flagOf = ({ flags }: OptionSpec): string => /--[\w-]+/.exec(flags)?.[0] ?? flags;

export function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new UsageError(`must be a number, not ${escapeText(text)}.`);
  return value;
}

/** Parses an integer of at least 1. */
export function count(text: string): number {
  const value = number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new UsageError(`must be a whole number of at least 1, not ${escapeText(text)}.`);
  return value;
}

/** Parses `a,b`. A repeated option adds to the list. */
export const list = (text: string, before: unknown): string[] => [
  ...(Array.isArray(before) ? before : []),
  ...text.split(',').map((part) => part.trim()),
];

/** Parses `name=value`. The option can be repeated. */
export function pairs(text: string, before: unknown): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`must have the form name=value, not ${escapeText(text)}.`);
  return { ...(before as Record<string, string> | undefined), [text.slice(0, at)]: text.slice(at + 1) }; // an earlier result of this function
}

/** Parses `name=1`. The option can be repeated. */
export function counts(text: string, before: unknown): Record<string, number> {
  const numbers = Object.entries(pairs(text, undefined)).map(([name, value]) => [name, count(value)]);
  return { ...(before as Record<string, number> | undefined), ...Object.fromEntries(numbers) }; // an earlier result of this function
}

/** Parses `a,b` as the names of fields to remove: each becomes null. */
export const names = (text: string, before: unknown): object => ({
  ...(before as object | undefined), // an earlier result of `pairs` or of this function
  ...Object.fromEntries(list(text, undefined).map((name) => [name, null])),
});

/**
 * Parses `path.to=value` into nested fields. The option can be repeated. A value that begins with `[` or `{` is parsed
 * as JSON.
 */
export function paths(text: string, before: unknown): Record<string, unknown> {
  const at = text.indexOf('=');
  const names = text.slice(0, at).split('.');
  if (at < 1 || names.includes('')) throw new UsageError(`must have the form path=value, not ${escapeText(text)}.`);
  // Without a prototype, so that a field can have any name.
  const all: Record<string, unknown> = Object.assign(Object.create(null), before);
  const last = names.pop() ?? '';
  let inner = all;
  for (const name of names) {
    inner[name] = Object.assign(Object.create(null), inner[name]);
    inner = inner[name] as Record<string, unknown>; // assigned one line above
  }
  inner[last] = jsonOf(text.slice(at + 1));
  return all;
}

/** Parses JSON that begins with `[` or `{`. Other text stays text. */
export function jsonOf(text: string): unknown {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`must be valid JSON, because it begins with [ or {: ${escapeText(text)}.`);
  }
}

export function environment(text: string): string {
  if (text === 'sandbox' || text === 'production') return text;
  throw new UsageError(`must be sandbox or production, not ${escapeText(text)}.`);
}

export function trueOrFalse(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new UsageError(`must be true or false, not ${escapeText(text)}.`);
  return text === 'true';
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `2026-11-02T10:15:30Z`, or a duration before now: `90s`, `10m`, `2h`, `7d`. Returns an ISO 8601 timestamp. */
export function timestamp(text: string): string {
  const [, amount, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const atMs = amount === undefined ? Date.parse(text) : Date.now() - Number(amount) * (UNITS[unit] ?? 0);
  if (Number.isNaN(atMs))
    throw new UsageError(`must be a time such as 10m, 2h, 7d or 2026-11-02T10:15:30Z, not ${escapeText(text)}.`);
  return new Date(atMs).toISOString();
}

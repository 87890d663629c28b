// What a command is: a call of one operation, told by a row of a table, or a function of its own.
import type { Operations } from '@slipway/sdk/management';
import type { Columns, Form } from './cells.ts';
import type { Settings } from './config.ts';
import { type Peer, UsageError } from './errors.ts';
import type { Io } from './io.ts';
import type { Common, Session } from './session.ts';
import { inert } from './text.ts';

export interface OptionSpec {
  /** As commander reads them: `--no-rate` is about what `--rate` is about, and comes after it. */
  flags: string;
  /** The field that it fills, as `effect.code`; the name in camel case unless it says otherwise. */
  field?: string;
  description: string;
  isRequired?: boolean;
  /** The flag of the option that may be given in place of this one, where one of the two is required. */
  alternative?: string;
  /** `before` is what the same option was given earlier in the line. */
  parse?: (text: string, before: unknown) => unknown;
}

interface AnyCommand {
  /** Empty for that of a family which is one command. */
  name: string;
  /** As `<keyId>`: named as in the operation's path, or else a field of its body. */
  args?: string;
  summary: string;
  /** More about it, below its help. */
  about?: string;
}

export interface OperationCommand extends AnyCommand {
  operation: keyof Operations;
  query?: readonly OptionSpec[];
  body?: readonly OptionSpec[];
  /** What of the body is not to be said, or not unless it is said otherwise. */
  fixed?: Readonly<Record<string, unknown>>;
  columns?: Columns;
  /** What is said in place of a table of nothing, where more can be said than that. */
  nothing?: string;
  /** The answer is a document: it is printed as one, wherever it goes. */
  isDocument?: true;
  /** Returns the answer without the fields that say nothing in its state. A terminal shows it; JSON has every field. */
  summarise?: (answer: unknown) => unknown;
  /** What is asked before; `{keyId}` is replaced. */
  question?: string;
  /** What is said on a terminal when it is done and there is nothing to show; `{keyId}` is replaced. */
  done?: string;
}

export interface OwnCommand extends AnyCommand {
  options?: readonly OptionSpec[];
  /** Whether Ctrl-C is its own affair: it ends by itself then. */
  endsItself?: boolean;
  /** It has neither --app nor --profile: it needs nobody to be signed in. */
  isAlone?: boolean;
  /** It calls /v1 with SLIPWAY_KEY, which says of which app and environment it is. */
  isByKey?: boolean;
  /** Production has none of it. */
  isSandboxOnly?: boolean;
  run(call: Call): Promise<void>;
}

export type CommandSpec = OperationCommand | OwnCommand;

export type Given = Readonly<Record<string, unknown>>;

export interface Call {
  io: Io;
  settings: Settings;
  form: Form;
  common: Common;
  args: Readonly<Record<string, string>>;
  options: Given;
  /** Whoever is signed in. */
  session(): Promise<Session>;
  /** Told where an answer is expected from, so that its absence can be explained. */
  expect(peer: Peer): void;
}

export interface Family {
  name: string;
  summary: string;
  load(): Promise<readonly CommandSpec[]>;
}

/** `<keyId> [name]` are two names. */
export const namesOf = (args = ''): string[] => [...args.matchAll(/[<[](\w+)/g)].map(([, name = '']) => name);

export const isOperationCommand = (spec: CommandSpec): spec is OperationCommand => 'operation' in spec;

/**
 * What was typed, as an operation takes it. The API judges it and says what would be right, so that no list of its values
 * is kept here, where it would be older than the API.
 */
export const unjudged = <T>(value: unknown): T => value as T; // as said

export function option(flags: string, description: string, parse?: OptionSpec['parse']): OptionSpec {
  return { flags, description, ...(parse && { parse }) };
}
export const required = (...of: Parameters<typeof option>): OptionSpec => ({ ...option(...of), isRequired: true });

/** Under which name commander hands over `-y, --expires-in-days <days>`. */
export function nameOf({ flags }: OptionSpec): string {
  const name = /--([\w-]+)/.exec(flags)?.[1] ?? '';
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `--expires-in-days`, as it is typed. */
export const flagOf = ({ flags }: OptionSpec): string => /--[\w-]+/.exec(flags)?.[0] ?? flags;

export function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new UsageError(`${inert(text)} is no number.`);
  return value;
}

/** How many. */
export function count(text: string): number {
  const value = number(text);
  if (!Number.isInteger(value) || value < 1) throw new UsageError(`${inert(text)} is no whole number of at least 1.`);
  return value;
}

/** `a,b`, or the option more than once. */
export const list = (text: string, before: unknown): string[] => [
  ...(Array.isArray(before) ? before : []),
  ...text.split(',').map((part) => part.trim()),
];

/** `name=value`, as often as one likes. */
export function pairs(text: string, before: unknown): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`${inert(text)} is not of the form name=value.`);
  return { ...(before as Record<string, string> | undefined), [text.slice(0, at)]: text.slice(at + 1) }; // its own result
}

/** `name=1`, as often as one likes. */
export function counts(text: string, before: unknown): Record<string, number> {
  const said = Object.entries(pairs(text, undefined)).map(([name, value]) => [name, count(value)]);
  return { ...(before as Record<string, number> | undefined), ...Object.fromEntries(said) }; // its own result
}

/** `a,b`: fields of an object, each to be taken away. */
export const names = (text: string, before: unknown): object => ({
  ...(before as object | undefined), // what `pairs` or it made
  ...Object.fromEntries(list(text, undefined).map((name) => [name, null])),
});

/** `path.to=value`, as often as one likes: fields within fields. What begins as a list or an object is one, in JSON. */
export function paths(text: string, before: unknown): Record<string, unknown> {
  const at = text.indexOf('=');
  const names = text.slice(0, at).split('.');
  if (at < 1 || names.includes('')) throw new UsageError(`${inert(text)} is not of the form path=value.`);
  // Without a prototype: a field may be called as one likes.
  const all: Record<string, unknown> = Object.assign(Object.create(null), before);
  const last = names.pop() ?? '';
  let inner = all;
  for (const name of names) {
    inner[name] = Object.assign(Object.create(null), inner[name]);
    inner = inner[name] as Record<string, unknown>; // made one line above
  }
  inner[last] = jsonOf(text.slice(at + 1));
  return all;
}

function jsonOf(text: string): unknown {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${inert(text)} begins like JSON and is none.`);
  }
}

export function environment(text: string): string {
  if (text === 'sandbox' || text === 'production') return text;
  throw new UsageError(`${inert(text)} is neither sandbox nor production.`);
}

export function trueOrFalse(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new UsageError(`${inert(text)} is neither true nor false.`);
  return text === 'true';
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `2026-11-02T10:15:30Z`, or how long ago: `90s`, `10m`, `2h`, `7d`. */
export function moment(text: string): string {
  const [, amount, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const atMs = amount === undefined ? Date.parse(text) : Date.now() - Number(amount) * (UNITS[unit] ?? 0);
  if (Number.isNaN(atMs)) throw new UsageError(`${inert(text)} is no moment: 10m, 2h, 7d, or 2026-11-02T10:15:30Z.`);
  return new Date(atMs).toISOString();
}

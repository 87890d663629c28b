// The options of a command, its own and those that many have, for commander.
import { operations } from '@slipway/sdk/management';
import { Option } from 'commander';
import {
  type CommandSpec,
  count,
  environment,
  flagOf,
  type Given,
  isOperationCommand,
  list,
  nameOf,
  type OptionSpec,
  option,
} from './command.ts';
import { UsageError } from './errors.ts';

const PROFILE = option('--profile <name>', 'another profile than the one that `use` chose');
const APP = option('--app <app>', 'another app than that, by its identifier or name');
const ENVIRONMENT = option('--environment <environment>', 'production, in place of the sandbox', environment);
const JSON_FIELDS = option('--json [fields]', 'print JSON, with these fields alone: --json id,name', list);
const DRY_RUN = option('--dry-run', 'print the call as a curl command, and make none');
export const LIMIT = option('--limit <number>', 'how many to show at most (100)', count);
const YES = option('-y, --yes', 'do not ask');

export function optionsOf(spec: CommandSpec): Option[] {
  return specsOf(spec).map(({ flags, description, parse, isRequired, alternative }) => {
    const needs = alternative === undefined ? 'required' : `this or ${alternative} is required`;
    const made = new Option(flags, isRequired ? `${description} (${needs})` : description);
    return parse ? made.argParser(naming(made.long, parse)) : made;
  });
}

/** The required options, each with the one that may be given in its place. */
const requiredOf = (spec: CommandSpec): readonly (readonly OptionSpec[])[] => {
  const all = specsOf(spec);
  return all
    .filter((one) => one.isRequired)
    .map((one) => [one, ...all.filter((other) => flagOf(other) === one.alternative)]);
};

const flagsOf = (either: readonly OptionSpec[], between: string): string =>
  either.map(({ flags }) => flags).join(between);

/** The line of the help that shows how the command is typed: its arguments and its required options. */
export const usageOf = (spec: CommandSpec): string =>
  [
    spec.args,
    ...requiredOf(spec).map((either) => (either.length > 1 ? `(${flagsOf(either, ' | ')})` : flagsOf(either, ''))),
    '[options]',
  ]
    .filter(Boolean)
    .join(' ');

/** Throws a UsageError that names every required argument and option that is missing; commander would name the first one alone. */
export function requireAll(spec: CommandSpec, options: Given, args: readonly unknown[]): void {
  const missingArgs = [...(spec.args ?? '').matchAll(/[<[]\w+[>\]]/g)]
    .map(([name]) => name)
    .filter((name, at) => name.startsWith('<') && args[at] === undefined);
  const missingOptions = requiredOf(spec).filter((either) => either.every((one) => options[nameOf(one)] === undefined));
  const missing = [...missingArgs, ...missingOptions.map((either) => flagsOf(either, ' or '))];
  if (missing.length > 0) throw new UsageError(`missing: ${missing.join(', ')}. Try --help.`);
}

type Parse = NonNullable<OptionSpec['parse']>;

/** Whoever typed five options is told which one does not fit. */
const naming =
  (flag: string | undefined, parse: Parse): Parse =>
  (text, before) => {
    try {
      return parse(text, before);
    } catch (error) {
      throw error instanceof UsageError ? new UsageError(`${flag}: ${error.message}`) : error;
    }
  };

/** Its options, its own first. */
export function specsOf(spec: CommandSpec): readonly OptionSpec[] {
  if (!isOperationCommand(spec)) {
    const place = spec.isByKey ? [] : spec.isSandboxOnly ? [PROFILE, APP] : [ENVIRONMENT, PROFILE, APP];
    const common = spec.isAlone ? [] : [...place, JSON_FIELDS, DRY_RUN];
    return [...(spec.options ?? []), ...common];
  }
  const entry = operations[spec.operation];
  // Where it need not be an argument.
  const takesApp = entry.path.includes('{appId}') && !spec.args?.includes('<appId>');
  return [
    ...(spec.query ?? []),
    ...(spec.body ?? []),
    ...('page' in entry || spec.columns ? [LIMIT] : []),
    ...(spec.question ? [YES] : []),
    ...(entry.path.startsWith('/api/sandbox/') && !('isSandboxOnly' in entry) ? [ENVIRONMENT] : []),
    PROFILE,
    ...(takesApp ? [APP] : []),
    JSON_FIELDS,
    DRY_RUN,
  ];
}

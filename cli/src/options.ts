// Builds the options of a command for commander: its own options and the common ones.
import { operations } from '@slipway/sdk/management';
import { Option } from 'commander';
import {
  type CommandSpec,
  count,
  environment,
  flagOf,
  isOperationCommand,
  list,
  nameOf,
  type OptionSpec,
  type OptionValues,
  option,
} from './command.ts';
import { UsageError } from './errors.ts';

const PROFILE = option('--profile <name>', 'profile (selected with `use`)');
const APP = option('--app <app>', 'app, by identifier or name (selected with `use`)');
const ENVIRONMENT = option('--environment <environment>', 'sandbox or production (sandbox)', environment);
const JSON_FIELDS = option('--json [fields]', 'print JSON, optionally only some fields: --json id,name', list);
const DRY_RUN = option('--dry-run', 'print the call as a curl command without sending it');
export const LIMIT = option('--limit <number>', 'maximum number of items (100)', count);
const YES = option('-y, --yes', 'skip the confirmation');

export function optionsOf(spec: CommandSpec): Option[] {
  return specsOf(spec).map(({ flags, description, parse, isRequired, alternative }) => {
    const needs = alternative === undefined ? 'required' : `this or ${alternative} is required`;
    const created = new Option(flags, isRequired ? `${description} (${needs})` : description);
    return parse ? created.argParser(naming(created.long, parse)) : created;
  });
}

/** Returns the required options, each with the alternative that can replace it. */
const requiredOf = (spec: CommandSpec): readonly (readonly OptionSpec[])[] => {
  const all = specsOf(spec);
  return all
    .filter((one) => one.isRequired)
    .map((one) => [one, ...all.filter((other) => flagOf(other) === one.alternative)]);
};

const flagsOf = (either: readonly OptionSpec[], between: string): string =>
  either.map(({ flags }) => flags).join(between);

/** Returns the usage line of the help: arguments and required options. */
export const usageOf = (spec: CommandSpec): string =>
  [
    spec.args,
    ...requiredOf(spec).map((either) => (either.length > 1 ? `(${flagsOf(either, ' | ')})` : flagsOf(either, ''))),
    '[options]',
  ]
    .filter(Boolean)
    .join(' ');

/** Throws a `UsageError` that names every missing argument and option. commander would name the first one only. */
export function requireAll(spec: CommandSpec, options: OptionValues, args: readonly unknown[]): void {
  const isMissing = (typed: unknown): boolean => typed === undefined || (Array.isArray(typed) && typed.length === 0);
  const missingArgs = [...(spec.args ?? '').matchAll(/[<[]\w+(?:\.\.\.)?[>\]]/g)]
    .map(([name]) => name)
    .filter((name, at) => name.startsWith('<') && isMissing(args[at]));
  const missingOptions = requiredOf(spec).filter((either) => either.every((one) => options[nameOf(one)] === undefined));
  const missing = [...missingArgs, ...missingOptions.map((either) => flagsOf(either, ' or '))];
  if (missing.length > 0) throw new UsageError(`missing: ${missing.join(', ')}. Try --help.`);
}

type Parse = NonNullable<OptionSpec['parse']>;

/** Adds the flag to the error of a parser, so that the error names the faulty option. */
const naming =
  (flag: string | undefined, parse: Parse): Parse =>
  (text, before) => {
    try {
      return parse(text, before);
    } catch (error) {
      throw error instanceof UsageError ? new UsageError(`${flag}: ${error.message}`) : error;
    }
  };

/** Returns all options of a command, its own options first. */
export function specsOf(spec: CommandSpec): readonly OptionSpec[] {
  if (!isOperationCommand(spec)) {
    const scopeOptions = spec.isByKey ? [] : spec.isSandboxOnly ? [PROFILE, APP] : [ENVIRONMENT, PROFILE, APP];
    const common = spec.isAlone ? [] : [...scopeOptions, JSON_FIELDS, DRY_RUN];
    const own = spec.options ?? [];
    // A command can replace a common option by its own.
    const omitted = [...(spec.omits ?? []), ...own.map(flagOf)];
    return [...own, ...common.filter((one) => !omitted.includes(flagOf(one)))];
  }
  const entry = operations[spec.operation];
  // True if the app is not an argument of the command.
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

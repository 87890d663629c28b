// The options of a command, its own and those that many have, for commander.
import { operations } from '@slipway/sdk/management';
import { Option } from 'commander';
import { type CommandSpec, count, environment, isOperationCommand, list, type OptionSpec, option } from './command.ts';
import { UsageError } from './errors.ts';

const PROFILE = option('--profile <name>', 'another profile than the one that `use` chose');
const APP = option('--app <app>', 'another app than that, by its identifier or name');
const ENVIRONMENT = option('--environment <environment>', 'production, in place of the sandbox', environment);
const JSON_FIELDS = option('--json [fields]', 'print JSON, with these fields alone: --json id,name', list);
const DRY_RUN = option('--dry-run', 'print the call as a curl command, and make none');
const LIMIT = option('--limit <number>', 'how many to show at most (100)', count);
const YES = option('-y, --yes', 'do not ask');

export function optionsOf(spec: CommandSpec): Option[] {
  return specsOf(spec).map(({ flags, description, parse, isRequired }) => {
    const made = new Option(flags, description).makeOptionMandatory(isRequired === true);
    return parse ? made.argParser(naming(made.long, parse)) : made;
  });
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
    ...('page' in entry ? [LIMIT] : []),
    ...(spec.question ? [YES] : []),
    ...(entry.path.startsWith('/api/sandbox/') && !('isSandboxOnly' in entry) ? [ENVIRONMENT] : []),
    PROFILE,
    ...(takesApp ? [APP] : []),
    JSON_FIELDS,
    DRY_RUN,
  ];
}

// Runs a command that is a table row: announces organisation and app, asks for confirmation, calls the operation, and
// prints the response.
import { operations } from '@slipway/sdk/management';
import {
  flagOf,
  type Invocation,
  nameOf,
  type OperationCommand,
  type OptionSpec,
  type OptionValues,
  unvalidated,
} from './command.ts';
import { CancellationError, UsageError } from './errors.ts';
import { printForecast } from './forecast.ts';
import { printDocument, printList, printOne } from './output.ts';
import { itemsOf, type Page, type PagedCall } from './paging.ts';
import { describeTarget, findApp, type Session } from './session.ts';
import { escapeText } from './text.ts';

export async function perform(spec: OperationCommand, call: Invocation): Promise<void> {
  const { io, args, options, form } = call;
  const entry = operations[spec.operation];
  if (entry.method === 'PATCH') requireChange(spec, options);
  if (args.appId !== undefined && call.common.app !== undefined)
    throw new UsageError('the app must be named once: as argument or with --app.');
  const session = await call.session();
  const isChange = entry.method !== 'GET';
  const isInPath = (name: string): boolean => entry.path.includes(`{${name}}`);
  const [inPath, beside] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(args).filter(([name]) => isInPath(name) === wanted)),
  );
  const needsApp = isInPath('appId');
  const input: Record<string, unknown> = { ...inPath, ...pick(spec.query ?? [], options) };
  if (isInPath('organisationId')) input.organisationId = (await session.organisation()).id;
  if (needsApp) input.appId = await appIdOf(session, args.appId);
  if (spec.body || spec.fixed) input.body = { ...spec.fixed, ...beside, ...pick(spec.body ?? [], options) };
  if (isChange) await printTarget(call, session, needsApp && args.appId === undefined);
  if (spec.question) await confirm(call, filledIn(spec.question, args));
  const { body, ...path } = input;
  const loss = call.common.isDryRun ? spec.forecast?.({ ...path, ...(body as object | undefined) }) : undefined;
  if (loss) await printForecast(io, session, loss);
  // The client has one method per operation. Its input holds path, query and body.
  const method = unvalidated<(input: object) => Promise<unknown>>(session.api[spec.operation]);
  if (!('page' in entry)) {
    const answer = await method(input);
    // A list without pages is printed like any other list.
    if (spec.columns) {
      const items = itemsOf(call, () => ({ pages: () => [unvalidated<Page>(answer)] }));
      return printList(io, items, spec.columns, form, spec.nothing);
    }
    if (spec.done && io.isTerminal && !form.json) io.err(`${filledIn(spec.done, args)}\n`);
    if (spec.isDocument) return printDocument(io, answer, form);
    const isRecord = io.isTerminal && !form.json;
    return printOne(io, isRecord && spec.summarise ? spec.summarise(answer) : answer, form);
  }
  const items = itemsOf(call, (limit) => unvalidated<PagedCall>(method({ ...input, limit })));
  await printList(io, items, spec.columns ?? [], form, spec.nothing);
}

/** Throws if no field is given. Omitted fields stay unchanged, so the request would change nothing. */
function requireChange({ body = [], fixed }: OperationCommand, options: OptionValues): void {
  if (fixed || Object.keys(pick(body, options)).length > 0) return;
  throw new UsageError(`nothing to change: requires one of ${body.map(flagOf).join(', ')}.`);
}

const filledIn = (text: string, args: Invocation['args']): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name) => escapeText(args[name] ?? ''));

/** Returns the id of the app that was named by identifier or name, or of the app that the user chose before. */
async function appIdOf(session: Session, named: string | undefined): Promise<string> {
  if (named === undefined) return (await session.app()).id;
  if (named.startsWith('app_')) return named;
  return (await findApp(session.lookup, await session.organisation(), named, session.environment)).id;
}

/** Returns the given options, each under its field. */
export function pick(specs: readonly OptionSpec[], options: OptionValues): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const spec of specs) {
    const value = options[nameOf(spec)];
    if (value === undefined) continue;
    const [field = '', inner] = (spec.field ?? nameOf(spec)).split('.');
    const sentValue = value === false && isRemoval(spec, specs) ? null : value;
    picked[field] = inner === undefined ? sentValue : { ...(picked[field] as object | undefined), [inner]: sentValue };
  }
  return picked;
}

/** Returns whether `--no-…` removes the value: true for an option with a value. For a flag, `--no-…` means false. */
const isRemoval = ({ flags }: OptionSpec, specs: readonly OptionSpec[]): boolean =>
  flags.includes('<') && specs.some((other) => other.flags === flags.replace(/^--/, '--no-').replace(/ .*/, ''));

/** Prints organisation and app before a change. */
export async function printTarget({ io }: Invocation, session: Session, needsApp: boolean): Promise<void> {
  io.err(`${await describeTarget(session, needsApp ? await session.app() : undefined)}\n`);
}

/** Continues after --yes or a confirmation. Throws a `UsageError` if no user can answer and --yes is missing. */
export async function confirm({ io, options, common }: Invocation, question: string): Promise<void> {
  if (options.yes === true || common.isDryRun) return;
  if (!io.canAsk) throw new UsageError(`${question} Without a terminal, confirm with --yes.`);
  const answer = await io.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new CancellationError();
}

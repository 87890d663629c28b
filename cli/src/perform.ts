// Performs a command that is a row of a table: asks what it has to ask, says where it acts, calls, and prints the answer.
import { operations } from '@slipway/sdk/management';
import { type Call, flagOf, type Given, nameOf, type OperationCommand, type OptionSpec, unjudged } from './command.ts';
import { Cancelled, UsageError } from './errors.ts';
import { printDocument, printList, printOne } from './output.ts';
import { itemsOf, type Page, type PagedCall } from './paging.ts';
import { findApp, type Session, whereabouts } from './session.ts';
import { inert } from './text.ts';

export async function perform(spec: OperationCommand, call: Call): Promise<void> {
  const { io, args, options, form } = call;
  const entry = operations[spec.operation];
  if (entry.method === 'PATCH') requireChange(spec, options);
  if (args.appId !== undefined && call.common.app !== undefined) throw new UsageError('the app is named twice.');
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
  if (isChange) await announce(call, session, needsApp && args.appId === undefined);
  if (spec.question) await confirm(call, filledIn(spec.question, args));
  // One method for each operation of the table, which takes what its path, query and body name.
  const method = unjudged<(input: object) => Promise<unknown>>(session.api[spec.operation]);
  if (!('page' in entry)) {
    const answer = await method(input);
    // A list that is one answer is printed as any other list.
    if (spec.columns) {
      const items = itemsOf(call, () => ({ pages: () => [unjudged<Page>(answer)] }));
      return printList(io, items, spec.columns, form, spec.nothing);
    }
    if (spec.done && io.isTerminal && !form.json) io.err(`${filledIn(spec.done, args)}\n`);
    if (spec.isDocument) return printDocument(io, answer, form);
    const isRecord = io.isTerminal && !form.json;
    return printOne(io, isRecord && spec.summarise ? spec.summarise(answer) : answer, form);
  }
  const items = itemsOf(call, (limit) => unjudged<PagedCall>(method({ ...input, limit })));
  await printList(io, items, spec.columns ?? [], form, spec.nothing);
}

/** What is not named stays: where nothing is, the API has nothing to do either. */
function requireChange({ body = [], fixed }: OperationCommand, options: Given): void {
  if (fixed || Object.keys(pick(body, options)).length > 0) return;
  throw new UsageError(`there is nothing to change: say one of ${body.map(flagOf).join(', ')}.`);
}

const filledIn = (text: string, args: Call['args']): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name) => inert(args[name] ?? ''));

/** The app in question is the one that is named, by its identifier or its name, or else the one that was chosen. */
async function appIdOf(session: Session, named: string | undefined): Promise<string> {
  if (named === undefined) return (await session.app()).id;
  if (named.startsWith('app_')) return named;
  return (await findApp(session.lookup, await session.organisation(), named, session.environment)).id;
}

/** What was given of these, each in its field. */
export function pick(specs: readonly OptionSpec[], options: Given): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const spec of specs) {
    const value = options[nameOf(spec)];
    if (value === undefined) continue;
    const [field = '', inner] = (spec.field ?? nameOf(spec)).split('.');
    const said = value === false && isTakenAway(spec, specs) ? null : value;
    picked[field] = inner === undefined ? said : { ...(picked[field] as object | undefined), [inner]: said };
  }
  return picked;
}

/** Of an option with a value `--no-...` means that there is to be none; of one without, the opposite. */
const isTakenAway = ({ flags }: OptionSpec, specs: readonly OptionSpec[]): boolean =>
  flags.includes('<') && specs.some((other) => other.flags === flags.replace(/^--/, '--no-').replace(/ .*/, ''));

/** Where something is about to be changed. */
export async function announce({ io }: Call, session: Session, needsApp: boolean): Promise<void> {
  io.err(`${await whereabouts(session, needsApp)}\n`);
}

/** Goes on with --yes or a yes; where nobody is there to answer, it takes --yes. */
export async function confirm({ io, options, common }: Call, question: string): Promise<void> {
  if (options.yes === true || common.isDryRun) return;
  if (!io.canAsk) throw new UsageError(`${question} Nobody is here to answer: say --yes.`);
  const answer = await io.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new Cancelled();
}

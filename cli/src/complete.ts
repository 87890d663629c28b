// Returns completions of a command line: commands and options from the tables, names and identifiers from the Console.
import type { ManagementClient } from '@slipway/sdk/management';
import type { OperationTable } from './api-operation.ts';
import { type CommandSpec, isOperationCommand, nameOf, namesOf, type OptionSpec } from './command.ts';
import { COMMAND_GROUPS } from './command-groups.ts';
import type { Settings } from './config.ts';
import type { Io } from './io.ts';
import { specsOf } from './options.ts';
import { readProfiles } from './profile.ts';
import { openSession } from './session.ts';
import { escapeText } from './text.ts';

/** A word, and its description. */
type Candidate = readonly [string, string];

// The user waits for completions while typing.
const LIMIT_MS = 700;

// A shell could execute other characters of a word.
// The `=` at the end belongs to the name of a parameter.
const WORD = /^[\p{L}\p{N}][\p{L}\p{N}_.:-]*=?$/u;
const FLAG = /^--?[a-z-]+$/;

/** Prints a line for each word that can replace the last one: the word, a tab, and its description. */
export async function complete(words: readonly string[], io: Io, settings: Settings): Promise<void> {
  const last = words.at(-1) ?? '';
  const found = await candidates(words.slice(0, -1), last, io, settings).catch(() => []); // an error would disturb the line that is being typed
  const form = last.startsWith('-') ? FLAG : WORD;
  for (const [value, about] of found) {
    if (form.test(value) && value.startsWith(last)) io.out(`${value}\t${escapeText(about)}\n`);
  }
}

async function candidates(
  before: readonly string[],
  last: string,
  io: Io,
  settings: Settings,
): Promise<readonly Candidate[]> {
  const [first, ...rest] = before;
  if (first === undefined) return [...COMMAND_GROUPS.map(familyCandidate), ['help', 'show help']];
  if (first === 'help')
    return rest.length === 0 ? [...COMMAND_GROUPS.map(familyCandidate), ['exit-codes', 'list exit codes']] : [];
  const specs = (await COMMAND_GROUPS.find(({ name }) => name === first)?.load()) ?? [];
  const spec = specs.find(({ name }) => name === '' || name === rest[0]);
  if (!spec) return rest.length === 0 ? specs.map(({ name, summary }) => [name, summary]) : [];
  const options = specsOf(spec);
  const taken = spec.name === '' ? rest : rest.slice(1);
  const previous = options.find(({ flags }) => takesValue(flags) && flagsOf(flags).includes(taken.at(-1) ?? ''));
  if (previous) return valuesOf(nameOf(previous), spec, taken, io, settings);
  if (last.startsWith('-')) return options.map(({ flags, description }) => [flagsOf(flags).at(-1) ?? '', description]);
  const argument = namesOf(spec.args)[argumentsIn(taken, options)];
  return argument === undefined ? [] : valuesOf(argument, spec, taken, io, settings);
}

const familyCandidate = ({ name, summary }: (typeof COMMAND_GROUPS)[number]): Candidate => [name, summary];
const flagsOf = (flags: string): string[] => flags.match(/-[\w-]+/g) ?? [];
const takesValue = (flags: string): boolean => /[<[]/.test(flags);

/** Returns how many words are neither options nor values of options. */
function argumentsIn(words: readonly string[], options: readonly OptionSpec[]): number {
  const isValue = (at: number): boolean =>
    options.some(({ flags }) => takesValue(flags) && flagsOf(flags).includes(words[at - 1] ?? ''));
  return words.filter((word, at) => !word.startsWith('-') && !isValue(at)).length;
}

async function valuesOf(
  name: string,
  spec: CommandSpec,
  words: readonly string[],
  io: Io,
  settings: Settings,
): Promise<readonly Candidate[]> {
  if (name === 'profile') {
    const { all } = readProfiles(settings.configFile);
    return Object.entries(all).map(([profile, { organisation }]) => [profile, organisation.name]);
  }
  if (name === 'environment') return ['sandbox', 'production'].map((one) => [one, 'an environment']);
  if (name === 'json' && isOperationCommand(spec)) return (spec.columns ?? []).map((column) => [column, 'a field']);
  if (name === 'operation') return operationCandidates(settings);
  if (name === 'param') return parameterCandidates(words, settings);
  const live = COMPLETION_SOURCES[name];
  if (!live) return [];
  const given = (flag: string): string | undefined => words[words.indexOf(flag) + 1 || words.length];
  const environment = given('--environment') === 'production' ? 'production' : 'sandbox';
  const common = { app: given('--app'), profile: given('--profile'), environment, isDryRun: false } as const;
  const { lookup, organisation, app } = openSession({ ...io, err() {} }, settings, common);
  const isOfApp = !/^(app|notice|destination)/.test(name);
  const ask = async (): Promise<readonly Candidate[]> => {
    const organisationId = (await organisation()).id;
    return live(lookup, { organisationId, appId: isOfApp ? (await app()).id : '' });
  };
  return Promise.race([ask(), pauseFor([])]);
}

/** Resolves to the served operations, or to those of the default contract if the API does not answer soon. */
async function tableFor(settings: Settings): Promise<OperationTable> {
  const { DEFAULT_TABLE } = await import('./api-operation.ts');
  const { readServedTable } = await import('./commands/v1.ts');
  const common = { app: undefined, profile: undefined, environment: 'sandbox', isDryRun: false } as const;
  const served = readServedTable({ settings, common, expect() {} }).catch(() => undefined);
  return (await Promise.race([served, pauseFor(undefined)])) ?? DEFAULT_TABLE;
}

const pauseFor = <T>(value: T): Promise<T> => new Promise((resolve) => setTimeout(resolve, LIMIT_MS, value));

async function operationCandidates(settings: Settings): Promise<readonly Candidate[]> {
  return Object.entries((await tableFor(settings)).operations).map(([id, { summary }]) => [id, summary]);
}

/** Returns the parameters of the typed operation that are not given yet. */
async function parameterCandidates(words: readonly string[], settings: Settings): Promise<readonly Candidate[]> {
  const { findOperation } = await import('./api-operation.ts');
  const table = await tableFor(settings);
  const operation = words.map((word) => findOperation(table, word)).find((one) => one !== undefined);
  return (operation?.parameters ?? [])
    .filter(({ name }) => !words.some((word) => word.startsWith(`${name}=`)))
    .map(({ name, description }) => [`${name}=`, description.split('\n')[0] ?? '']);
}

type CompletionSource = (
  api: ManagementClient,
  at: { organisationId: string; appId: string },
) => Promise<readonly Candidate[]>;

// Prefers a name that is a single word: the CLI accepts it in place of the identifier, and it is easier to recognise.
const apps: CompletionSource = async (api, { organisationId }) =>
  (await api.listApps({ organisationId, limit: 100 })).data.map(({ id, name }) =>
    WORD.test(name) ? [name, id] : [id, name],
  );
const endpoints: CompletionSource = async (api, at) =>
  (await api.listEndpoints({ ...at, limit: 100 })).data.map(({ id, url, description }) => [id, description || url]);

/** Functions that read completions from the Console, by the name of the argument or option. */
const COMPLETION_SOURCES: Readonly<Record<string, CompletionSource>> = {
  app: apps,
  appId: apps,
  endpointId: endpoints,
  keyId: async (api, at) => (await api.listKeys({ ...at, limit: 100 })).data.map(({ id, name }) => [id, name]),
  faultId: async (api, at) =>
    (await api.listFaults({ ...at, limit: 100 })).data.map(({ id, operationId }) => [id, operationId ?? 'any call']),
  serverId: async (api, at) =>
    (await api.listInstallations({ ...at, limit: 100 })).data.map(({ serverId, serverName }) => [serverId, serverName]),
  requestId: async (api, at) =>
    (await api.listRequests({ ...at, limit: 20 })).data.map(({ id, method, path }) => [id, `${method} ${path}`]),
  deliveryId: async (api, at) =>
    (await api.listDeliveries({ ...at, limit: 20 })).data.map(({ id, eventType, status }) => [
      id,
      `${eventType} ${status}`,
    ]),
  redeliveryId: async (api, at) =>
    (await api.listRedeliveries({ ...at, limit: 20 })).data.map(({ id, state, done, total }) => [
      id,
      `${state}, ${done} of ${total}`,
    ]),
  destinationId: async (api, { organisationId }) =>
    (await api.listNoticeDestinations({ organisationId, limit: 100 })).data.map(({ id, kind, name }) => [
      id,
      `${kind} ${name}`,
    ]),
  deprecationId: async (api, at) => (await api.listDeprecatedUses(at)).data.map(({ id, title }) => [id, title]),
  noticeId: async (api, at) =>
    (await api.listNotices({ ...at, unread: true, limit: 20 })).data.map(({ id, kind, appName }) => [
      id,
      `${kind} of ${appName}`,
    ]),
};

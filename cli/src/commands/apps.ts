// Commands for apps of the organisation, their keys, installations and notices.
import { type AccessChangeInput, keyActivityTable } from '@slipway/sdk/management';
import { activityLines, readActivity } from '../activity.ts';
import { isObject, type OutputFormat } from '../cells.ts';
import {
  type CommandSpec,
  type Invocation,
  list,
  number,
  option,
  required,
  timestamp,
  trueOrFalse,
  unvalidated,
} from '../command.ts';
import { forecastLines, readForecast } from '../forecast.ts';
import type { Io } from '../io.ts';
import { printList, printOne } from '../output.ts';
import { setAll } from './set-all.ts';

const APP_COLUMNS = ['id', 'name', 'state', 'environment', 'createdAt'];
const NAME = required('--name <name>', 'name, at most 100 characters');

/** Removes the forecast of an app that enforces the rule: the API counts nothing for such an app. */
function withoutForecast(answer: unknown): unknown {
  if (!isObject(answer) || !('state' in answer) || answer.state !== 'enforced') return answer;
  const forecast = ['events', 'deliveries', 'countLimit', 'isComplete', 'grants', 'newest'];
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !forecast.includes(name)));
}

export const apps: readonly CommandSpec[] = [
  {
    name: 'list',
    operation: 'listApps',
    summary: 'list the apps of the organisation',
    example: 'apps list',
    columns: APP_COLUMNS,
  },
  { name: 'show', args: '[appId]', operation: 'getApp', summary: 'show an app', example: 'apps show' },
  {
    name: 'create',
    operation: 'createApp',
    summary: 'register an app',
    example: 'apps create --name "My app"',
    body: [NAME],
  },
  {
    name: 'rename',
    args: '<appId>',
    operation: 'updateApp',
    summary: 'rename an app',
    example: 'apps rename app_... --name "New name"',
    body: [NAME],
  },
  {
    name: 'set',
    args: '<appId>',
    operation: 'updateApp',
    summary: 'change an app; --captures-bodies false destroys stored headers and bodies',
    example: 'apps set app_... --captures-bodies true',
    body: [
      option('--captures-bodies <true|false>', 'whether the sandbox stores headers and bodies', trueOrFalse),
      option('--name <name>', 'name, at most 100 characters'),
    ],
  },
  {
    name: 'suspend',
    args: '<appId>',
    operation: 'suspendApp',
    summary: 'suspend an app immediately',
    example: 'apps suspend app_...',
    question: 'Suspend {appId}?',
  },
  {
    name: 'resume',
    args: '<appId>',
    operation: 'resumeApp',
    summary: 'resume a suspended app',
    example: 'apps resume app_...',
  },
  {
    name: 'delete',
    args: '<appId>',
    operation: 'deleteApp',
    summary: 'delete an app; it can be restored during its grace period',
    example: 'apps delete app_... --grace-days 7',
    body: [option('--grace-days <days>', 'days in which the app can be restored', number)],
    question: 'Delete {appId} with all its data?',
  },
  {
    name: 'restore',
    args: '<appId>',
    operation: 'restoreApp',
    summary: 'restore a deleted app during its grace period',
    example: 'apps restore app_...',
  },
  {
    name: 'event-scopes',
    args: '[appId]',
    operation: 'getEventScopes',
    summary: 'show the events and deliveries that the rule about event scopes would withhold',
    example: 'apps event-scopes',
    summarise: withoutForecast,
  },
  {
    name: 'enforce-event-scopes',
    args: '<appId>',
    operation: 'enforceEventScopes',
    summary: 'enforce the rule about event scopes before the announced date, permanently',
    example: 'apps enforce-event-scopes app_...',
    question: 'Enforce event scopes for {appId}? This cannot be undone.',
  },
  {
    name: 'evidence',
    args: '[appId]',
    operation: 'getEvidence',
    summary: 'show the evidence that a request for live access would contain',
    example: 'apps evidence',
    about:
      'The evidence covers 30 days, or the time for which requests are stored if that is shorter: `since` is its start.',
  },
];

const EXPIRES = required('--expires-in-days <days>', 'lifetime in days', number);
const SCOPES = {
  ...required('--scopes <scopes>', 'permissions, such as servers:read,tickets:create', list),
  alternative: '--preset',
};

export const keys: readonly CommandSpec[] = [
  {
    name: 'list',
    operation: 'listKeys',
    summary: 'list the keys of the app',
    example: 'keys list',
    columns: ['id', 'name', 'kid', 'state', 'scopes', 'unusedScopes', 'expiresAt', 'lastUsedAt'],
  },
  {
    name: 'create',
    operation: 'createKey',
    summary: 'generate a key, and print its secret once',
    example: 'keys create --name CI --preset read-only --expires-in-days 30',
    body: [
      NAME,
      SCOPES,
      option('--preset <preset>', 'scopes for a purpose, such as read-only or everything'),
      EXPIRES,
      option('--note <text>', 'note for other members'),
      option(
        '--allowed-cidrs <ranges>',
        'IP ranges that may use the key, such as 192.0.2.0/24,2001:db8::/32 (all)',
        list,
      ),
    ],
  },
  {
    name: 'update',
    args: '<keyId>',
    operation: 'updateKey',
    summary: 'change name or note of a key; omitted fields stay unchanged',
    example: 'keys update key_... --name CI',
    body: [
      option('--name <name>', 'name, at most 100 characters'),
      option('--note <text>', 'note for other members'),
      option('--no-note', 'remove the note'),
    ],
  },
  {
    name: 'rotate',
    args: '<keyId>',
    operation: 'rotateKey',
    summary: 'generate a successor, and print its secret once',
    example: 'keys rotate key_... --expires-in-days 30 --overlap-hours 24',
    body: [
      EXPIRES,
      required('--overlap-hours <hours>', 'hours for which the old key stays valid; 0 revokes it immediately', number),
      option('--scopes <scopes>', 'scopes of the successor (those of the old key)', list),
    ],
    question: 'Rotate {keyId}?',
    // The lifetime is that of the successor. Without fewer scopes and with an overlap, the rotation takes nothing away.
    forecast: ({ keyId, scopes, overlapHours }) =>
      scopes === undefined && overlapHours !== 0
        ? undefined
        : unvalidated({ key: { keyId, scopes, ...(overlapHours === 0 && { state: 'revoked' }) } }),
  },
  {
    name: 'revoke',
    args: '<keyId>',
    operation: 'revokeKey',
    summary: 'revoke a key permanently',
    example: 'keys revoke key_...',
    question: 'Revoke {keyId} permanently?',
    forecast: ({ keyId }) => unvalidated({ key: { keyId, state: 'revoked' } }),
  },
  {
    name: 'forecast',
    args: '<keyId>',
    summary: 'count the requests and deliveries of the last 30 days that a narrower key would have lost',
    example: 'keys forecast key_... --allowed-cidrs 192.0.2.0/24',
    about:
      'Without an option, forecasts the revocation. Nothing is changed. If the records go back less than 30 days, the\ncounts begin with the records: `since` is their start. --dry-run prints the same forecast for `keys revoke`,\n`keys rotate`, `installations set`, `installations set-scope` and `endpoints update`.',
    options: [
      option('--scopes <scopes>', 'scopes that the key keeps', list),
      option('--allowed-cidrs <ranges>', 'IP ranges that may still use the key', list),
      option('--expires-in-days <days>', 'lifetime of the key, from its creation', number),
    ],
    omits: ['--dry-run'],
    run: forecastKey,
  },
  {
    name: 'activity',
    args: '<keyId>',
    summary: 'show everything that was done with a key: operations, servers, addresses, events, objects and receivers',
    example: 'keys activity key_... --since 7d',
    about: 'Nothing is changed. JSON and --csv have every entry. Gaps of the records are printed on stderr.',
    options: [
      option('--since <time>', 'only requests from this time on, such as 2h, 7d or 2026-11-02T10:15:30Z', timestamp),
      option('--csv', 'print a table for a spreadsheet'),
    ],
    omits: ['--dry-run'],
    run: printActivity,
  },
];

async function forecastKey({ io, args, options, form, session }: Invocation): Promise<void> {
  const { scopes, allowedCidrs, expiresInDays } = options;
  const isNarrower = scopes !== undefined || allowedCidrs !== undefined || expiresInDays !== undefined;
  const kept = isNarrower ? { scopes, allowedCidrs, expiresInDays } : { state: 'revoked' };
  const change = unvalidated<AccessChangeInput>({ key: { keyId: args.keyId, ...kept } });
  const forecast = await readForecast(io, await session(), change);
  if (io.isTerminal && !form.json) io.out(`${forecastLines(change, forecast).join('\n')}\n`);
  else printOne(io, forecast, form);
}

/** Prints CSV. A terminal would interpret its control characters. */
const printTable = (io: Io, table: string, form: OutputFormat): void =>
  printOne(io, io.isTerminal ? table.replaceAll('\r\n', '\n') : table, form);

async function printActivity({ io, args, options, form, session }: Invocation): Promise<void> {
  const { keyId = '' } = args;
  const activity = await readActivity(io, await session(), keyId, options.since);
  if (options.csv === true) printTable(io, keyActivityTable(activity), form);
  else if (!io.isTerminal || form.json) return printOne(io, activity, form);
  else await printList(io, activity.entries, ['kind', 'name', 'count', 'succeeded', 'firstAt', 'lastAt'], form);
  io.err(`${activityLines(activity).join('\n')}\n`);
}

const REASON = option('--reason <text>', 'reason, for the history');

/** An authorisation takes no access away. */
const forecastGrant = (serverId: unknown, scopes: readonly unknown[] | undefined, state: unknown) =>
  state === 'authorised'
    ? undefined
    : unvalidated<AccessChangeInput>({ grants: { serverIds: [serverId], scopes, state } });

export const installations: readonly CommandSpec[] = [
  {
    name: 'list',
    operation: 'listInstallations',
    summary: 'list servers with their grants',
    example: 'installations list',
    columns: ['serverId', 'serverName', 'installation.state', 'upstream.state', 'restrictions', 'unusedScopes'],
  },
  {
    name: 'set',
    args: '<serverId>',
    operation: 'setInstallation',
    summary: 'authorise, pause or revoke an installation; in production within the limits of the upstream API',
    example: 'installations set srv_... --state paused --reason "Maintenance"',
    body: [required('--state <state>', 'authorised, paused or revoked'), REASON],
    forecast: ({ serverId, state }) => forecastGrant(serverId, undefined, state),
  },
  {
    name: 'set-scope',
    args: '<serverId> <scope>',
    operation: 'setInstallationScope',
    summary: 'authorise, pause or revoke one scope of an installation',
    example: 'installations set-scope srv_... tickets:create --state paused',
    body: [required('--state <state>', 'authorised, paused or revoked'), REASON],
    forecast: ({ serverId, scope, state }) => forecastGrant(serverId, [scope], state),
  },
  setAll,
  {
    name: 'changes',
    operation: 'listInstallationChanges',
    summary: 'list changes of grants, with time and author',
    example: 'installations changes --server-id srv_...',
    query: [
      option('--server-id <serverId>', 'only changes of this server'),
      option('--scope <scope>', 'only changes of this scope'),
    ],
    columns: ['at', 'serverName', 'scopes', 'from', 'to', 'changedBy', 'reason'],
  },
];

export const explain: readonly CommandSpec[] = [
  {
    name: '',
    args: '<operationId>',
    operation: 'explainAccess',
    summary: 'explain rule by rule why a key may or may not call an operation',
    about: 'The argument is an operationId of /v1, such as listServers. `slipway openapi` prints all of them.',
    example: 'explain createTicket --key-id key_... --server-id srv_...',
    query: [
      option('--key-id <keyId>', 'key of the call'),
      option('--server-id <serverId>', 'server of the call'),
      option('--event-type <eventType>', 'event type, which adds the scope of its resource'),
    ],
  },
];

export const notices: readonly CommandSpec[] = [
  {
    name: 'list',
    operation: 'listNotices',
    summary: 'list notices about keys and endpoints, newest first',
    example: 'notices list --unread',
    query: [option('--unread', 'only unread notices')],
    columns: ['createdAt', 'kind', 'appName', 'keyName', 'endpointHost', 'pageOrigin', 'readAt', 'id'],
  },
  {
    name: 'read',
    args: '<noticeId>',
    operation: 'readNotice',
    summary: 'mark a notice as read for the whole organisation',
    example: 'notices read ntc_...',
  },
  {
    name: 'mail-settings',
    operation: 'getNoticeMailSettings',
    summary: 'show how you receive notices by mail',
    example: 'notices mail-settings',
    about: 'Members change their own settings in the Console, because a token acts for the organisation.',
  },
];

export const openapi: readonly CommandSpec[] = [
  {
    name: '',
    operation: 'getContract',
    summary: 'print the OpenAPI document of /v1 as JSON',
    example: 'openapi > openapi.json',
    isDocument: true,
  },
];

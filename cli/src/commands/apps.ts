// Commands for apps of the organisation, their keys, installations and notices.
import { isObject } from '../cells.ts';
import { type CommandSpec, list, number, option, required } from '../command.ts';
import { setAll } from './set-all.ts';

const APP_COLUMNS = ['id', 'name', 'state', 'environment', 'createdAt'];
const NAME = required('--name <name>', 'what it is called');

/** Removes the forecast of an app that enforces the rule: the API counts nothing for such an app. */
function withoutForecast(answer: unknown): unknown {
  if (!isObject(answer) || !('state' in answer) || answer.state !== 'enforced') return answer;
  const forecast = ['events', 'deliveries', 'mostLookedAt', 'areAllLookedAt', 'grants', 'newest'];
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !forecast.includes(name)));
}

export const apps: readonly CommandSpec[] = [
  { name: 'list', operation: 'listApps', summary: 'list the apps of the organisation', columns: APP_COLUMNS },
  { name: 'show', args: '[appId]', operation: 'getApp', summary: 'show an app' },
  { name: 'create', operation: 'createApp', summary: 'register an app', body: [NAME] },
  { name: 'rename', args: '<appId>', operation: 'updateApp', summary: 'rename an app', body: [NAME] },
  {
    name: 'suspend',
    args: '<appId>',
    operation: 'suspendApp',
    summary: 'stop everything of an app at once',
    question: 'Suspend {appId}?',
  },
  { name: 'resume', args: '<appId>', operation: 'resumeApp', summary: 'end a suspension' },
  {
    name: 'delete',
    args: '<appId>',
    operation: 'deleteApp',
    summary: 'stop an app, and erase it when its grace is over',
    body: [option('--grace-days <days>', 'for how long it can be restored', number)],
    question: 'Delete {appId} with all that it has?',
  },
  { name: 'restore', args: '<appId>', operation: 'restoreApp', summary: 'take a deletion back' },
  {
    name: 'event-scopes',
    args: '[appId]',
    operation: 'getEventScopes',
    summary: 'show which events and deliveries the rule about the scopes of events would withhold',
    summarise: withoutForecast,
  },
  {
    name: 'enforce-event-scopes',
    args: '<appId>',
    operation: 'enforceEventScopes',
    summary: 'switch an app to the rule about the scopes of events before the announced day, for good',
    question: 'Enforce the scopes of events for {appId}? There is no way back.',
  },
  {
    name: 'evidence',
    args: '[appId]',
    operation: 'getEvidence',
    summary: 'say what an app has shown in the sandbox in the last 30 days, as a request for live access tells it',
  },
];

const EXPIRES = required('--expires-in-days <days>', 'after how many days it expires', number);
const SCOPES = {
  ...required('--scopes <scopes>', 'what it may do: servers:read,tickets:create', list),
  alternative: '--preset',
};

export const keys: readonly CommandSpec[] = [
  {
    name: 'list',
    operation: 'listKeys',
    summary: 'list the keys of the app',
    columns: ['id', 'name', 'kid', 'state', 'scopes', 'unusedScopes', 'expiresAt', 'lastUsedAt'],
  },
  {
    name: 'create',
    operation: 'createKey',
    summary: 'generate a key; its secret is printed this once',
    body: [
      NAME,
      SCOPES,
      option('--preset <preset>', 'scopes by the work: read-only, tickets, workflows, webhooks, everything'),
      EXPIRES,
      option('--note <text>', 'what else should be known of it'),
      option('--allowed-cidrs <ranges>', 'from where alone it may be used: 192.0.2.0/24,2001:db8::/32', list),
    ],
  },
  {
    name: 'update',
    args: '<keyId>',
    operation: 'updateKey',
    summary: 'rename a key, or change its note; what is not named stays',
    body: [
      option('--name <name>', 'what it is called'),
      option('--note <text>', 'what else should be known of it'),
      option('--no-note', 'no note'),
    ],
  },
  {
    name: 'rotate',
    args: '<keyId>',
    operation: 'rotateKey',
    summary: 'generate a successor; its secret is printed this once',
    body: [
      EXPIRES,
      required('--overlap-hours <hours>', 'how long the old key still works; 0 ends it at once', number),
      option('--scopes <scopes>', 'the scopes that the successor keeps; all of them unless you name some', list),
    ],
    question: 'Rotate {keyId}?',
  },
  {
    name: 'revoke',
    args: '<keyId>',
    operation: 'revokeKey',
    summary: 'revoke a key for good',
    question: 'Revoke {keyId} for good?',
  },
];

const REASON = option('--reason <text>', 'why, for those who read the history');

export const installations: readonly CommandSpec[] = [
  {
    name: 'list',
    operation: 'listInstallations',
    summary: 'list the servers, and what each allows the app',
    columns: ['serverId', 'serverName', 'installation.state', 'upstream.state', 'restrictions', 'unusedScopes'],
  },
  {
    name: 'set',
    args: '<serverId>',
    operation: 'setInstallation',
    summary: 'authorise, pause or revoke an installation; in production only as far as the upstream API allows',
    body: [required('--state <state>', 'authorised, paused or revoked'), REASON],
  },
  {
    name: 'set-scope',
    args: '<serverId> <scope>',
    operation: 'setInstallationScope',
    summary: 'the same of one scope',
    body: [required('--state <state>', 'authorised, paused or revoked'), REASON],
  },
  setAll,
  {
    name: 'changes',
    operation: 'listInstallationChanges',
    summary: 'list what was changed when, and by whom',
    query: [option('--server-id <serverId>', 'only of this server'), option('--scope <scope>', 'only of this scope')],
    columns: ['at', 'serverName', 'scopes', 'from', 'to', 'changedBy', 'reason'],
  },
];

export const explain: readonly CommandSpec[] = [
  {
    name: '',
    args: '<operationId>',
    operation: 'explainAccess',
    summary: 'say why a key may call an operation, or not, rule by rule',
    query: [
      option('--key-id <keyId>', 'with this key'),
      option('--server-id <serverId>', 'on this server'),
      option('--event-type <eventType>', 'for an event of this type, with the scope of its resource'),
    ],
  },
];

export const notices: readonly CommandSpec[] = [
  {
    name: 'list',
    operation: 'listNotices',
    summary: 'list what the organisation should know of its keys and endpoints, newest first',
    query: [option('--unread', 'only those that nobody has read')],
    columns: ['createdAt', 'kind', 'appName', 'keyName', 'endpointHost', 'pageOrigin', 'readAt', 'id'],
  },
  {
    name: 'read',
    args: '<noticeId>',
    operation: 'readNotice',
    summary: 'mark a notice as read, for the whole organisation',
  },
];

export const openapi: readonly CommandSpec[] = [
  { name: '', operation: 'getContract', summary: 'print the OpenAPI document of /v1, in JSON', isDocument: true },
];

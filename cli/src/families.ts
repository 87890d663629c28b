// Lists the families of commands in the order of the help. A family is loaded when a command of it is typed; the help
// needs none.
import type { CommandSpec, Family } from './command.ts';

const family = (name: string, summary: string, load: () => Promise<readonly CommandSpec[]>): Family => ({
  name,
  summary,
  load,
});

const login = () => import('./commands/login.ts');
const status = () => import('./commands/status.ts');
const apps = () => import('./commands/apps.ts');
const webhooks = () => import('./commands/webhooks.ts');
const world = () => import('./commands/world.ts');
const requests = () => import('./commands/requests.ts');
const checks = () => import('./commands/checks.ts');
const v1 = () => import('./commands/v1.ts');

export const FAMILIES: readonly Family[] = [
  family('login', 'sign in with a device code or an access token', async () => (await login()).login),
  family('logout', 'sign out: remove a profile', async () => (await login()).logout),
  family('whoami', 'show the signed-in user and the access token', async () => (await status()).whoami),
  family('status', 'show environment, organisation and app', async () => (await status()).status),
  family('use', 'select organisation and app', async () => (await status()).use),
  family('apps', 'manage the apps of the organisation', async () => (await apps()).apps),
  family('keys', 'manage the API keys of the app', async () => (await apps()).keys),
  family('installations', 'manage the grants of servers to the app', async () => (await apps()).installations),
  family('notices', 'list notices about expiring keys and failing endpoints', async () => (await apps()).notices),
  family('explain', 'explain why a key may or may not call an operation', async () => (await apps()).explain),
  family(
    'requests',
    'inspect requests: list, errors, tail, show, trace, code',
    async () => (await requests()).requests,
  ),
  family('replay', 'repeat a recorded request', async () => (await requests()).replay),
  family('endpoints', 'manage webhook endpoints', async () => (await webhooks()).endpoints),
  family('deliveries', 'inspect and redeliver deliveries', async () => (await webhooks()).deliveries),
  family('redeliveries', 'manage redelivery jobs', async () => (await webhooks()).redeliveries),
  family(
    'listen',
    'forward deliveries to a receiver on this machine',
    async () => (await import('./commands/listen.ts')).listen,
  ),
  family(
    'drill',
    'test a receiver against duplicates, reordering, forgeries and stale messages',
    async () => (await checks()).drill,
  ),
  family('drills', 'show earlier drills of an endpoint', async () => (await checks()).drills),
  family('verify', 'diagnose why a message does not verify', async () => (await checks()).verify),
  family('trigger', 'trigger an event in the sandbox', async () => (await import('./commands/trigger.ts')).trigger),
  family('world', 'manage the sandbox data and its clock', async () => (await world()).world),
  family('faults', 'manage fault rules of the sandbox', async () => (await world()).faults),
  family('openapi', 'print the OpenAPI document of /v1', async () => (await apps()).openapi),
  family(
    'docs',
    'print the address of the documentation, and open it',
    async () => (await import('./commands/docs.ts')).docs,
  ),
  family(
    'completion',
    'print a completion script for a shell',
    async () => (await import('./commands/completion.ts')).completion,
  ),
  family('me', 'show the key in SLIPWAY_KEY', async () => (await v1()).me),
  family('servers', 'list servers with SLIPWAY_KEY', async () => (await v1()).servers),
  family('create-ticket', 'create a ticket with SLIPWAY_KEY', async () => (await v1()).createTicket),
  family('events', 'print the event feed with SLIPWAY_KEY', async () => (await v1()).events),
];

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
  family('login', 'sign in, by a code or with an access token', async () => (await login()).login),
  family('logout', 'forget a profile', async () => (await login()).logout),
  family('whoami', 'say in whose name calls are made', async () => (await status()).whoami),
  family('status', 'say which environment, organisation and app this is', async () => (await status()).status),
  family('use', 'choose the organisation and the app', async () => (await status()).use),
  family('apps', 'the apps of the organisation', async () => (await apps()).apps),
  family('keys', 'the keys of the app', async () => (await apps()).keys),
  family('installations', 'what servers allow the app', async () => (await apps()).installations),
  family(
    'notices',
    'what the organisation should know: keys that expire, endpoints that fail',
    async () => (await apps()).notices,
  ),
  family('explain', 'why a key may call an operation, or not', async () => (await apps()).explain),
  family('requests', 'what was called: list, errors, tail, show, trace, code', async () => (await requests()).requests),
  family('replay', 'make a call once more', async () => (await requests()).replay),
  family('endpoints', 'where webhooks are sent', async () => (await webhooks()).endpoints),
  family('deliveries', 'what was sent, and what became of it', async () => (await webhooks()).deliveries),
  family('redeliveries', 'what is being sent again, many at once', async () => (await webhooks()).redeliveries),
  family(
    'listen',
    'forward deliveries to a receiver on this machine',
    async () => (await import('./commands/listen.ts')).listen,
  ),
  family('drill', 'try how a receiver bears what happens to webhooks', async () => (await checks()).drill),
  family('drills', 'the latest drills of an endpoint, and what came of them', async () => (await checks()).drills),
  family('verify', 'find out why a message does not verify', async () => (await checks()).verify),
  family('trigger', 'bring an event about', async () => (await import('./commands/trigger.ts')).trigger),
  family('world', 'the sandbox’s world and its clock', async () => (await world()).world),
  family('faults', 'what calls of the sandbox shall meet', async () => (await world()).faults),
  family('openapi', 'print the OpenAPI document of /v1', async () => (await apps()).openapi),
  family(
    'completion',
    'let a shell complete what you type',
    async () => (await import('./commands/completion.ts')).completion,
  ),
  family('me', 'say which key SLIPWAY_KEY is', async () => (await v1()).me),
  family('servers', 'list servers, with SLIPWAY_KEY', async () => (await v1()).servers),
  family('create-ticket', 'create a ticket, with SLIPWAY_KEY', async () => (await v1()).createTicket),
  family('events', 'print the feed of events, with SLIPWAY_KEY', async () => (await v1()).events),
];

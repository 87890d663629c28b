// Lists the families of commands in the order of the help. A family is loaded when a command of it is typed; the help
// needs none.
import type { CommandGroup, CommandSpec } from './command.ts';

const commandGroup = (name: string, summary: string, load: () => Promise<readonly CommandSpec[]>): CommandGroup => ({
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
const destinations = () => import('./commands/destinations.ts');
const v1 = () => import('./commands/v1.ts');

export const COMMAND_GROUPS: readonly CommandGroup[] = [
  commandGroup('login', 'sign in with a device code or an access token', async () => (await login()).login),
  commandGroup('logout', 'sign out: remove a profile', async () => (await login()).logout),
  commandGroup('whoami', 'show the signed-in user and the access token', async () => (await status()).whoami),
  commandGroup('status', 'show environment, organisation and app', async () => (await status()).status),
  commandGroup('use', 'select organisation and app', async () => (await status()).use),
  commandGroup('apps', 'manage the apps of the organisation', async () => (await apps()).apps),
  commandGroup('keys', 'manage the API keys of the app', async () => (await apps()).keys),
  commandGroup('installations', 'manage the grants of servers to the app', async () => (await apps()).installations),
  commandGroup(
    'receipts',
    'get and verify signed receipts of revocations',
    async () => (await import('./commands/receipts.ts')).receipts,
  ),
  commandGroup('notices', 'list notices about keys, endpoints and events', async () => (await apps()).notices),
  commandGroup('destinations', 'manage the destinations of notices', async () => (await destinations()).destinations),
  commandGroup('deprecations', 'answer notices of deprecations', async () => (await destinations()).deprecations),
  commandGroup('explain', 'explain why a key may or may not call an operation', async () => (await apps()).explain),
  commandGroup(
    'requests',
    'inspect requests: list, errors, tail, show, trace, code',
    async () => (await requests()).requests,
  ),
  commandGroup('replay', 'repeat a recorded request', async () => (await requests()).replay),
  commandGroup('endpoints', 'manage webhook endpoints', async () => (await webhooks()).endpoints),
  commandGroup('deliveries', 'inspect and redeliver deliveries', async () => (await webhooks()).deliveries),
  commandGroup('redeliveries', 'manage redelivery jobs', async () => (await webhooks()).redeliveries),
  commandGroup(
    'listen',
    'forward deliveries to a receiver on this machine',
    async () => (await import('./commands/listen.ts')).listen,
  ),
  commandGroup(
    'drill',
    'test a receiver against duplicates, reordering, forgeries and stale messages',
    async () => (await checks()).drill,
  ),
  commandGroup('drills', 'show earlier drills of an endpoint', async () => (await checks()).drills),
  commandGroup('verify', 'diagnose why a message does not verify', async () => (await checks()).verify),
  commandGroup(
    'trigger',
    'trigger an event in the sandbox',
    async () => (await import('./commands/trigger.ts')).trigger,
  ),
  commandGroup('world', 'manage the sandbox data and its clock', async () => (await world()).world),
  commandGroup('faults', 'manage fault rules of the sandbox', async () => (await world()).faults),
  commandGroup(
    'apply',
    'create or change an app as a file describes it',
    async () => (await import('./commands/apply.ts')).apply,
  ),
  commandGroup(
    'diff',
    'show what `slipway apply` would change',
    async () => (await import('./commands/apply.ts')).diff,
  ),
  commandGroup('ci', 'run tests on a new sandbox app', async () => (await import('./commands/ci.ts')).ci),
  commandGroup('openapi', 'print the OpenAPI document of /v1', async () => (await apps()).openapi),
  commandGroup(
    'docs',
    'print the address of the documentation, and open it',
    async () => (await import('./commands/docs.ts')).docs,
  ),
  commandGroup(
    'completion',
    'print a completion script for a shell',
    async () => (await import('./commands/completion.ts')).completion,
  ),
  commandGroup(
    'api',
    'call an operation of /v1 or of the management API',
    async () => (await import('./commands/api.ts')).api,
  ),
  commandGroup('mcp', 'serve the operations to an MCP client', async () => (await import('./commands/mcp.ts')).mcp),
  commandGroup('me', 'show the key in SLIPWAY_KEY', async () => (await v1()).me),
  commandGroup('servers', 'list servers with SLIPWAY_KEY', async () => (await v1()).servers),
  commandGroup('tickets', 'list and create tickets with SLIPWAY_KEY', async () => (await v1()).tickets),
  commandGroup('events', 'print the event feed with SLIPWAY_KEY', async () => (await v1()).events),
];

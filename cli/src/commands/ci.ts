// Creates an app, runs a command on it, such as a test suite, and deletes the app.
import { randomUUID } from 'node:crypto';
import { createSlipway, SlipwayProblem } from '@slipway/sdk';
import type { KeyInput, WorldReset } from '@slipway/sdk/management';
import spawn from 'cross-spawn';
import { type ReadAppFile, readAppFile } from '../app-file.ts';
import { applyPlan, type ChangeRow, planFile } from '../apply-file.ts';
import { awaitRecord, type CiWorld, findFailures, writeReport } from '../ci-report.ts';
import { type CommandSpec, type Invocation, list, option, unvalidated } from '../command.ts';
import { childEnvironment, DEFAULT_API_URL } from '../config.ts';
import { CommandError, EXIT } from '../errors.ts';
import type { Session } from '../session.ts';
import { escapeText } from '../text.ts';

const REPORT = 'slipway-report';
/** After an interruption, a command that still runs after this time is killed. */
const KILL_AFTER_MS = 10_000;

interface CiApp extends CiWorld {
  name: string;
  key: string;
  apiUrl: string;
  /** Signing secrets of the endpoints, by URL. */
  secrets: Readonly<Record<string, string>>;
}

export const ci: readonly CommandSpec[] = [
  {
    name: '',
    args: '<command...>',
    summary: 'run a command, such as a test suite, on a new sandbox app',
    example: 'ci -f app.yaml -- npm test',
    about: [
      'Creates an app with sandbox data and a key, runs the command with SLIPWAY_KEY and SLIPWAY_API_URL, and deletes the app,',
      'also after Ctrl-C or SIGTERM. If the command fails, a report of the failed requests, and of the deliveries with failed',
      'attempts, is written. The exit code is that of the command.',
    ].join('\n'),
    options: [
      option('-f, --file <file>', 'file of `slipway apply` that describes the app'),
      option(
        '--preset <preset>',
        'sandbox data: empty, small, busy, unicode or large (default: that of the file, else small)',
      ),
      option('--seed <text>', 'seed of the sandbox data (that of the file, or ci)'),
      option('--scopes <scopes>', 'scopes of the key (all)', list),
      option('--report <folder>', `folder of the report (${REPORT})`),
      option('--keep-on-failure', 'keep the app if the command fails, so that the links of the report work'),
    ],
    isSandboxOnly: true,
    omits: ['--app', '--json', '--dry-run'],
    handlesInterrupt: true,
    run,
  },
];

async function run(call: Invocation): Promise<void> {
  const { io, options, rest } = call;
  const file = options.file === undefined ? undefined : readAppFile(String(options.file));
  const session = await call.session();
  io.holdExit();
  const name = `ci-${randomUUID().slice(0, 8)}`;
  let isFailed = true;
  let appId: string | undefined;
  try {
    appId = await createApp(session, name);
    io.err(`slipway: created the app ${name} (${appId}).\n`);
    const app = await prepareApp(call, session, { file, name, appId });
    io.interrupted.throwIfAborted();
    const exitCode = await runCommand(rest, app, io.interrupted);
    isFailed = exitCode !== 0 || io.interrupted.aborted;
    if (isFailed) await report(call, app, exitCode);
    io.interrupted.throwIfAborted();
    if (exitCode !== 0) throw new CommandError(`the command ended with exit code ${exitCode}.`, exitCode);
  } finally {
    if (appId !== undefined)
      await removeApp(call, session, { name, appId, isKept: isFailed && options.keepOnFailure === true });
  }
}

async function createApp(session: Session, name: string): Promise<string> {
  const organisationId = (await session.organisation()).id;
  return (await session.api.createApp({ organisationId, body: { name } })).id;
}

/** Gives the app its data, a key, and the content of the file. */
async function prepareApp(
  { options, settings }: Invocation,
  session: Session,
  { file, name, appId }: { file: ReadAppFile | undefined; name: string; appId: string },
): Promise<CiApp> {
  const organisationId = (await session.organisation()).id;
  const { api, consoleUrl } = session;
  const rows: ChangeRow[] = [];
  const world = {
    preset: options.preset ?? file?.content.world?.preset ?? 'small',
    seed: options.seed ?? file?.content.world?.seed ?? 'ci',
    epoch: file?.content.world?.epoch ?? 0,
  };
  await api.resetWorld({ organisationId, appId, body: unvalidated<WorldReset>(world) });
  if (file) {
    const { world: _, ...content } = file.content;
    const own = { ...file, content };
    const plan = await planFile(session, own, appId, { isPruning: false });
    await applyPlan(plan, own, (row) => rows.push(row));
  }
  const scopes = options.scopes === undefined ? { preset: 'everything' } : { scopes: options.scopes };
  const body = unvalidated<KeyInput>({ name: 'slipway ci', expiresInDays: 1, ...scopes });
  const { token } = await api.createKey({ organisationId, appId, body });
  const { data: environments } = await session.lookup.listEnvironments();
  return {
    ...{ api: session.lookup, consoleUrl, organisationId, appId, name, key: token },
    apiUrl: settings.apiUrl ?? environments.find((one) => one.name === 'sandbox')?.apiUrl ?? DEFAULT_API_URL,
    secrets: Object.fromEntries(
      rows.flatMap(({ kind, name: url, secret }) =>
        kind === 'endpoint' && secret !== undefined ? [[url, secret]] : [],
      ),
    ),
  };
}

/** Runs the command with the streams of this process. Resolves with its exit code, or with 130 if a signal ended it. */
function runCommand([program = '', ...args]: readonly string[], app: CiApp, interrupted: AbortSignal): Promise<number> {
  const env = childEnvironment({
    SLIPWAY_KEY: app.key,
    SLIPWAY_API_URL: app.apiUrl,
    SLIPWAY_APP: app.appId,
    SLIPWAY_WEBHOOK_SECRETS: JSON.stringify(app.secrets),
  });
  // On Windows, programs such as npm are scripts, which only cmd.exe starts. cross-spawn quotes the arguments for
  // cmd.exe.
  const child = spawn(program, args, { stdio: 'inherit', env });
  return new Promise((resolve, reject) => {
    let killer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      child.kill('SIGTERM');
      killer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
    };
    interrupted.addEventListener('abort', stop, { once: true });
    if (interrupted.aborted) stop();
    const end = (): void => {
      clearTimeout(killer);
      interrupted.removeEventListener('abort', stop);
    };
    child.once('error', (error) => {
      end();
      reject(new CommandError(`${escapeText(program)} cannot be started (${error.message}).`));
    });
    child.once('close', (code) => {
      end();
      resolve(code ?? EXIT.interrupted);
    });
  });
}

async function report({ io, options, rest }: Invocation, app: CiApp, exitCode: number): Promise<void> {
  const folder = String(options.report ?? REPORT);
  const requestId = await createSlipway({ baseUrl: app.apiUrl, key: app.key, maxRetries: 0 })
    .getMe()
    .withResponse()
    .then(({ response }) => response.requestId)
    .catch((error: unknown) => (error instanceof SlipwayProblem ? error.requestId : ''));
  if (requestId) await awaitRecord(app, requestId);
  const failures = await findFailures(app);
  const own = { ...failures, requests: failures.requests.filter(({ id }) => id !== requestId) };
  const summary = await writeReport(folder, app, { command: rest, exitCode, appName: app.name }, own);
  const counts = `requests with an error: ${own.requests.length}, deliveries with failed attempts: ${own.deliveries.length}`;
  io.err(`slipway: ${counts}; report: ${escapeText(summary)}\n`);
}

async function removeApp(
  { io }: Invocation,
  session: Session,
  { name, appId, isKept }: { name: string; appId: string; isKept: boolean },
): Promise<void> {
  if (isKept) return io.err(`slipway: kept the app ${name}. Delete it with \`slipway apps delete ${appId}\`.\n`);
  const organisationId = (await session.organisation()).id;
  try {
    // The shortest time in which the app can be restored.
    await session.lookup.deleteApp({ organisationId, appId, body: { graceDays: 1 } });
  } catch (error) {
    io.err(`slipway: the app ${name} (${appId}) was not deleted. Delete it with \`slipway apps delete ${appId}\`.\n`);
    throw error;
  }
  io.err(`slipway: deleted the app ${name}.\n`);
}

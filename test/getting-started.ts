// Runs docs/start/quickstart.md from top to bottom: its commands as written, except for addresses and the printed
// secret.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../scripts/nodes/free-port.ts';
import { type Run, root, type SlipwayInstance, until } from './slipway.ts';

const text = readFileSync(join(root, 'docs/start/quickstart.md'), 'utf8');
/** Returns the code of the blocks with this language, and file name if they have one. */
export const blocks = (language: string): string[] =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code.trim());

export interface GuideResult {
  /** The exit code and the output of the commands that end. */
  commands: { code: number | null; printed: string; complaints: string };
  /** The same for the last step. */
  trigger: { code: number | null; printed: string; complaints: string };
  received: string;
  /** The receiver's response to a message without a signature, and its output. */
  unsigned: { status: number; complaints: string };
  /** The secret of the endpoint of this machine, which later runs of `slipway listen` use too. */
  signingSecret: string;
}

/** The programs that the guide uses. */
export interface GuideTools {
  /** The command of the CLI. */
  slipway: string;
  /** Installs the SDK into the folder `~/receiver`; undefined for the command of the guide, in the repository. */
  installSdk?: string;
}

/** Runs the guide. `token` is an access token that may write. */
export async function runGuide(
  instance: SlipwayInstance,
  token: string,
  { slipway, installSdk }: GuideTools = { slipway: `node ${join(root, 'cli/bin/slipway.mjs')}` },
): Promise<GuideResult> {
  const folder = join(instance.dataDir, 'guide');
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  // The first block starts Slipway.
  const [, login = '', app = '', calls = '', install = '', listen = '', receive = '', trigger = '', ...more] =
    blocks('sh');
  if (more.length > 0) throw new Error('The guide must have no step that the test omits.');
  const adapt = (code: string): string =>
    code
      .replaceAll('npx slipway', slipway)
      .replaceAll('http://localhost:4000', instance.apiUrl)
      .replaceAll('~/receiver', folder)
      .replaceAll('8080', String(port));
  const settings = {
    XDG_CONFIG_HOME: folder,
    npm_config_offline: 'true',
    SLIPWAY_CONSOLE_URL: instance.consoleUrl,
    SLIPWAY_API_URL: instance.apiUrl,
  };
  // Without these options bash would treat a pipe as a remote connection, and read this machine's settings.
  const bash = (code: string, at = folder): Run =>
    instance.spawn('bash', ['--norc', '-euo', 'pipefail', '-c', `cd ${at}\n${adapt(code)}`], settings);
  const ended = async (run: Run): Promise<GuideResult['commands']> => {
    const code = await run.exited;
    return { code, printed: run.stdout(), complaints: run.stderr() };
  };

  writeFileSync(join(folder, 'token.txt'), token, { mode: 0o600 });
  const [receiver = ''] = blocks('js receiver.mjs');
  writeFileSync(join(folder, 'receiver.mjs'), adapt(receiver));
  const [first = ''] = blocks('js first-call.mjs');
  writeFileSync(join(folder, 'first-call.mjs'), adapt(first));
  const commands = await ended(bash([login, app, calls, 'node first-call.mjs'].join('\n')));
  const installed = await ended(installSdk === undefined ? bash(install, root) : bash(installSdk));
  if (installed.code !== 0) throw new Error(`The SDK could not be installed.\n${installed.complaints}`);
  const listening = bash(`exec ${listen}`);
  const secret = await until(() => /whsec_\S+/.exec(listening.stdout())?.[0]);
  const receiving = bash(`exec env ${receive.replace('whsec_...', secret)}`);
  const triggered = await ended(bash(trigger));
  const { status } = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' });
  listening.child.kill('SIGINT');
  receiving.child.kill();
  await Promise.all([listening.exited, receiving.exited]);
  return {
    commands,
    trigger: triggered,
    received: receiving.stdout(),
    unsigned: { status, complaints: receiving.stderr() },
    signingSecret: secret,
  };
}

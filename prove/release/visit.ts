// Uses the installed artefacts like a person without the repository: the quickstart with the server, the CLI and the
// SDK for TypeScript, then the guide and a verified webhook with each SDK.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../scripts/nodes/free-port.ts';
import { goModulePath } from '../../scripts/release/go.ts';
import { runTool } from '../../scripts/release/source.ts';
import { filesBelow } from '../../scripts/release/stage.ts';
import { goPrograms, pythonPrograms } from '../../sdk/test/readme-programs.ts';
import { type GuideTools, runGuide } from '../../test/getting-started.ts';
import { type Run, type SlipwayInstance, until } from '../../test/slipway.ts';
import { ask, readNote, send, signIn } from '../../test/visitor.ts';
import type { Check } from '../kit.ts';

const NPM_FLAGS = ['--prefer-offline', '--no-audit', '--no-fund'];

/** Installs the npm packages in tarballs into an empty folder. Returns the folder. */
export function installNpm(folder: string, ...tarballs: string[]): string {
  mkdirSync(folder, { recursive: true });
  runTool('npm', ['install', '--prefix', folder, ...NPM_FLAGS, ...tarballs], { cwd: folder });
  return folder;
}

/** Installs a package as `npm install --global` does, below an empty folder. Returns the folder of its programs. */
export function installGlobally(folder: string, tarball: string): string {
  mkdirSync(folder, { recursive: true });
  runTool('npm', ['install', '--global', '--prefix', folder, ...NPM_FLAGS, tarball], { cwd: folder });
  return join(folder, 'bin');
}

/** Returns the file of an artefact by the beginning and the end of its name. */
export function artefact(out: string, start: string, end: string): string {
  const found = filesBelow(out).filter((name) => name.startsWith(start) && name.endsWith(end));
  if (found.length !== 1) throw new Error(`${out} must have one file ${start}...${end}, not ${found.length}.`);
  return join(out, found[0] ?? '');
}

/** A program in a language, with the SDK installed from its artefact. */
export interface Program {
  language: string;
  /** Installs the program's code. Returns the command that runs it. */
  install(name: 'guide' | 'receiver'): string[];
  environment: Record<string, string>;
}

export function pythonProgram(root: string, out: string, folder: string): Program {
  const python = join(folder, 'venv/bin/python');
  mkdirSync(folder, { recursive: true });
  runTool('python3', ['-m', 'venv', join(folder, 'venv')], { cwd: folder });
  const wheel = artefact(out, 'slipway_sdk-', '.whl');
  runTool(python, ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', wheel], { cwd: folder });
  const [guide = '', receiver = ''] = pythonPrograms(root);
  return {
    language: 'Python',
    environment: { PYTHONPATH: '' },
    install(name) {
      writeFileSync(join(folder, `${name}.py`), { guide, receiver }[name]);
      return [python, join(folder, `${name}.py`)];
    },
  };
}

export function goProgram(root: string, out: string, folder: string): Program {
  const [guide = '', receiver = ''] = goPrograms(root);
  const module = goModulePath(root);
  const env = {
    ...process.env,
    GOPROXY: `file://${join(out, 'go')}`,
    GONOSUMDB: module,
    GOFLAGS: '-modcacherw',
    GOMODCACHE: join(folder, 'modules'),
  };
  return {
    language: 'Go',
    environment: {},
    install(name) {
      const program = join(folder, name);
      mkdirSync(program, { recursive: true });
      writeFileSync(join(program, 'main.go'), { guide, receiver }[name]);
      runTool('go', ['mod', 'init', 'example.org/program'], { cwd: program, env });
      runTool('go', ['get', `${module}@latest`], { cwd: program, env });
      runTool('go', ['build', '-o', 'program', '.'], { cwd: program, env });
      return [join(program, 'program')];
    },
  };
}

const NODE_GUIDE = `
import { createSlipway, SlipwayProblem } from '@slipway/sdk';
const slipway = createSlipway({ baseUrl: process.env.SLIPWAY_API_URL, key: process.env.SLIPWAY_KEY });
const me = await slipway.getMe();
console.log(\`A key of the \${me.environment}, valid until \${me.expiresAt}.\`);
for await (const server of slipway.listServers()) console.log(\`\${server.name}: \${server.memberCount} members\`);
const problem = await slipway.getServer({ serverId: 'srv_00000000000000000000000000' }).catch((error) => error);
if (problem instanceof SlipwayProblem) console.log(\`No such server (request \${problem.requestId}).\`);
`;

/**
 * Writes the guide as a module and as a CommonJS program into the folder of the installed SDK. Returns their commands.
 */
export function nodeGuides(folder: string): Record<string, string[]> {
  const write = (name: string, code: string): string[] => {
    writeFileSync(join(folder, name), code);
    return [process.execPath, join(folder, name)];
  };
  const [imports = '', ...body] = NODE_GUIDE.trim().split('\n');
  const required = imports.replace(/^import (.+) from (.+);$/, 'const $1 = require($2);');
  return {
    'TypeScript SDK, import': write('guide.mjs', NODE_GUIDE),
    'TypeScript SDK, require': write('guide.cjs', `${required}\n(async () => {\n${body.join('\n')}\n})();\n`),
  };
}

/** Starts the installed server in its folder, as `npx slipway-server` does. */
export function startServer(instance: SlipwayInstance, folder: string, settings: Record<string, string> = {}): Run {
  const start = 'cd "$0" && exec node_modules/.bin/slipway-server';
  return instance.spawn('sh', ['-c', start, folder], settings);
}

/** Runs `npx slipway-server --help` in the folder. */
export function checkHelp(folder: string): Check {
  const { status, stdout } = spawnSync('npx', ['slipway-server', '--help'], { cwd: folder, encoding: 'utf8' });
  const count = stdout.match(/^slipway-server/gm)?.length ?? 0;
  return {
    name: 'npx slipway-server --help lists roles and commands',
    ok: status === 0 && count > 10,
    figure: `${count}`,
  };
}

async function createToken(instance: SlipwayInstance): Promise<string> {
  const { cookie } = await signIn(instance, readNote(instance).link);
  const site = `${instance.consoleUrl}/api`;
  const { body } = await ask<{ organisations: { id: string }[] }>(`${site}/session`, { headers: { cookie } });
  const tokens = `${site}/organisations/${body.organisations[0]?.id}/access-tokens`;
  const input = { name: 'A terminal', scope: 'write', expiresInDays: 1 };
  return (await send<{ token: string }>(tokens, input, { cookie })).body.token;
}

/** Runs the quickstart. Resolves with the checks and the signing secret of this machine's endpoint. */
export async function runQuickstart(
  instance: SlipwayInstance,
  tools: GuideTools,
): Promise<{ checks: Check[]; signingSecret: string }> {
  const result = await runGuide(instance, await createToken(instance), tools);
  const check = (name: string, ok: boolean, figure: string): Check => ({ name: `quickstart: ${name}`, ok, figure });
  const { commands, trigger, received, unsigned, signingSecret } = result;
  const servers = commands.printed.match(/^srv_\w+ /gm)?.length ?? 0;
  return {
    signingSecret,
    checks: [
      check(
        'sign-in, app, key and first calls',
        commands.code === 0 && servers > 0,
        servers > 0 ? `${servers} servers` : commands.complaints,
      ),
      check('the webhook is delivered', trigger.code === 0 && trigger.printed.includes('succeeded'), 'succeeded'),
      check('the receiver verifies it', /^ticket\.created evt_\w+\n/.test(received), received.trim()),
      check('an unsigned message is refused', unsigned.status === 400, `HTTP ${unsigned.status}`),
    ],
  };
}

const LINES = [
  /^A key of the sandbox, valid until 20\d\d-/m,
  /: \d+ members$/m,
  /^No such server \(request req_\w+\)\.$/m,
];

/** Runs a guide with the key of the demo. */
export function checkGuide(
  instance: SlipwayInstance,
  key: string,
  name: string,
  command: readonly string[],
  env: Record<string, string> = {},
): Check {
  const [program = '', ...args] = command;
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env, SLIPWAY_API_URL: instance.apiUrl, SLIPWAY_KEY: key },
  });
  const isRight = status === 0 && LINES.every((line) => line.test(stdout));
  const count = stdout.match(/: \d+ members$/gm)?.length ?? 0;
  return {
    name: `${name}: the guide calls the API`,
    ok: isRight,
    figure: isRight ? `${count} servers` : stderr.slice(0, 300),
  };
}

/** Starts the receiver of an SDK's README, and delivers an event to it through `slipway listen`. */
export async function checkReceiver(
  instance: SlipwayInstance,
  { language, install, environment }: Program,
  { slipway, signingSecret }: { slipway: string; signingSecret: string },
): Promise<Check> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const [program = '', ...args] = install('receiver');
  const settings = { ...environment, SLIPWAY_SIGNING_SECRET: signingSecret, PORT: String(port) };
  const receiving = instance.spawn(program, args, settings);
  // The profile of the quickstart.
  const profile = { XDG_CONFIG_HOME: join(instance.dataDir, 'guide'), SLIPWAY_CONSOLE_URL: instance.consoleUrl };
  const listening = instance.spawn('sh', ['-c', `exec ${slipway} listen --forward-to ${url}`], profile);
  // As soon as the receiver listens, it refuses a message without a signature.
  const forged = await until(() => fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined));
  await until(() => listening.stderr().includes('Listening as'));
  const triggering = instance.spawn('sh', ['-c', `exec ${slipway} trigger ticket.created --wait`], profile);
  const code = await triggering.exited;
  const line = await until(() => /^ticket\.created evt_\w+, number \d+ of tkt_\w+$/m.exec(receiving.stdout())?.[0]);
  listening.child.kill('SIGINT');
  receiving.child.kill();
  await Promise.all([listening.exited, receiving.exited]);
  return {
    name: `${language}: the receiver verifies a webhook`,
    ok: code === 0 && forged.status === 400,
    figure: line,
  };
}

// `npm run prove -- schemathesis [--seed N] [--runs N] [--phases examples,coverage,fuzzing,stateful] [--only /v1]`: an
// independent tool reads both served contracts, and /v1 of an own contract, and searches for violations by the running
// service. It installs itself with exact versions into a folder of the build.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { argument } from '../bench/kit.ts';
import { type BenchServer, createBenchServer, root, start } from '../bench/server.ts';
import { type Check, conclude, numberAfter } from './kit.ts';
import { REFUSED_OPERATIONS } from './schemathesis/refused-operations.ts';
import { prepareSchemathesis } from './schemathesis/setup.ts';

const HERE = join(root, 'prove/schemathesis');
const VENV = join(root, '.build/schemathesis');

/**
 * Runs a program. Resolves with true if it succeeded. Asynchronous, so that this process notices connections that end
 * meanwhile.
 */
function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  const stdio = ['ignore', process.argv.includes('--json') ? 2 : 1, 2] as const;
  const child = spawn(program, args, { cwd: join(root, '.build'), env, stdio: [...stdio] });
  return new Promise((resolve, reject) => child.once('error', reject).once('exit', (code) => resolve(code === 0)));
}

/** Returns the tool's program, after installing these versions if necessary. */
async function install(): Promise<string> {
  const wanted = join(HERE, 'requirements.txt');
  const present = join(VENV, 'requirements.txt');
  const program = join(VENV, 'bin/schemathesis');
  if (existsSync(present) && readFileSync(present, 'utf8') === readFileSync(wanted, 'utf8')) return program;
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '-r', wanted];
  const isThere =
    (await run('python3', ['-m', 'venv', '--clear', VENV])) &&
    (await run(join(VENV, 'bin/python'), pip)) &&
    (await run('cp', [wanted, present]));
  if (!isThere)
    throw new Error('schemathesis could not be installed: it needs python3 (3.10 or later) with venv and pip.');
  return program;
}

/**
 * Checks that each operation succeeded at least once, except those with a documented reason. A proof in which
 * everything is refused would be worthless.
 */
function judgeAnswers(contract: string, file: string): Check {
  if (!existsSync(file)) return { name: `operations of ${contract} that were answered`, ok: false, figure: 'none' };
  // Written by the hooks: by operation id, the first digits of the statuses of its responses.
  const answered = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number[]>;
  const all = Object.keys(answered);
  const refused = all.filter((id) => !answered[id]?.includes(2));
  const unexplained = refused.filter((id) => !Object.hasOwn(REFUSED_OPERATIONS, id));
  const figure = `${all.length - refused.length} of ${all.length}`;
  return {
    name: `operations of ${contract} that were answered 2xx at least once`,
    ok: all.length > 0 && unexplained.length === 0,
    figure: unexplained.length === 0 ? figure : `${figure}; refused without a reason: ${unexplained.join(', ')}`,
  };
}

const seed = numberAfter('--seed', 1);
const runs = numberAfter('--runs', 0);
const only = argument('--only') ?? '';
const phases = argument('--phases');
const program = await install();
const checks: Check[] = [];

interface Target {
  name: string;
  /** The document of the contract. */
  file: string;
  url: string;
}

/** Tests the targets of one installation. */
async function prove(at: BenchServer, targets: readonly Target[]): Promise<void> {
  const setup = await prepareSchemathesis(at);
  for (const { name, file, url } of targets) {
    const config = ['--config-file', join(HERE, 'schemathesis.toml')];
    const more = [...(runs > 0 ? ['--max-examples', String(runs)] : []), ...(phases ? ['--phases', phases] : [])];
    const args = [...config, '--no-color', 'run', file, '--url', url, '--seed', String(seed), ...more];
    const answers = join(dirname(at.dataDir), `responses of ${basename(file)}`);
    const hooks = {
      SLIPWAY_PROOF_TARGET: url,
      SLIPWAY_PROOF_ANSWERS: answers,
      SCHEMATHESIS_HOOKS: join(HERE, 'hooks.py'),
    };
    const begunMs = performance.now();
    const ok = await run(program, args, { ...process.env, ...setup.names, ...hooks });
    const seconds = (performance.now() - begunMs) / 1000;
    checks.push({
      name: `schemathesis finds nothing in ${name}`,
      ok,
      figure: `seed ${seed}, ${seconds.toFixed(0)} s`,
    });
    // A selection of phases is for inspection, and not the whole proof.
    if (phases === undefined) checks.push(judgeAnswers(name, answers));
    const status = await setup.statusNow();
    checks.push({ name: 'the objects under test exist at the end', ok: status === 200, figure: `HTTP ${status}` });
  }
}

/** Starts an installation with a contract, the default one if it is undefined, and tests the chosen targets. */
async function proveContract(
  folder: string | undefined,
  targetsOf: (at: BenchServer) => readonly Target[] | Promise<readonly Target[]>,
): Promise<void> {
  const at = await createBenchServer();
  // With the default rate, the speed of the machine would decide which requests are refused with 429.
  Object.assign(at.env, { SLIPWAY_SANDBOX_RATE_PER_SECOND: '1000000', SLIPWAY_SANDBOX_RATE_BURST: '1000000' });
  if (folder !== undefined) at.env.SLIPWAY_CONTRACT = folder;
  try {
    const started = await start(at, [process.execPath, 'scripts/start.mjs']);
    try {
      await prove(at, await targetsOf(at));
    } finally {
      await started.stop();
    }
  } finally {
    at.remove();
  }
}

const isChosen = (name: string): boolean => name.includes(only);
const OWN = '/v1 of an own contract';
const DEFAULT = [
  { name: '/v1', file: 'contract/openapi.json', listener: 'apiUrl' },
  { name: 'the management API', file: 'contract/console.openapi.json', listener: 'consoleUrl' },
] as const;

const chosen = DEFAULT.filter(({ name }) => isChosen(name));
if (chosen.length > 0)
  await proveContract(undefined, (at) =>
    chosen.map(({ name, file, listener }) => ({ name, file: join(root, file), url: at[listener] })),
  );
if (isChosen(OWN))
  await proveContract(join(root, 'server/test/contracts/shop'), async ({ apiUrl, dataDir }) => {
    const file = join(dirname(dataDir), 'shop.json');
    writeFileSync(file, await (await fetch(`${apiUrl}/v1/openapi.json`)).text());
    return [{ name: OWN, file, url: apiUrl }];
  });
conclude('schemathesis', checks);

// `npm run prove -- schemathesis [--seed N] [--runs N] [--only /v1]`: an independent tool reads both contracts as they are served and looks
// for what the running service does not keep of them. It installs itself, at exact versions, into a folder of the build.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Installation, makeInstallation, readNote, root, signIn, start } from '../bench/server.ts';
import { type Check, conclude, numberAfter } from './kit.ts';

const HERE = join(root, 'prove/schemathesis');
const VENV = join(root, '.build/schemathesis');

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): boolean {
  return (
    spawnSync(program, args, {
      cwd: join(root, '.build'),
      env,
      stdio: ['ignore', process.argv.includes('--json') ? 2 : 1, 2],
    }).status === 0
  );
}

/** The tool's program, installed when it is not there at these versions yet. */
function install(): string {
  const wanted = join(HERE, 'requirements.txt');
  const present = join(VENV, 'requirements.txt');
  const program = join(VENV, 'bin/schemathesis');
  if (existsSync(present) && readFileSync(present, 'utf8') === readFileSync(wanted, 'utf8')) return program;
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '-r', wanted];
  const isThere =
    run('python3', ['-m', 'venv', '--clear', VENV]) &&
    run(join(VENV, 'bin/python'), pip) &&
    run('cp', [wanted, present]);
  if (!isThere)
    throw new Error('schemathesis could not be installed: it needs python3 (3.10 or later) with venv and pip.');
  return program;
}

/** What the configuration names: the demo's key, the owner's session, and what they own. */
async function readNames(installation: Installation): Promise<Record<string, string>> {
  const { consoleUrl } = installation;
  const { key, link } = await readNote(installation);
  const cookie = await signIn(installation, link);
  const get = async <Body>(path: string): Promise<Body> => {
    const answer = await fetch(`${consoleUrl}/api${path}`, { headers: { cookie } });
    return (await answer.json()) as Body; // the Console's own contract
  };
  const { organisations } = await get<{ organisations: { id: string }[] }>('/session');
  const organisation = organisations[0]?.id ?? '';
  const { data } = await get<{ data: { id: string }[] }>(`/sandbox/organisations/${organisation}/apps`);
  return {
    SLIPWAY_PROOF_KEY: key,
    SLIPWAY_PROOF_SESSION: cookie.replace(/^[^=]*=/, ''),
    SLIPWAY_PROOF_ORGANISATION: organisation,
    SLIPWAY_PROOF_APP: data[0]?.id ?? '',
  };
}

const seed = numberAfter('--seed', 1);
const runs = numberAfter('--runs', 0);
const only = process.argv.includes('--only') ? (process.argv[process.argv.indexOf('--only') + 1] ?? '') : '';
const program = install();
const at = await makeInstallation();
const checks: Check[] = [];
try {
  const started = await start(at, [process.execPath, 'scripts/start.mjs']);
  try {
    const env = { ...process.env, ...(await readNames(at)) };
    const contracts = [
      { name: '/v1', file: 'contract/openapi.json', url: at.apiUrl },
      { name: 'the management API', file: 'contract/console.openapi.json', url: at.consoleUrl },
    ];
    for (const { name, file, url } of contracts) {
      if (!name.includes(only)) continue;
      const config = ['--config-file', join(HERE, 'schemathesis.toml')];
      const more = runs > 0 ? ['--max-examples', String(runs)] : [];
      const args = [...config, '--no-color', 'run', join(root, file), '--url', url, '--seed', String(seed), ...more];
      const begunMs = performance.now();
      const ok = run(program, args, env);
      const seconds = (performance.now() - begunMs) / 1000;
      checks.push({
        name: `schemathesis finds nothing in ${name}`,
        ok,
        figure: `seed ${seed}, ${seconds.toFixed(0)} s`,
      });
    }
  } finally {
    await started.stop();
  }
} finally {
  at.remove();
}
conclude('schemathesis', checks);

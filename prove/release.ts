// `npm run prove -- release`: builds the release of the commit twice and compares the bytes. Then it installs the
// server, CLI and SDKs from their artefacts into empty folders outside the repository, and follows the quickstart with
// them. Needs python3 with venv and pip, Go, and the npm registry (or npm's cache) for the embedded Postgres.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root as folder } from '../scripts/prose/index.ts';
import { startExternalPostgres } from '../test/external-postgres.ts';
import { createInstance, type SlipwayInstance } from '../test/slipway.ts';
import { readNote } from '../test/visitor.ts';
import { type Check, conclude } from './kit.ts';
import {
  buildRelease,
  checkNpmPackage,
  cloneRepository,
  compareContext,
  compareImage,
  compareReleases,
  compareWheel,
  unpack,
} from './release/artefacts.ts';
import {
  artefact,
  checkGuide,
  checkHelp,
  checkReceiver,
  goProgram,
  installGlobally,
  installNpm,
  nodeGuides,
  pythonProgram,
  runQuickstart,
  startServer,
} from './release/visit.ts';

const root = folder.replace(/\/$/, '');
const checks: Check[] = [];
const home = mkdtempSync(join(tmpdir(), 'slipway-prove-release-'));
// If the proof runs as root, the user that runs Postgres needs access to the folder.
spawnSync('chmod', ['711', home]);
const at = (...names: string[]): string => join(home, ...names);
const out = at('release');

/** Builds in the repository and in a clone with another path, time zone and permissions. */
function checkArtefacts(): void {
  buildRelease(root, out);
  cloneRepository(root, at('clone'));
  buildRelease(at('clone'), at('again'), { TZ: 'Pacific/Auckland', LANG: 'de_DE.UTF-8', RELEASE_UMASK: '077' });
  checks.push(compareReleases(out, at('again')));
  const sums = spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: out, encoding: 'utf8' });
  checks.push({ name: 'sha256sum accepts the checksums', ok: sums.status === 0, figure: sums.stderr || 'all' });
  const packages = ['sdk', 'cli', 'server'].map((name) => {
    const unpacked = join(unpack(artefact(out, `slipway-${name}-`, '.tgz'), at('unpacked', name)), 'package');
    checks.push(checkNpmPackage(name, unpacked, root));
    return unpacked;
  });
  checks.push(compareImage(at('clone'), packages[2] ?? '', at('image')));
  checks.push(compareContext(at('clone'), unpack(artefact(out, 'slipway-context-', '.tar.gz'), at('context'))));
  checks.push(compareWheel(root, out, at('sdist')));
}

async function visit(instance: SlipwayInstance): Promise<void> {
  const cli = artefact(out, 'slipway-cli-', '.tgz');
  // As the quickstart says, and the CLI also as its README says.
  const server = installNpm(at('server'), artefact(out, 'slipway-server-', '.tgz'), cli);
  const slipway = join(installGlobally(at('cli'), cli), 'slipway');
  checks.push(checkHelp(server));
  const sdk = artefact(out, 'slipway-sdk-', '.tgz');
  await startServer(instance, server).ready;
  const docs = await fetch(`${instance.consoleUrl}/docs/start/quickstart/`);
  const isServed = docs.status === 200 && (await docs.text()).includes('Quickstart');
  checks.push({
    name: 'the server’s package starts and serves its pages',
    ok: isServed,
    figure: `HTTP ${docs.status}`,
  });
  const key = readNote(instance).key ?? '';
  const installSdk = `npm install --prefix ~/receiver --offline --no-audit --no-fund ${sdk}`;
  const quickstart = await runQuickstart(instance, { slipway: join(server, 'node_modules/.bin/slipway'), installSdk });
  checks.push(...quickstart.checks);
  const guides = nodeGuides(installNpm(at('node'), sdk));
  for (const [name, command] of Object.entries(guides)) checks.push(checkGuide(instance, key, name, command));
  for (const program of [pythonProgram(root, out, at('python')), goProgram(root, out, at('go'))]) {
    const { language, environment } = program;
    checks.push(checkGuide(instance, key, language, program.install('guide'), environment));
    checks.push(await checkReceiver(instance, program, { slipway, signingSecret: quickstart.signingSecret }));
  }
}

/** Starts the installed server on a Postgres of the operator. */
async function visitWithOwnPostgres(): Promise<void> {
  const postgres = await startExternalPostgres();
  const instance = await createInstance();
  try {
    await startServer(instance, at('server'), postgres.settings).ready;
    const answer = await fetch(`${instance.consoleUrl}/sign-in`);
    const ok = answer.status === 200 && instance.postgres() === undefined;
    checks.push({ name: 'the server’s package starts on an external Postgres', ok, figure: `HTTP ${answer.status}` });
  } finally {
    await instance.remove();
    await postgres.remove();
  }
}

const instance = await createInstance();
try {
  checkArtefacts();
  await visit(instance);
  await visitWithOwnPostgres();
} finally {
  await instance.remove();
  rmSync(home, { recursive: true, force: true });
}
conclude('release', checks);

// Checks the SDKs for Python and Go with the tools of their languages. The test suite runs the scenario of all SDKs
// with the TypeScript SDK and the Python SDK. Compiling Go, and installing a type checker, takes too long for it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/prose/index.ts';
import { pythonPrograms } from '../../sdk/test/readme-programs.ts';
import { type Check, runTests } from '../kit.ts';

const VENV = join(root, '.build/clients');
const PYTHON = join(VENV, 'bin/python');
// Outside the sources, next to which mypy would write it.
const CACHE = join(VENV, 'mypy-cache');
const checks: Check[] = [];

/** Runs a program. Returns its output, or undefined if it failed. Shows the output of a failure. */
function run(program: string, args: readonly string[], cwd: string): string | undefined {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  if (status === 0) return stdout;
  console.error(error ?? `${stdout}${stderr}`);
  return undefined;
}

function check(name: string, output: string | undefined, figure = 'no fault'): void {
  checks.push({ name, ok: output !== undefined, figure: output === undefined ? 'failed' : figure });
}

/** Makes an environment with the tools of requirements.txt, in a folder of the build. */
function installTools(): void {
  const wanted = readFileSync(join(root, 'prove/clients/requirements.txt'), 'utf8');
  const stamp = join(VENV, 'requirements.txt');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];
  mkdirSync(join(root, '.build'), { recursive: true });
  const isThere =
    run('python3', ['-m', 'venv', '--clear', VENV], root) !== undefined &&
    run(PYTHON, [...pip, '-r', 'prove/clients/requirements.txt'], root) !== undefined;
  if (!isThere) throw new Error('The tools need python3 (3.10 or later) with venv and pip.');
  writeFileSync(stamp, wanted);
}

/** Writes each program of the Python README as a module. Returns their names. */
function writeExamples(folder: string): string[] {
  return pythonPrograms(root).map((program, index) => {
    writeFileSync(join(folder, `example_${index}.py`), program);
    return `example_${index}.py`;
  });
}

function checkPython(folder: string): void {
  installTools();
  const sources = join(root, 'sdk-python');
  const strict = run(PYTHON, ['-m', 'mypy', '--cache-dir', CACHE, 'src', 'tests'], sources);
  check('Python: mypy --strict accepts the sources and the tests', strict, strict?.trim());
  const build = ['-m', 'pip', 'wheel', '--quiet', '--disable-pip-version-check', '--no-deps', '--no-build-isolation'];
  // From a copy, because a build may write into its folder.
  const copy = join(folder, 'sdk-python');
  run('cp', ['-R', sources, copy], root);
  const built = run(PYTHON, [...build, '--wheel-dir', folder, copy], root);
  const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
  check('Python: the wheel is built', wheel === undefined ? undefined : built, wheel);
  const venv = join(folder, 'venv');
  const python = join(venv, 'bin/python');
  const isInstalled =
    run('python3', ['-m', 'venv', venv], folder) !== undefined &&
    run(python, ['-m', 'pip', 'install', '--quiet', '--no-index', join(folder, wheel ?? 'no wheel')], folder) !==
      undefined;
  const version = isInstalled
    ? run(
        python,
        ['-c', 'import slipway, importlib.metadata as m; print(slipway.__version__, m.version("slipway-sdk"))'],
        folder,
      )
    : undefined;
  check('Python: the wheel is installed into an empty folder and imported', version, version?.trim());
  const examples = writeExamples(folder);
  const typed = run(
    PYTHON,
    ['-m', 'mypy', '--strict', '--cache-dir', CACHE, '--python-executable', python, ...examples],
    folder,
  );
  check('Python: mypy --strict accepts the examples with the wheel', typed, typed?.trim());
}

function checkGo(): void {
  const folder = join(root, 'sdk-go');
  const unformatted = run('gofmt', ['-l', '.'], folder);
  check('Go: gofmt changes no file', unformatted === '' ? '' : undefined, 'no file');
  check('Go: go vet finds nothing', run('go', ['vet', './...'], folder));
  const tested = run('go', ['test', './...'], folder);
  check('Go: its tests pass', tested, tested?.match(/^ok/gm)?.length.toString().concat(' packages'));
}

/** Checks the three SDKs. Resolves with the checks. */
export async function checkSdks(): Promise<Check[]> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-clients-'));
  try {
    checkPython(folder);
    checkGo();
  } finally {
    rmSync(folder, { recursive: true });
  }
  const tests = ['sdk/test/conformance.test.ts', 'sdk/test/conformance-python.test.ts'];
  const passed = await runTests(['--project', 'server', ...tests], { SLIPWAY_TEST_GO: '1' });
  checks.push({
    name: 'TypeScript, Python and Go: the scenario and the examples pass',
    ok: passed,
    figure: passed ? 'all steps' : 'failed',
  });
  return checks;
}

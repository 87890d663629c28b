// Builds the artefacts of a release twice, with different folders, time zones and permissions, and unpacks them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPython } from '../../scripts/release/python.ts';
import { git, runTool } from '../../scripts/release/source.ts';
import { filesBelow } from '../../scripts/release/stage.ts';
import type { Check } from '../kit.ts';

/** Builds the release of the repository in `root`. Prints the progress. */
export function buildRelease(root: string, out: string, env: NodeJS.ProcessEnv = {}): void {
  const { status } = spawnSync(
    'sh',
    ['-c', `umask ${env.RELEASE_UMASK ?? '022'} && npm run --silent release -- --dry-run --out ${out}`],
    {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 2, 2],
    },
  );
  if (status !== 0) throw new Error(`The release could not be built in ${root}.`);
}

/** Clones the commit of the repository and installs its dependencies, as a new contributor would. */
export function cloneRepository(root: string, folder: string): void {
  git(root, 'clone', '--quiet', '--no-hardlinks', root, folder);
  runTool('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
}

const checksumsOf = (out: string): Map<string, string> =>
  new Map(
    readFileSync(join(out, 'SHA256SUMS'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );

/** Compares the artefacts of two builds. */
export function compareReleases(one: string, other: string): Check {
  const [first, second] = [checksumsOf(one), checksumsOf(other)];
  const paths = [...new Set([...first.keys(), ...second.keys()])];
  const different = paths.filter((path) => first.get(path) !== second.get(path));
  return {
    name: 'two builds of the commit give the same bytes',
    ok: different.length === 0 && paths.length > 12,
    figure: different.length === 0 ? `${paths.length} artefacts` : `different: ${different.join(', ')}`,
  };
}

/** Unpacks a tarball into a new folder. Returns the folder. */
export function unpack(tarball: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  runTool('tar', ['-xzf', tarball, '-C', folder], { cwd: folder });
  return folder;
}

/**
 * Compares the files of the container image, which the clone's Dockerfile would copy, with the package of the server.
 */
export function compareImage(clone: string, serverPackage: string, folder: string): Check {
  runTool(process.execPath, ['scripts/copy-distribution.mjs', folder], { cwd: clone });
  const files = filesBelow(folder);
  const different = files.filter(
    (path) => !readFileSync(join(folder, path)).equals(readFileSync(join(serverPackage, path))),
  );
  return {
    name: 'the files of the image equal those of the server’s package',
    ok: different.length === 0,
    figure: different.length === 0 ? `${files.length} files` : different.slice(0, 3).join(', '),
  };
}

/** Compares the context of the image with the commit: what a build receives is what was tagged. */
export function compareContext(clone: string, context: string): Check {
  const tracked = git(clone, 'ls-files').split('\n').sort();
  const different = [
    ...filesBelow(context).filter((path) => !tracked.includes(path)),
    ...tracked.filter((path) => !readFileSync(join(context, path)).equals(readFileSync(join(clone, path)))),
  ];
  return {
    name: 'the context of the image equals the commit',
    ok: different.length === 0,
    figure: different.length === 0 ? `${tracked.length} files` : different.slice(0, 3).join(', '),
  };
}

/** Builds a wheel from the source distribution, and compares it with the wheel of the release. */
export function compareWheel(root: string, out: string, folder: string): Check {
  const names = filesBelow(out);
  const sdist = names.find((name) => /^slipway_sdk-.*\.tar\.gz$/.test(name)) ?? '';
  const wheel = names.find((name) => name.endsWith('.whl')) ?? '';
  const project = join(unpack(join(out, sdist), folder), sdist.replace(/\.tar\.gz$/, ''));
  const again = join(folder, 'again');
  mkdirSync(again);
  buildPython({ root, epochSeconds: Number(git(root, 'log', '-1', '--format=%ct')) }, project, again);
  const isSame = readFileSync(join(again, wheel)).equals(readFileSync(join(out, wheel)));
  return { name: 'the source distribution builds the wheel', ok: isSame, figure: wheel };
}

const FORBIDDEN =
  /(?:^|\/)(?:node_modules|test|tests|\.env[^/]*|\.git[^/]*)(?:\/|$)|\.map$|(?<!\.d)\.ts$|\.tsbuildinfo$/;

/** Checks the content of an npm package: licence, README, no sources, no path of the machine that built it. */
export function checkNpmPackage(name: string, folder: string, builtIn: string): Check {
  const files = filesBelow(folder);
  const missing = ['LICENSE', 'README.md', 'package.json'].filter((path) => !files.includes(path));
  const forbidden = files.filter((path) => FORBIDDEN.test(path) && !(name === 'sdk' && path.endsWith('.js.map')));
  const leaking = files.filter((path) => readFileSync(join(folder, path)).includes(builtIn));
  const faults = [...missing.map((path) => `no ${path}`), ...forbidden, ...leaking.map((path) => `path in ${path}`)];
  return {
    name: `the npm package ${name} has a licence, a README and only built files`,
    ok: faults.length === 0,
    figure: faults.length === 0 ? `${files.length} files` : faults.slice(0, 3).join(', '),
  };
}

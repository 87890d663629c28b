// Builds an earlier Slipway: the files of a commit in a separate folder, with the packages of this one where both need
// the same.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const run = (program: string, args: readonly string[], cwd: string): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 30 });

export interface ReleasedBuild {
  folder: string;
  remove(): void;
}

export function buildRelease(root: string, commit: string): ReleasedBuild {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-earlier-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, 'earlier.tar');
    run('git', ['archive', '--output', archive, commit], root);
    run('tar', ['-xf', archive], folder);
    rmSync(archive);
    const lockOf = (folder: string): string => readFileSync(join(folder, 'package-lock.json'), 'utf8');
    if (lockOf(folder) === lockOf(root)) linkPackages(root, folder);
    else run('npm', ['ci', '--no-audit', '--no-fund'], folder);
    run(process.execPath, ['scripts/build.mjs', '--to-start'], folder);
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Links each package separately, because the workspaces among them must be the earlier ones. A workspace may have its
 * own packages.
 */
function linkPackages(from: string, to: string): void {
  const [packages, links] = [join(from, 'node_modules'), join(to, 'node_modules')];
  mkdirSync(join(links, '@slipway'), { recursive: true });
  for (const name of readdirSync(packages)) {
    if (name !== '@slipway') symlinkSync(join(packages, name), join(links, name));
  }
  for (const name of readdirSync(join(packages, '@slipway')))
    symlinkSync(join(to, name), join(links, '@slipway', name));
  for (const name of readdirSync(to)) {
    const own = join(from, name, 'node_modules');
    if (name !== 'node_modules' && existsSync(own)) symlinkSync(own, join(to, name, 'node_modules'));
  }
}

// The commit that a release is built from.
import { spawnSync } from 'node:child_process';
import { readOneVersion } from './versions.ts';

export interface Source {
  /** The folder of the repository. */
  root: string;
  version: string;
  commit: string;
  /** The time of the commit in seconds: the timestamp of every file in the artefacts. */
  epochSeconds: number;
}

/** Returns the environment of every tool: one time zone, one language, and the time of the commit. */
export function toolEnvironment({ epochSeconds }: Pick<Source, 'epochSeconds'>): NodeJS.ProcessEnv {
  return { ...process.env, TZ: 'UTC', LC_ALL: 'C', SOURCE_DATE_EPOCH: String(epochSeconds) };
}

export interface ToolRun {
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs a tool and returns its output. Throws with the output of a failed run. */
export function runTool(program: string, args: readonly string[], { cwd, env }: ToolRun): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
    shell: process.platform === 'win32' && program === 'npm',
    ...(env && { env }),
  });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.slice(0, 3).join(' ')} failed: ${error?.message ?? `${stdout}${stderr}`.trim()}`);
}

export function git(root: string, ...args: string[]): string {
  return runTool('git', args, { cwd: root }).trim();
}

/** Reads the version and the commit. Throws if versions differ, or if the working tree differs from the commit. */
export function readSource(root: string): Source {
  const version = readOneVersion(root);
  const changed = git(root, 'status', '--porcelain').split('\n').filter(Boolean);
  if (changed.length > 0)
    throw new Error(
      `The working tree differs from the commit in ${changed.length} files, for example ${changed[0]?.trim()}. Commit or stash the changes.`,
    );
  return {
    root,
    version,
    commit: git(root, 'rev-parse', 'HEAD'),
    epochSeconds: Number(git(root, 'log', '-1', '--format=%ct')),
  };
}

/** Returns the files of the commit below a folder, sorted, relative to the folder. */
export function trackedFiles(root: string, folder: string): string[] {
  return git(root, 'ls-files', '-z', folder)
    .split('\0')
    .filter(Boolean)
    .map((path) => path.slice(folder.length + 1))
    .sort();
}

// The container image without a container: its read-only files, and its entry point run by a user who owns none of
// them.
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './slipway.ts';

/** The user id in the Dockerfile. */
export const IMAGE_USER = 65532;
const isRoot = process.getuid?.() === 0;
/** False if the process may not mount, as root in many containers. */
export const canMount = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0;

export interface Image {
  folder: string;
  /** Returns the program and the arguments that run the entry point, for `SlipwayInstance.spawn`. */
  command(args: readonly string[]): [program: string, args: string[]];
  remove(): void;
}

const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');

/** Returns the last value of an instruction in the Dockerfile, as text. */
export function instructionValue(name: string): string {
  return [...dockerfile.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].at(-1)?.[1] ?? '';
}

const AS_IMAGE_USER = ['setpriv', `--reuid=${IMAGE_USER}`, `--regid=${IMAGE_USER}`, '--clear-groups', '--no-new-privs'];
// In a separate mount namespace the files are on a read-only file system, as in an image.
const READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';

export function makeImage(): Image {
  const home = mkdtempSync(join(tmpdir(), 'slipway-image-'));
  const folder = join(home, 'slipway');
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/copy-distribution.mjs'), folder], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  spawnSync('chmod', ['-R', 'a-w,a+rX', home]);
  const [, entry = ''] = JSON.parse(instructionValue('ENTRYPOINT')) as string[]; // the exec form
  return {
    folder,
    command(args) {
      const program = [process.execPath, join(folder, entry), ...args];
      // Without root the process owns the files, whose write permission was removed.
      if (!isRoot) return [process.execPath, program.slice(1)];
      if (!canMount) return ['setpriv', [...AS_IMAGE_USER.slice(1), ...program]];
      return ['unshare', ['--mount', 'sh', '-c', READ_ONLY, folder, ...AS_IMAGE_USER, ...program]];
    },
    remove() {
      spawnSync('chmod', ['-R', 'u+w', home]);
      rmSync(home, { recursive: true });
    },
  };
}

/** Creates a volume: the only folder to which the image's user may write. */
export function makeVolume(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder);
  if (isRoot) chownSync(folder, IMAGE_USER, IMAGE_USER);
}

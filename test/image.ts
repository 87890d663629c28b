// The container image without a container: its files, nobody's to change, and its entry point run by a user who owns nothing.
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './slipway.ts';

/** As the Dockerfile has it. */
export const IMAGE_USER = 65532;
const isRoot = process.getuid?.() === 0;
/** Root in a container often may not. */
export const canMount = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0;

export interface Image {
  folder: string;
  /** Program and arguments that run the entry point, for `Place.spawn`. */
  command(args: readonly string[]): [program: string, args: string[]];
  remove(): void;
}

const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');

/** What the Dockerfile says last under a name, as JSON where it is that. */
export function said(name: string): string {
  return [...dockerfile.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].at(-1)?.[1] ?? '';
}

const AS_IMAGE_USER = ['setpriv', `--reuid=${IMAGE_USER}`, `--regid=${IMAGE_USER}`, '--clear-groups', '--no-new-privs'];
// In a mount namespace of its own the files are on a file system that is read-only, as an image's are.
const READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';

export function makeImage(): Image {
  const home = mkdtempSync(join(tmpdir(), 'slipway-image-'));
  const folder = join(home, 'slipway');
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/lay-out.mjs'), folder], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  spawnSync('chmod', ['-R', 'a-w,a+rX', home]);
  const [, entry = ''] = JSON.parse(said('ENTRYPOINT')) as string[]; // its exec form
  return {
    folder,
    command(args) {
      const program = [process.execPath, join(folder, entry), ...args];
      // Who is not root owns the files, and has taken from them the right to be written.
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

/** A volume: the one folder that the image's user may write to. */
export function makeVolume(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder);
  if (isRoot) chownSync(folder, IMAGE_USER, IMAGE_USER);
}

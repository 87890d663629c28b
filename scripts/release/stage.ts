// Folders that become an artefact. Permissions are set, because those of a checkout depend on the umask.
import { chmodSync, cpSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Copies files and folders into a folder, without source maps, which would refer to sources that are not copied. */
export function copyInto(folder: string, from: string, paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(from, path), join(folder, path), { recursive: true, filter: (file) => !file.endsWith('.map') });
  }
}

/** Returns the paths of all files below a folder, sorted, with slashes. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

/** Gives every file below a folder the permissions 644, and programs in a folder `bin` 755. */
export function setPermissions(folder: string): void {
  for (const path of filesBelow(folder))
    chmodSync(join(folder, path), /(?:^|\/)bin\/[^/]+$/.test(path) ? 0o755 : 0o644);
}

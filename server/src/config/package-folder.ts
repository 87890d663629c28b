// Finds the folder of the package: sources lie at several depths below it, and the built files at one.
import { existsSync } from 'node:fs';

/**
 * The folder of `@slipway/server`, with a slash at its end.
 *
 *     new URL('migrations/', PACKAGE_FOLDER)
 */
export const PACKAGE_FOLDER = folderWith('package.json', new URL('./', import.meta.url));

function folderWith(file: string, folder: URL): URL {
  if (existsSync(new URL(file, folder))) return folder;
  const parent = new URL('../', folder);
  if (parent.href === folder.href) throw new Error(`No folder above the sources has a ${file}.`);
  return folderWith(file, parent);
}

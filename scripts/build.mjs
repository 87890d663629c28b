// Builds outdated artefacts and prints one line per artefact: the bundles of server and CLI, the Console, and the
// package of the SDK.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buildSdk } from './build-sdk.mjs';
import { bundle } from './bundle.mjs';
import { prerenderConsole } from './prerender.mjs';
import { filesUnder, hashOf, readStamp, root, writeStamp } from './stamp.mjs';

/** The argument that builds only the artefacts for `npm start`. */
const TO_START = '--to-start';

const artefacts = [
  {
    name: 'server',
    sources: ['server/src', 'server/package.json', 'tsconfig.base.json'],
    entry: 'server/src/main.ts',
    result: 'server/dist/main.js',
    build: () => bundleWorkspace('server'),
  },
  {
    name: 'cli',
    sources: ['cli/src', 'cli/package.json', 'sdk/src', 'tsconfig.base.json'],
    entry: 'cli/src/main.ts',
    result: 'cli/dist/main.js',
    build: () => bundleWorkspace('cli'),
  },
  {
    name: 'console',
    sources: ['console', 'sdk/src', 'sdk/package.json', 'scripts/prerender.mjs', 'tsconfig.base.json'],
    entry: 'console/vite.config.ts',
    result: 'console/dist/index.html',
    build: buildConsole,
  },
  {
    name: 'docs',
    sources: [
      ...[
        'docs',
        'contract',
        'cli/src',
        'cli/README.md',
        'sdk/src',
        'sdk/README.md',
        'sdk-python/README.md',
        'sdk-go/README.md',
        'scripts/site',
        'scripts/site.ts',
      ],
      ...['console/public', 'console/src/app/color-scheme-key.ts', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
    ],
    entry: 'scripts/site.ts',
    result: 'docs/dist/index.html',
    build: buildDocs,
  },
];

/** Packages for others to install, which `npm start` does not need. */
const packages = [
  {
    name: 'sdk',
    sources: ['sdk', 'scripts/build-sdk.mjs', 'tsconfig.base.json'],
    entry: 'sdk/src/index.ts',
    result: 'sdk/dist/package.json',
    build: () => buildSdk(join(root, 'sdk/dist')),
  },
];

/** Returns the outdated artefacts, each with the hash of its sources. */
function outdated(wanted) {
  return wanted
    .filter(({ entry }) => existsSync(join(root, entry)))
    .map((artefact) => ({ ...artefact, hash: hashOf(filesUnder(...artefact.sources)) }))
    .filter(({ name, hash, result }) => readStamp(name)?.hash !== hash || !existsSync(join(root, result)));
}

/**
 * Builds all outdated artefacts in a separate process: the builders leave hundreds of megabytes, which a server started
 * in the same process would keep. Ends this process if a build fails.
 */
export function ensureBuilt() {
  if (outdated(artefacts).length === 0) return;
  const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), TO_START], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

export async function buildAll() {
  await buildEach([...artefacts, ...packages]);
}

async function buildEach(wanted) {
  for (const { name, hash, build } of outdated(wanted)) {
    const beganMs = performance.now();
    await build();
    // The earlier hash: if a source changed meanwhile, the artefact stays outdated.
    writeStamp(name, { hash });
    console.log(`Built ${name} in ${((performance.now() - beganMs) / 1000).toFixed(1)} s.`);
  }
}

function bundleWorkspace(name) {
  return bundle({
    entry: join(root, name, 'src/main.ts'),
    outDir: join(root, name, 'dist'),
    bundlesDependencies: true,
  });
}

async function buildConsole() {
  const { build } = await import('vite');
  await build({ root: join(root, 'console'), logLevel: 'warn' });
  await prerenderConsole();
  for (const folder of ['assets', 'pages']) compressTexts(join(root, 'console/dist', folder));
}

/** Builds the site in a separate process, as `npm run docs` does. */
function buildDocs() {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/run-ts.mjs'), 'scripts/site.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The documentation site could not be built.');
}

/** Compresses each text file in advance, so that the server never compresses a file during a request. */
function compressTexts(folder) {
  for (const name of readdirSync(folder).filter((one) => /\.(js|css|svg|html)$/.test(one))) {
    const bytes = readFileSync(join(folder, name));
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, quality));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  await (process.argv[2] === TO_START ? buildEach(artefacts) : buildAll());
}

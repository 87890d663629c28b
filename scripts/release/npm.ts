// The npm packages: SDK, CLI and server. CLI and server contain their dependencies; only the embedded Postgres, which
// depends on the platform, is a dependency of the server's package.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool, type Source, toolEnvironment } from './source.ts';
import { copyInto, setPermissions } from './stage.ts';

interface Manifest {
  name: string;
  [field: string]: unknown;
}

const readManifest = (root: string, file: string): Manifest =>
  JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest; // the format of npm

/** Fields that are the same for all packages. `repository` must name the forge for a provenance statement. */
function commonFields(root: string, folder: string): Record<string, unknown> {
  const { license, repository } = readManifest(root, 'package.json');
  const withFolder = typeof repository === 'object' ? { repository: { ...repository, directory: folder } } : {};
  return { license, ...withFolder, publishConfig: { access: 'public' } };
}

function stageSdk(root: string, folder: string): void {
  cpSync(join(root, 'sdk/dist'), folder, { recursive: true });
  const manifest = readManifest(folder, 'package.json');
  write(folder, { ...manifest, ...commonFields(root, 'sdk') });
}

function stageCli(root: string, folder: string): void {
  copyInto(folder, join(root, 'cli'), ['bin', 'dist', 'README.md']);
  copyInto(folder, root, ['LICENSE']);
  const { private: _, dependencies: __, devDependencies: ___, ...manifest } = readManifest(root, 'cli/package.json');
  write(folder, { ...manifest, ...commonFields(root, 'cli'), files: ['bin', 'dist'] });
}

/** Stages the layout of the container image, with a manifest and a README at its root. */
function stageServer(root: string, folder: string): void {
  runTool(process.execPath, ['scripts/copy-distribution.mjs', folder], { cwd: root });
  cpSync(join(root, 'server/README.md'), join(folder, 'README.md'));
  const { version, description, type, engines, optionalDependencies } = readManifest(root, 'package.json');
  write(folder, {
    name: 'slipway-server',
    ...{ version, description, type, engines },
    ...commonFields(root, 'server'),
    bin: { 'slipway-server': 'server/bin/slipway-server.mjs' },
    files: ['server', 'console', 'docs'],
    optionalDependencies,
  });
}

function write(folder: string, manifest: Manifest): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

const PACKAGES = [
  { name: 'sdk', stage: stageSdk },
  { name: 'cli', stage: stageCli },
  { name: 'server', stage: stageServer },
];

/** Writes the tarballs. Needs the built repository, and an empty folder for the stages. */
export function packNpm(source: Source, stages: string, out: string): void {
  for (const { name, stage } of PACKAGES) {
    const folder = join(stages, name);
    stage(source.root, folder);
    setPermissions(folder);
    const args = ['pack', folder, '--pack-destination', out, '--ignore-scripts', '--json'];
    runTool('npm', args, { cwd: stages, env: toolEnvironment(source) });
  }
}

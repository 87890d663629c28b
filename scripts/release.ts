// `npm run release -- --dry-run`: builds every artefact of a release from the commit into `dist`, or the folder after
// `--out`, with checksums and a bill of materials, and lists the unmet conditions of a release. Without `--dry-run` it
// builds only if all are met; .github/workflows/release.yml publishes the result. `-- --set-version 1.2.3` writes the
// version everywhere.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packChart, packContext, packSite } from './release/archives.ts';
import { packGo } from './release/go.ts';
import { writeNotes } from './release/notes.ts';
import { packNpm } from './release/npm.ts';
import { packPython } from './release/python.ts';
import { unmetConditions } from './release/readiness.ts';
import { type ArtefactHash, writeSbom } from './release/sbom.ts';
import { readSource, runTool, type Source, toolEnvironment } from './release/source.ts';
import { filesBelow } from './release/stage.ts';
import { writeVersion } from './release/versions.ts';

const ROOT = new URL('../', import.meta.url).pathname.replace(/\/$/, '');
const CHECKSUMS = 'SHA256SUMS';

interface Folders {
  out: string;
  stages: string;
}

const STEPS: readonly (readonly [name: string, run: (source: Source, folders: Folders) => void])[] = [
  ['build', (source) => runTool(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, env: toolEnvironment(source) })],
  ['npm packages', (source, { stages, out }) => packNpm(source, stages, out)],
  ['Python packages', (source, { stages, out }) => packPython(source, stages, out)],
  ['Go module', (source, { out }) => packGo(source, out)],
  ['image context', (source, { out }) => packContext(source, out)],
  ['Helm chart', (source, { out }) => packChart(source, out)],
  ['documentation site', (source, { stages, out }) => packSite(source, stages, out)],
  ['release notes', (source, { out }) => writeNotes(source, out)],
  ['bill of materials', (source, { out }) => writeSbom(source, hashesOf(out), out)],
  ['checksums', (_, { out }) => writeChecksums(out)],
];

function hashesOf(out: string): ArtefactHash[] {
  return filesBelow(out).map((path) => ({
    path,
    sha256: createHash('sha256')
      .update(readFileSync(join(out, path)))
      .digest('hex'),
  }));
}

/** Writes the file that `sha256sum --check` reads. */
function writeChecksums(out: string): void {
  const lines = hashesOf(out).map(({ path, sha256 }) => `${sha256}  ${path}\n`);
  writeFileSync(join(out, CHECKSUMS), lines.join(''));
}

function printTable(out: string): void {
  const rows = hashesOf(out).map(({ path, sha256 }) => {
    const kilobytes = Math.ceil(statSync(join(out, path)).size / 1000).toLocaleString('en');
    return [path, `${kilobytes} kB`, sha256.slice(0, 16)] as const;
  });
  const width = Math.max(...rows.map(([path]) => path.length));
  console.log(`\n${'artefact'.padEnd(width)}  ${'size'.padStart(10)}  SHA-256 (begin)`);
  for (const [path, size, sha256] of rows) console.log(`${path.padEnd(width)}  ${size.padStart(10)}  ${sha256}`);
}

function build(source: Source, wanted: string): void {
  const unfinished = `${wanted}.new-${process.pid}`;
  const stages = mkdtempSync(join(tmpdir(), 'slipway-release-'));
  mkdirSync(unfinished, { recursive: true });
  try {
    for (const [name, run] of STEPS) {
      const beganMs = performance.now();
      run(source, { out: unfinished, stages });
      console.log(`${name.padEnd(20)} ${((performance.now() - beganMs) / 1000).toFixed(1).padStart(6)} s`);
    }
    rmSync(wanted, { recursive: true, force: true });
    renameSync(unfinished, wanted);
  } finally {
    rmSync(stages, { recursive: true, force: true });
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function release(isDryRun: boolean, out: string): boolean {
  const source = readSource(ROOT);
  console.log(`Slipway ${source.version}, commit ${source.commit.slice(0, 10)}`);
  const unmet = unmetConditions(source);
  if (unmet.length === 0 || isDryRun) {
    build(source, out);
    printTable(out);
    console.log(`\nThe artefacts are in ${out}.`);
  }
  for (const fault of unmet) console.log(`${isDryRun ? 'Before the release' : 'Refused'}: ${fault}`);
  return isDryRun || unmet.length === 0;
}

function main(): boolean {
  const { values } = parseArgs({
    options: { 'dry-run': { type: 'boolean' }, out: { type: 'string' }, 'set-version': { type: 'string' } },
  });
  const version = values['set-version'];
  if (version === undefined) return release(values['dry-run'] === true, resolve(ROOT, values.out ?? 'dist'));
  for (const file of writeVersion(ROOT, version)) console.log(`wrote ${file}`);
  return true;
}

// Archives state local times: all runs use one time zone.
process.env.TZ = 'UTC';
try {
  process.exitCode = main() ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

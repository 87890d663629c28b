// Writes the files that are generated from the operations. `--check` reports outdated files and changes that break the
// released contract. `--lint` reports the findings of the linters. `--release` makes the contract the released one.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { requiredMigrations } from '../server/src/boot/process.ts';
import { contractChanges } from '../server/src/kit/openapi/contract-changes.ts';
import type { ReleasedChanges } from './contract-diff/changes-page.ts';
import { checkContract } from './contract-diff/check.ts';
import { RELEASE, RELEASED_CONTRACT as RELEASED, RELEASED_CHANGES, readJson, wantedFiles } from './contract-files.ts';
import { checkImages } from './images.ts';
import { lintContract } from './lint-contract.ts';

/** The structure of contract/released/release.json. */
export interface Release {
  version: string;
  commit: string;
  /** The checksum of each migration by its name. */
  migrations: Record<'plane' | 'console', Record<string, string>>;
}

const CURRENT = 'contract/openapi.json';

function firstDifference(a: string, b: string): string {
  const [left, right] = [a.split('\n'), b.split('\n')];
  const at = left.findIndex((line, index) => line !== right[index]);
  return `line ${at + 1}:\n  - ${left[at] ?? '(end)'}\n  + ${right[at] ?? '(end)'}`;
}

async function driftedFiles(): Promise<{ path: string; present: string; text: string }[]> {
  const wanted = Object.entries(await wantedFiles());
  const files = await Promise.all(
    wanted.map(async ([path, text]) => ({ path, text, present: await readFile(path, 'utf8').catch(() => '') })),
  );
  return files.filter(({ present, text }) => present !== text);
}

/** Prints the changes that break the released contract. Returns false if there are any. */
async function isCompatible(): Promise<boolean> {
  const [released, present] = await Promise.all([readFile(RELEASED, 'utf8'), readFile(CURRENT, 'utf8')]);
  const today = new Date().toISOString().slice(0, 10);
  const found = checkContract(JSON.parse(released), JSON.parse(present), today);
  for (const one of found) console.log(one);
  if (found.length > 0)
    console.log('CONTRIBUTING.md says how a change that breaks something is announced and declared.');
  return found.length === 0;
}

async function check(): Promise<boolean> {
  const drifted = await driftedFiles();
  for (const { path, present, text } of drifted) {
    console.log(`${path} is out of date at ${firstDifference(present, text)}`);
  }
  if (drifted.length > 0) console.log('Run `npm run contract` and commit what it writes.');
  return (await isCompatible()) && drifted.length === 0;
}

async function release(): Promise<boolean> {
  if (!(await check()) || !checkImages('.') || !auditPackages()) return false;
  const state = await readRelease();
  const changes = contractChanges(await readJson(RELEASED), await readJson(CURRENT));
  const day = new Date().toISOString().slice(0, 10);
  const releases = [
    { version: state.version, released: day, ...changes },
    ...(await readJson<ReleasedChanges[]>(RELEASED_CHANGES)),
  ];
  await writeFile(RELEASED_CHANGES, `${JSON.stringify(releases, null, 2)}\n`);
  await copyFile(CURRENT, RELEASED);
  await writeFile(RELEASE, `${JSON.stringify(state, null, 2)}\n`);
  console.log(`wrote ${RELEASED}, ${RELEASE} and ${RELEASED_CHANGES}`);
  await write(); // the page of API changes begins with the next release
  return true;
}

/** Returns false if a shipped package has a known advisory, or if the registry returns no advisories. */
function auditPackages(): boolean {
  return spawnSync(process.execPath, ['scripts/audit.mjs'], { stdio: 'inherit' }).status === 0;
}

/**
 * Returns the start of upgrades: a commit that equals the release except for these two files, and the migrations of its
 * installations.
 */
async function readRelease(): Promise<Release> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }; // this repository's manifest
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const of = async (kind: keyof Release['migrations']): Promise<Record<string, string>> =>
    Object.fromEntries((await requiredMigrations(kind)).map(({ name, checksum }) => [name, checksum]));
  return { version, commit, migrations: { plane: await of('plane'), console: await of('console') } };
}

async function write(): Promise<boolean> {
  for (const { path, text } of await driftedFiles()) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    console.log(`wrote ${path}`);
  }
  return true;
}

const MODES: Record<string, () => Promise<boolean>> = {
  '--check': check,
  '--lint': lintContract,
  '--release': release,
};
const run = MODES[process.argv[2] ?? ''] ?? write;
process.exitCode = (await run()) ? 0 : 1;

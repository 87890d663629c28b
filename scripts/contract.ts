// Writes what is generated from the operations. With --check it says what has drifted and what would break the released
// contract, with --lint what the linters find; with --release the contract becomes the released one.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { judgeContract } from './contract-diff/judge.ts';
import { wantedFiles } from './contract-files.ts';
import { lintContract } from './lint-contract.ts';

const PRESENT = 'contract/openapi.json';
const RELEASED = 'contract/released/openapi.json';

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

/** What the contract breaks of the released one; false when there is something. */
async function isCompatible(): Promise<boolean> {
  const [released, present] = await Promise.all([readFile(RELEASED, 'utf8'), readFile(PRESENT, 'utf8')]);
  const today = new Date().toISOString().slice(0, 10);
  const found = judgeContract(JSON.parse(released), JSON.parse(present), today);
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
  if (!(await check())) return false;
  await copyFile(PRESENT, RELEASED);
  console.log(`wrote ${RELEASED}`);
  return true;
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

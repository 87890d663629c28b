// Writes what is generated from the operations; with --check says what has drifted, with --lint what the linters find.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { wantedFiles } from './contract-files.ts';
import { lintContract } from './lint-contract.ts';

function firstDifference(a: string, b: string): string {
  const [left, right] = [a.split('\n'), b.split('\n')];
  const at = left.findIndex((line, index) => line !== right[index]);
  return `line ${at + 1}:\n  - ${left[at] ?? '(end)'}\n  + ${right[at] ?? '(end)'}`;
}

if (process.argv.includes('--lint')) process.exit((await lintContract()) ? 0 : 1);

let drifted = 0;
for (const [path, text] of Object.entries(await wantedFiles())) {
  const present = await readFile(path, 'utf8').catch(() => '');
  if (present === text) continue;
  drifted += 1;
  if (process.argv.includes('--check')) console.log(`${path} is out of date at ${firstDifference(present, text)}`);
  else {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    console.log(`wrote ${path}`);
  }
}
if (process.argv.includes('--check') && drifted > 0) {
  console.log('Run `npm run contract` and commit what it writes.');
  process.exitCode = 1;
}

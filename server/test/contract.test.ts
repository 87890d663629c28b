// The committed contract and SDK equal the output of the generator.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { wantedFiles } from '../../scripts/contract-files.ts';

test.each(Object.entries(await wantedFiles()))('%s equals the generated file', async (path, text) => {
  const present = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8').catch(() => '');
  // toEqual would print a difference of thousands of lines.
  expect(present === text, `${path} is out of date. Run \`npm run contract\` and commit what it writes.`).toBe(true);
});

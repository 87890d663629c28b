// The committed contract and SDK are what the code generates.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { wantedFiles } from '../../scripts/contract-files.ts';

test.each(Object.entries(await wantedFiles()))('%s is what the code generates', async (path, text) => {
  const present = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8').catch(() => '');
  // Not toEqual: a difference of thousands of lines helps nobody.
  expect(present === text, `${path} is out of date. Run \`npm run contract\` and commit what it writes.`).toBe(true);
});

// The programs in the READMEs of the SDKs in other languages. A block with the first line of a program begins one, and
// the following blocks continue it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

function programsIn(text: string, language: string, start: RegExp): string[] {
  const programs: string[] = [];
  for (const [, block = ''] of text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))) {
    if (start.test(block)) programs.push(block);
    else programs.push(`${programs.pop() ?? ''}\n${block}`);
  }
  return programs;
}

/** Returns the guide, the receiver and the types of the Python README. */
export const pythonPrograms = (root: string): string[] =>
  programsIn(
    readFileSync(join(root, 'sdk-python/README.md'), 'utf8'),
    'python',
    /^import os$|^from slipway\.webhooks/m,
  );

/** Returns the guide and the receiver of the Go README. */
export const goPrograms = (root: string): string[] =>
  programsIn(readFileSync(join(root, 'sdk-go/README.md'), 'utf8'), 'go', /^package main$/m);

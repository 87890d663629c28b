// Files, tests, decisions and proofs that the documents name must exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn, root } from '../../scripts/prose/index.ts';

const files = [...filesIn('')];
const names = new Set(files.map((path) => basename(path)));
const decisions = new Set(readdirSync(join(root, 'docs/decisions')).map((name) => name.slice(0, 4)));
const proofs = new Set(readdirSync(join(root, 'prove')).map((name) => name.replace(/\.ts$/, '')));
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

test.each(files.filter((path) => path.endsWith('.md')))('%s names only existing files', (path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const at = dirname(join(root, path));
  const links = all(text, /\]\(((?!https?:|#|mailto:)[^)#\s]+)/g).filter((link) => !existsSync(join(at, link)));
  const tests = all(text, /([\w.-]+\.test\.ts)\b/g).filter((name) => !names.has(name));
  const numbers = all(text, /decisions\/(\d{4})/g).filter((number) => !decisions.has(number));
  const proved = all(text, /run prove -- ([\w-]+)/g).filter((name) => name !== 'NAME' && !proofs.has(name));
  expect({ links, tests, numbers, proved }).toEqual({ links: [], tests: [], numbers: [], proved: [] });
});

test('each decision has a unique number', () => {
  const numbers = readdirSync(join(root, 'docs/decisions')).flatMap((name) => name.match(/^\d{4}/)?.[0] ?? []);
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
});

// Checks that the documents name only existing files, tests, decisions and proofs, and that decision records have one
// form.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn, root } from '../../scripts/prose/index.ts';

const files = [...filesIn('')];
const names = new Set(files.map((path) => basename(path)));
const decisions = new Set(readdirSync(join(root, 'docs/decisions')).map((name) => name.slice(0, 4)));
const proofs = new Set(readdirSync(join(root, 'prove')).map((name) => name.replace(/\.ts$/, '')));
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

// A link that begins with a slash leads to a generated page of the site, whose build checks it.
test.each(files.filter((path) => path.endsWith('.md')))('%s names only existing files', (path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const at = dirname(join(root, path));
  const links = all(text, /\]\(((?!https?:|#|mailto:|\/)[^)#\s]+)/g).filter((link) => !existsSync(join(at, link)));
  const tests = all(text, /([\w.-]+\.test\.ts)\b/g).filter((name) => !names.has(name));
  const numbers = all(text, /decisions\/(\d{4})/g).filter((number) => !decisions.has(number));
  const unknownProofs = all(text, /run prove -- ([\w-]+)/g).filter((name) => name !== 'NAME' && !proofs.has(name));
  expect({ links, tests, numbers, unknownProofs }).toEqual({ links: [], tests: [], numbers: [], unknownProofs: [] });
});

// Neither the compiler nor a test of documents reads these files, so a renamed script would break them unnoticed.
const RUNNERS = ['Dockerfile', '.ci/run', 'package.json', ...files.filter((path) => /^(\.github|deploy)\//.test(path))];
test.each(RUNNERS)('%s names only existing scripts', (path) => {
  const scripts = all(
    readFileSync(join(root, path), 'utf8'),
    /(?<![\w/])((?:scripts|server\/bin|test|prove|bench)\/[\w./-]+\.(?:mjs|ts|sh))\b/g,
  );
  expect(scripts.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});

const folder = join(root, 'docs/decisions');
const records = readdirSync(folder).filter((name) => /^\d{4}-[a-z0-9-]+\.md$/.test(name));
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');
const HEAD =
  /^# (?<number>\d{4}): (?<title>.+)\n\n- Status: (?<status>accepted|(?:superseded|removed) by \[\d{4}\]\([a-z0-9-]+\.md\))\n- Date: \d{4}-\d{2}-\d{2}\n\n## /;
const SECTIONS = ['Context', 'Decision', 'Consequences', 'Alternatives', 'Evidence'];
/** One page, with room for tables. */
const MOST_WORDS = 750;

test('each decision record has its own number', () => {
  const numbers = records.map((name) => name.slice(0, 4));
  expect(records.length).toBeGreaterThan(60);
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
});

test.each(records)('decision record %s has the common form and fits one page', (name) => {
  const text = textOf(name);
  const { number } = HEAD.exec(text)?.groups ?? {};
  expect(number).toBe(name.slice(0, 4));
  expect(all(text, /^## (.+)$/gm)).toEqual(SECTIONS);
  expect(all(text, /^## .+\n\n(?=## |$)/gm)).toEqual([]);
  expect(text.split(/\s+/).length).toBeLessThan(MOST_WORDS);
});

test('the index of decisions lists each record once, with its title and status', () => {
  const rows = all(textOf('README.md'), /^(\| \[\d{4}\].+)$/gm);
  const expected = records.map((name) => {
    const { number, title, status } = HEAD.exec(textOf(name))?.groups ?? {};
    return `| [${number}](${name}) | ${title} | ${status?.replace(/\[(\d{4})\].*/, '$1')} |`;
  });
  expect(rows.toSorted()).toEqual(expected.toSorted());
});

test('each note of evidence is linked from the decision record with its number', () => {
  const notes = readdirSync(join(folder, 'evidence'));
  const unlinked = notes.filter((note) => {
    const record = records.find((name) => name.startsWith(note.slice(0, 4)));
    return record === undefined || !textOf(record).includes(`(evidence/${note})`);
  });
  expect(unlinked).toEqual([]);
});

// The prose of the repository keeps the rules of plain English that a machine can check (CONTRIBUTING.md): no group of
// texts gets worse.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { proseOfContract, proseOfMarkdown, proseOfModule } from '../../scripts/prose/extract.ts';
import { ceilingOf, rateOf, readGroups, root } from '../../scripts/prose/index.ts';
import { proseOfOther } from '../../scripts/prose/other-languages.ts';
import { matchesIn, SUBJECT, SUBJECT_LENGTH, wordsIn } from '../../scripts/prose/rules.ts';

const groups = readGroups();

test('the groups cover documents, comments, test titles, texts and the contract', () => {
  for (const name of [
    'docs: documents',
    'contract: descriptions',
    'cli: texts',
    'server/src/webhooks: comments',
    'test: test titles',
    'deploy: comments',
    'deploy: texts',
    'sdk-go: comments',
    'sdk-python: comments',
  ]) {
    expect([name, (groups.find((group) => group.name === name)?.words ?? 0) > 300]).toEqual([name, true]);
  }
});

test.each(groups)('$name has no more faults per 1,000 words than its ceiling', (group) => {
  const found = group.faults.map(({ file, line, rule, text }) => `${file}:${line} ${rule}: ${text}`);
  if (rateOf(group) > ceilingOf(group.name)) expect(found).toEqual([]);
});

test.each([
  ['Of what is public nobody is asked.', 4],
  ['Whoever skips a version stops all processes first.', 2],
  ['What a key is, and where it stands.', 1],
  ['It is made anew, and is told of at once.', 3],
  ['A list.\n- What is this text?\n- Who may call?', 0],
  ['The worker deregisters a node whose heartbeat stops.', 0],
])('%j has %i faults', (text, count) => {
  expect(matchesIn(text)).toHaveLength(count);
});

describe('prose is taken out of', () => {
  test('Markdown without its code, links and tables’ bars', () => {
    const found = proseOfMarkdown(
      '# A title\n\nOne `code` [link](nobody.md)\nin two lines.\n\n```\nnobody\n```\n\n| a | b |\n',
    );
    expect(found.map(({ text, line }) => [line, text.replaceAll(/ +/g, ' ')])).toEqual([
      [1, 'A title'],
      [3, 'One [link in two lines.'],
      [10, 'a'],
      [10, 'b'],
    ]);
  });

  test('a module: comments, titles of tests, and sentences', () => {
    const source = `// One comment\n// of two lines.\ntest.each([1])('a title', () => { throw new Error(\`No \${it} was found here.\`); });\nconst sql = 'select one from two where three';`;
    expect(proseOfModule('a.ts', source).map(({ kind, text }) => [kind, text])).toEqual([
      ['comments', 'One comment of two lines.'],
      ['titles', 'a title'],
      ['texts', 'No … was found here.'],
    ]);
  });

  test.each([
    [
      'deploy/a.yaml',
      '# One comment\n# of two lines.\na: b # A third.\nurl: x/y#part\nsummary: "A key was not found here."\n',
      ['One comment of two lines.', 'A third.', 'A key was not found here.'],
    ],
    ['deploy/templates/a.yaml', '{{- /* One\ncomment. */}}\n# Two.\n{{ if .a }}\n', ['One\ncomment.', 'Two.']],
    [
      'deploy/a.sh',
      `#!/bin/sh\n# One.\necho "\${#names[@]}" 'No key was found here.'\n`,
      ['One.', 'No key was found here.'],
    ],
    ['a.css', '/* One\n comment. */ a { color: red }', ['One\n comment.']],
    [
      'a.py',
      '"""One docstring."""\n# Two.\nx = "No key was found here."',
      ['One docstring.', 'Two.', 'No key was found here.'],
    ],
    ['a.go', '// One\n// comment.\nx := "No key was found here."', ['One comment.', 'No key was found here.']],
    ['a.sql', '-- One comment.', []],
  ])('%s', (file, source, texts) => {
    expect(proseOfOther(file, source).map(({ text }) => text.trim())).toEqual(texts);
  });

  test('a contract: descriptions and summaries, each once', () => {
    const source = JSON.stringify({
      info: { description: 'One.' },
      paths: { '/': { get: { summary: 'Two.', description: 'One.' } } },
    });
    expect(proseOfContract(source).map(({ text }) => text)).toEqual(['One.', 'Two.']);
  });
});

test('a word is a run of letters', () => expect(wordsIn('A key’s id, in two-part form: `x`, 30.')).toBe(7));

describe('the subject of each commit', () => {
  /** Commits before this one are not checked. */
  const BASE = 'fff02a3c';
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  // A copy without its history, such as an archive, has no commits to check.
  const subjects = (): string[] => {
    try {
      return git('log', '--no-merges', '--format=%s', `${BASE}..HEAD`)
        .split('\n')
        .filter((one) => one !== '');
    } catch {
      return [];
    }
  };

  test('has the form type(scope): summary and at most 72 characters', () => {
    expect(subjects().filter((one) => !SUBJECT.test(one) || one.length > SUBJECT_LENGTH)).toEqual([]);
  });

  test.each([
    'docs: Whoever',
    'Fix a thing',
    'fix(kit) no colon',
    `fix(kit): ${'a'.repeat(72)}`,
  ])('%j is refused or accepted by its form', (subject) => {
    const isGood = SUBJECT.test(subject) && subject.length <= SUBJECT_LENGTH;
    expect(isGood).toBe(subject === 'docs: Whoever');
  });
});

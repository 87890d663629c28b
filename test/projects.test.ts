// The parts of the suite that CI runs instead of `npm test` omit no file.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from './slipway.ts';

const OF_NPM_TEST = ['server', 'apart', 'start', 'browser'];
const PROOFS = ['proofs', 'proofs-start'];
const NAMES = [...OF_NPM_TEST, ...PROOFS, 'rest', 'database', 'newest', 'newest-start'];

/** Tests that vitest.config.ts omits on a machine without the program that they need. */
const BEYOND_NODE = [
  ...['server/test/receivers-guide-python.test.ts', 'server/test/receivers-guide-shell.test.ts'],
  ...['test/quickstart-python.test.ts', 'sdk/test/conformance-python.test.ts', 'test/helm.test.ts'],
];

let filesOf: (...projects: string[]) => string[];
beforeAll(() => {
  const args = ['vitest', 'list', '--filesOnly', '--json', ...NAMES.flatMap((name) => ['--project', name])];
  const { stdout, stderr } = spawnSync('npx', args, { cwd: root, encoding: 'utf8' });
  const start = stdout.indexOf('[\n');
  if (start === -1) throw new Error(`${stdout}${stderr}`);
  const listed = JSON.parse(stdout.slice(start)) as { file: string; projectName: string }[]; // vitest's own list
  filesOf = (...projects) =>
    listed
      .filter(({ projectName }) => projects.includes(projectName))
      .map(({ file }) => relative(root, file))
      .sort();
});

test.each(NAMES)('the project %s has files', (name) => {
  expect(filesOf(name).length).toBeGreaterThan(0);
});

test('the projects rest and database together equal the project server, without common files', () => {
  expect(filesOf('rest', 'database')).toEqual(filesOf('server'));
});

test('npm test and the short proofs run every test file once', () => {
  const ran = filesOf(...OF_NPM_TEST, ...PROOFS);
  const folders = ['server', 'cli', 'sdk', 'bench', 'test', 'console'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
      .map((file) => `${folder}/${file}`),
  );
  const notRun = files.filter((file) => !ran.includes(file));
  expect(notRun.filter((file) => !BEYOND_NODE.includes(file))).toEqual([]);
  expect(new Set(ran).size).toBe(ran.length);
});

const ci = readFileSync(join(root, '.ci/run'), 'utf8');
const projectsOf = (text: string): string[] => [...text.matchAll(/--project ([\w-]+)/g)].map(([, name = '']) => name);
/** The tests of the first half of CI, of the whole and of each part that has some. */
const testsOf = new Map(
  [...ci.matchAll(/^ {2}([\w-]+)\) tests='(.+)' ;;$/gm)].map(([, part = '', tests = '']) => [part, tests]),
);

test('CI runs every file of npm test once on the machine’s Node', () => {
  const runs = [testsOf.get('whole') ?? '', ...ci.matchAll(/npm test -- (?:--project [\w-]+ ?)+/g)].map(String);
  const onMachine = runs.flatMap(projectsOf).filter((name) => !name.startsWith('newest'));
  expect(new Set(onMachine).size).toBe(onMachine.length);
  expect(filesOf(...onMachine)).toEqual(filesOf(...OF_NPM_TEST));
  expect(ci).toContain('npm run prove -- short');
});

test('the parts of CI together run the tests of the whole once', () => {
  const parts = [...testsOf].flatMap(([part, tests]) => (part === 'whole' ? [] : [tests]));
  const wanted = projectsOf(testsOf.get('whole') ?? '');
  expect(wanted.length).toBeGreaterThan(1);
  for (const project of wanted) {
    const shares = parts
      .filter((tests) => projectsOf(tests).includes(project))
      .map((tests) => / --shard (\S+)$/.exec(tests)?.[1] ?? '1/1');
    const count = Math.max(shares.length, 1);
    const all = Array.from({ length: count }, (_, at) => `${at + 1}/${count}`);
    expect([project, ...shares.sort()]).toEqual([project, ...all]);
  }
});

test('the workflow of CI runs each part, and an unknown part is refused with the names of all', () => {
  const workflow = parse(readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8'));
  const parts: string[] = workflow.jobs.checks.strategy.matrix.part;
  const steps = [...ci.matchAll(/\bincludes ([\w-]+)/g)].map(([, part = '']) => part);
  const named = new Set([...testsOf.keys(), ...steps]);
  expect(new Set(['whole', ...parts])).toEqual(named);
  const { status, stderr } = spawnSync('bash', ['.ci/run', 'other'], { cwd: root, encoding: 'utf8' });
  expect([status, parts.filter((part) => !stderr.includes(part))]).toEqual([2, []]);
});

test('every test on the newest Node is part of npm test', () => {
  const whole = new Set(filesOf('server', 'start'));
  expect(filesOf('newest', 'newest-start').filter((file) => !whole.has(file))).toEqual([]);
});

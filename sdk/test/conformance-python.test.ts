// The scenario of all SDKs with the Python SDK, and its own tests, in a separate suite, because they need python3.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Conformance, startConformance } from './conformance.fixture.ts';
import { runDriver } from './conformance-driver.ts';
import { root } from './installed.ts';
import { checkGuide, checkReceiver, LANGUAGE_ENV, writeProgram } from './readme.fixture.ts';
import { pythonPrograms } from './readme-programs.ts';

const pythonEnv = { ...process.env, ...LANGUAGE_ENV };

let conformance: Conformance;
beforeAll(async () => {
  conformance = await startConformance();
});
afterAll(() => conformance.close());

test('the Python SDK passes each step of the scenario', () =>
  conformance.check((input) => runDriver(['python3', 'tests/conformance.py'], 'sdk-python', input)));

test('the examples of the README of the Python SDK run', async () => {
  const [guide = '', receiver = '', types = '', ...others] = pythonPrograms(root);
  expect(others).toEqual([]);
  const command = (code: string): string[] => ['python3', writeProgram('example.py', code)];
  await checkGuide(conformance.sandbox, command(guide));
  await checkReceiver(command(receiver));
  expect(spawnSync('python3', ['-W', 'error', '-'], { input: types, encoding: 'utf8', env: pythonEnv }).stderr).toBe(
    '',
  );
});

test('the unit tests of the Python SDK pass', () => {
  const run = spawnSync('python3', ['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'], {
    cwd: join(root, 'sdk-python'),
    encoding: 'utf8',
    env: pythonEnv,
  });
  expect([run.status, run.stderr]).toEqual([0, expect.stringMatching(/^Ran \d\d+ tests/m)]);
});

// Statements of the guides about simulated problems and of the README about first commands, compared with the code.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { API_PROBLEM_CODES, PROBLEM_CODES, PROBLEMS } from '../src/access/problems/index.ts';
import { firstRunBlock } from '../src/governance/first-run/first-run-note.ts';
import type { ProblemCode } from '../src/kit/openapi/problems.ts';
import { parseSimulate } from '../src/sandbox/faults/sandbox-simulate.ts';

const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const guide = textOf('docs/build/simulate-failures.md');

function canSimulate(code: ProblemCode): boolean {
  try {
    return parseSimulate(`code=${code}`).code === code;
  } catch {
    return false;
  }
}

const line = (code: ProblemCode): string => `${PROBLEMS[code].status} ${code}`;

test('the guide lists exactly the problems that Sandbox-Simulate accepts, each with its status', () => {
  const [, table = ''] = /<!-- simulated problems.*-->\n([\s\S]*?)\n\n/.exec(guide) ?? [];
  const listed = [...table.matchAll(/^\| (\d{3}) \| (.*) \|$/gm)].flatMap(([, status, codes = '']) =>
    [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => `${status} ${code}`),
  );
  expect(listed.sort()).toEqual(PROBLEM_CODES.filter(canSimulate).map(line).sort());
});

test('the guide names every problem of /v1 that Sandbox-Simulate refuses, and no other', () => {
  const [, named = ''] = /You cannot simulate ([^:]*):/.exec(guide) ?? [];
  const refused = [...named.matchAll(/`(\w+)` \((\d{3})\)/g)].map(([, code, status]) => `${status} ${code}`);
  expect(refused.sort()).toEqual(
    API_PROBLEM_CODES.filter((code) => !canSimulate(code))
      .map(line)
      .sort(),
  );
});

test('the first-run note prints as many one-line curl commands as the README says', () => {
  const urls = { signInUrl: 'http://console.test', apiUrl: 'http://api.test', receiverUrl: undefined };
  const note = firstRunBlock({ ...urls, demo: { token: 'slw_test_key', serverId: 'srv_one' } });
  const commands = note.split('\n').filter((one) => one.trim().startsWith('curl '));
  expect(textOf('README.md')).toContain('two `curl` commands');
  expect(commands).toHaveLength(2);
  for (const command of commands) expect(command).toMatch(/ http:\/\/api\.test\/v1\/\S+$/);
});

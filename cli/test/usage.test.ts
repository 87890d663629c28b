// What somebody is told who types something wrong, before anything is asked of a Console.
import { SlipwayProblem } from '@slipway/sdk';
import { afterAll, expect, test } from 'vitest';
import { toExit } from '../src/exit.ts';
import { newTerminal } from './terminal.ts';

const terminal = newTerminal();
afterAll(() => terminal.remove());

test.each([
  ['requests list --limit abc', '--limit: abc is no number.'],
  ['keys list --limit 0', '--limit: 0 is no whole number of at least 1.'],
  ['trigger ping --repeat 0', '--repeat: 0 is no whole number of at least 1.'],
  ['trigger ping --repeat 1.5', '--repeat: 1.5 is no whole number of at least 1.'],
  ['requests list --since yesterday', '--since: yesterday is no moment'],
  ['status --environment staging', '--environment: staging is neither sandbox nor production.'],
])('slipway %s: the option is named that does not fit', async (line, sentence) => {
  const { code, out, err } = await terminal.run(line);
  expect([code, out, err]).toEqual([3, '', expect.stringContaining(`slipway: ${sentence}`)]);
});

test.each([
  'me',
  'servers',
  'create-ticket',
  'events',
])('slipway %s goes by its key and takes no profile', async (name) => {
  const { out } = await terminal.run(`${name} --help`);
  expect(out).toContain('--dry-run');
  expect(out).not.toMatch(/--profile|--app|--environment/);
});

test('what is wrong with a request is told part by part, and not where programs find it', () => {
  const problem = new SlipwayProblem({
    type: 'http://a.test/problems/invalid-request',
    title: 'Invalid request',
    status: 400,
    code: 'invalid_request',
    requestId: 'req_1',
    detail: 'Read `errors`: each entry points at the place (JSON Pointer) and says what is expected there.',
    errors: [{ pointer: '/type', detail: 'must be one of ping, pong' }],
    retryAfter: undefined,
  });
  expect(toExit(problem, undefined)).toEqual({
    code: 1,
    lines: [
      'Invalid request (invalid_request, req_1):',
      '  /type must be one of ping, pong',
      '  http://a.test/problems/invalid-request',
    ],
  });
});

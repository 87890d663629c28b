// Tests the lines on stderr before retries, in a pipe, against an API that is unavailable.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SlipwayConnectionError, SlipwayProblem } from '@slipway/sdk';
import { expect, test } from 'vitest';
import { retryNotice } from '../src/retry-notice.ts';
import { ioOf, newTerminal } from './terminal.ts';

const UNAVAILABLE = { type: 'about:blank', title: 'Unavailable', status: 503, code: 'unavailable', detail: 'Closed.' };

/** Calls an API that answers 503 with each of these waits in turn, then 401. */
async function callWith(retryAfter: readonly string[]) {
  const waits = [...retryAfter];
  const server = createServer((_, response) => {
    const wait = waits.shift();
    const status = wait === undefined ? 401 : 503;
    response.writeHead(status, { 'content-type': 'application/problem+json', ...(wait && { 'retry-after': wait }) });
    response.end(JSON.stringify({ ...UNAVAILABLE, status, ...(status === 401 && { code: 'invalid_key' }) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const terminal = newTerminal();
  terminal.env.SLIPWAY_API_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has a port
  terminal.env.SLIPWAY_KEY = 'slw_test_key';
  try {
    return await terminal.run('me');
  } finally {
    terminal.remove();
    await new Promise((resolve) => server.close(resolve));
  }
}

test('the CLI prints a line on stderr before it waits for Retry-After, also in a pipe', async () => {
  const { code, out, err } = await callWith(['1']);
  expect([code, out]).toEqual([4, '']);
  expect(err).toMatch(/^503 unavailable; waiting [12] s, attempt 2 of 3\nslipway: /);
});

test('the CLI prints no line before a retry that waits less than a second', async () => {
  const { code, err } = await callWith(['0']);
  expect(code).toBe(4);
  expect(err).toMatch(/^slipway: /);
});

test('the retry notice names the failure and rounds the wait up to seconds', () => {
  const printed = { out: '', err: '' };
  const notice = retryNotice(ioOf(printed, {}));
  const wait = { waitMs: 59_100, attempt: 2, maxAttempts: 3 };
  notice({ ...wait, error: new SlipwayConnectionError('reset') });
  const problem = {
    type: 'about:blank',
    title: 'Slow down',
    status: 429,
    code: 'rate_limited',
    requestId: '',
  } as const;
  notice({ ...wait, error: new SlipwayProblem(problem) });
  notice({ ...wait, waitMs: 999, error: new SlipwayConnectionError('reset') });
  expect(printed.out).toBe('');
  expect(printed.err).toBe('no answer; waiting 60 s, attempt 2 of 3\n429 rate_limited; waiting 60 s, attempt 2 of 3\n');
});

// The parts of a request that its record lacks.
import { expect, test } from 'vitest';
import { findOmittedParts } from './omitted-parts.ts';

const record: Parameters<typeof findOmittedParts>[0] = {
  path: '/v1/servers',
  query: 'limit=2',
  status: 200,
  problem_code: null,
  request_bytes: null,
  simulated: null,
  idempotency_hash: null,
  error_context: null,
};
const context = (name: string, value = '[string of 7 characters]') => ({
  error_context: { problem: {}, headers: { [name]: value } },
});

test.each<[string, Partial<typeof record>, string[]]>([
  ['a plain read', {}, []],
  ['a parameter that was taken out', { query: 'limit=*' }, ['address']],
  ['a body', { request_bytes: 12 }, ['body']],
  ['a body of unknown length', context('transfer-encoding', 'chunked'), ['body']],
  ['whoever went away', { status: 499 }, ['body']],
  ['a fault that was met', { simulated: 'code=timeout', ...context('sandbox-simulate') }, []],
  ['a fault that there is not', context('sandbox-simulate'), ['fault']],
  ['a 406', { problem_code: 'not_acceptable' }, ['Accept']],
  ['an Accept that was taken', context('accept', 'application/json'), []],
  ['an Idempotency-Key', { idempotency_hash: Buffer.alloc(32) }, ['Idempotency-Key']],
  ['a 304', { status: 304 }, ['If-None-Match']],
  ['a browser', { problem_code: 'browser_use', ...context('origin') }, ['Origin']],
])('findOmittedParts names the missing parts of %s', (_, part, omittedParts) => {
  expect(findOmittedParts({ ...record, ...part })).toEqual(omittedParts);
});

// The header Sandbox-Simulate is parsed strictly: an unclear value is refused, never guessed.
import { expect, test } from 'vitest';
import { SANDBOX_PROBLEM_CODES } from '../../access/problems/index.ts';
import { ProblemError } from '../../kit/openapi/problems.ts';
import { effectText } from './fault.ts';
import { parseSimulate, simulationInContract } from './sandbox-simulate.ts';

const pattern = new RegExp(simulationInContract.parameters.SandboxSimulate.schema.pattern);

test.each([
  ['code=gone', { code: 'gone' }],
  ['latency=1', { latencyMs: 1 }],
  ['latency=30000', { latencyMs: 30_000 }],
  ['reset', { reset: true }],
  ['latency=500, code=timeout', { latencyMs: 500, code: 'timeout' }],
  ['code=timeout,latency=500', { latencyMs: 500, code: 'timeout' }],
  ['  reset ,  latency=5 ', { latencyMs: 5, reset: true }],
])('the header %j requests %j', (header, effect) => {
  expect(parseSimulate(header)).toEqual(effect);
  expect(parseSimulate(effectText(parseSimulate(header)))).toEqual(effect);
  expect(header).toMatch(pattern);
});

test.each(SANDBOX_PROBLEM_CODES)('the code %s is known and allowed by the contract', (code) => {
  expect(parseSimulate(`code=${code}`)).toEqual({ code });
  expect(`code=${code}`).toMatch(pattern);
});

test.each([
  '',
  ' ',
  ',',
  'nonsense',
  'code',
  'code=',
  'code=nonsense',
  'code=upstream_invalid',
  'code=sign_in_required',
  'code=constructor',
  'CODE=gone',
  'code=gone, code=gone',
  'code=gone, reset',
  'reset, reset',
  'latency=0',
  'latency=-1',
  'latency=1.5',
  'latency=1e3',
  'latency=30001',
  'latency=',
  'latency=gone',
  'code=100',
  'latency=1, latency=2',
  'latency=1; code=gone',
  'code=gone,',
  `code=${'a'.repeat(10_000)}`,
])('the header %j is refused with the allowed values', (header) => {
  expect(() => parseSimulate(header)).toThrow(ProblemError);
  expect(() => parseSimulate(header)).toThrow('invalid_request');
  expect(header).not.toMatch(pattern);
});

test('the example in the contract changes no response, because tools send it with every call', () => {
  expect(parseSimulate(simulationInContract.parameters.SandboxSimulate.example)).toEqual({ latencyMs: 1 });
});

import { describe, expect, test } from 'vitest';
import type { StoredDrillRequest } from './drill.ts';
import { DRILL_STEPS, findStepPlan, type StepName } from './drill-steps.ts';
import { evaluateStep, parseEffectHeader } from './evaluate-step.ts';

const answered = (status: number, effectHeader = ''): StoredDrillRequest => ({
  webhookId: 'evt_01j9z3v8k6e5t8m2n4p6q8r0sf',
  sequence: 1,
  sentAt: '2026-11-02T10:15:30.250Z',
  durationMs: 1,
  outcome: status >= 300 && status < 400 ? 'redirect' : 'response',
  status,
  detail: null,
  answer: '',
  ...parseEffectHeader(effectHeader),
});
const missed = (outcome: StoredDrillRequest['outcome'], detail: string): StoredDrillRequest => ({
  ...answered(204),
  outcome,
  status: null,
  detail,
});

function judge(name: StepName, ...requests: StoredDrillRequest[]) {
  const plan = findStepPlan(name);
  if (!plan) throw new Error(name);
  return evaluateStep(plan, requests);
}

describe('step that must be refused', () => {
  test.each([400, 401, 403, 404, 422])('passes a step that must be refused for a response of %i', (status) => {
    expect(judge('wrong_signature', answered(status))).toEqual({ verdict: 'passed', fix: null });
  });

  test.each([
    [204, 'accepts forged events'],
    [410, '410 disables'],
    [429, '400 or 401'],
    [500, '400 or 401'],
    [302, 'Redirects are not followed'],
  ])('fails a step that must be refused for a response of %i', (status, fix) => {
    expect(judge('wrong_signature', answered(status))).toEqual({
      verdict: 'failed',
      fix: expect.stringContaining(fix),
    });
  });

  test('fails a step that must be refused if there is no response', () => {
    expect(judge('stale_timestamp', missed('timeout', 'No complete response within 15000 ms.'))).toMatchObject({
      verdict: 'failed',
      fix: expect.stringContaining('15 seconds'),
    });
    expect(judge('stale_timestamp', missed('connect', 'The connection was refused.')).fix).toContain('was refused');
  });
});

describe('step that must be accepted', () => {
  test.each([199, 300, 304, 400, 500])('fails a step that must be accepted for a response of %i', (status) => {
    expect(judge('correct', answered(status)).verdict).toBe('failed');
  });

  test('fails a step that must be accepted if one of several messages is refused', () => {
    expect(judge('rotated_secret', answered(204), answered(400)).verdict).toBe('failed');
  });

  test.each([
    ['duplicates', ['processed=1', 'processed=1'], 'passed'],
    ['duplicates', ['processed=1', 'processed=2'], 'failed'],
    ['duplicates', ['processed=1', ''], 'passed'],
    ['duplicates', ['processed=0', 'processed=0'], 'failed'],
    ['duplicates', ['', ''], 'unseen'],
    // Whatever the order of the two responses.
    ['duplicates_at_once', ['processed=2', 'processed=1'], 'failed'],
    ['shuffled', ['sequence=2', 'sequence=4', 'sequence=4', 'sequence=4'], 'passed'],
    ['shuffled', ['sequence=0', 'sequence=0', 'sequence=2', 'sequence=4'], 'passed'],
    ['shuffled', ['sequence=2', 'sequence=4', 'sequence=1', 'sequence=3'], 'failed'],
    ['shuffled', ['sequence=4', '', '', ''], 'unseen'],
  ] as [StepName, string[], string][])('judges the step %s with the reports %j as %s', (name, reports, verdict) => {
    expect(judge(name, ...reports.map((one) => answered(204, one))).verdict).toBe(verdict);
  });
});

test.each([
  ['processed=1, sequence=3', 1, 3],
  ['sequence=3;processed=1', 1, 3],
  ['processed=1', 1, null],
  ['processed=-1, sequence=1e3', null, null],
  ['unprocessed=1, sequence=99999999999', null, null],
  [undefined, null, null],
])('parses the receiver’s report %j', (header, processed, shownSequence) => {
  expect(parseEffectHeader(header)).toEqual({ processed, shownSequence });
});

test('every step names a correction, and a step judged by its effect names another one', () => {
  expect(new Set(DRILL_STEPS.map(({ name }) => name)).size).toBe(DRILL_STEPS.length);
  for (const { name } of DRILL_STEPS) {
    const plan = findStepPlan(name);
    expect([name, plan?.effect === undefined]).toEqual([name, plan?.effectFix === undefined]);
    expect(plan?.fix.length).toBeLessThan(600);
  }
});

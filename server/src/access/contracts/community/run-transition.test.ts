// The steps of a run, without a database.
import { expect, test } from 'vitest';
import { nextTransition, type RunStep, type RunTransition } from './run-transition.ts';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const waiting = (name: string): RunStep => ({ name, status: 'waiting', startedAt: null, finishedAt: null });

function live(failingStep: number | null): RunTransition[] {
  const lives: RunTransition[] = [];
  let run: Pick<RunTransition, 'steps'> & { status: RunTransition['status'] } = {
    status: 'queued',
    steps: ['a', 'b', 'c'].map(waiting),
  };
  for (let second = 0; run.status === 'queued' || run.status === 'running'; second++) {
    const next = nextTransition(run, failingStep, at(second));
    lives.push(next);
    run = next;
  }
  return lives;
}

test('advances a run through its steps in order until it succeeds with an output', () => {
  const lives = live(null);
  expect(lives.map((one) => one.event)).toEqual([
    'workflow_run.started',
    undefined,
    undefined,
    'workflow_run.succeeded',
  ]);
  expect(lives.map((one) => one.steps.map((step) => step.status).join(' '))).toEqual([
    'running waiting waiting',
    'succeeded running waiting',
    'succeeded succeeded running',
    'succeeded succeeded succeeded',
  ]);
  expect(lives.at(-1)?.output).toEqual({ simulated: true, stepsRun: 3 });
  expect(lives.at(-1)?.steps[1]).toMatchObject({ startedAt: at(1).toISOString(), finishedAt: at(2).toISOString() });
});

test('fails a run at its failing step, and skips the later steps', () => {
  const lives = live(2);
  expect(lives.map((one) => one.event)).toEqual(['workflow_run.started', undefined, 'workflow_run.failed']);
  expect(lives.at(-1)).toMatchObject({ status: 'failed', output: null });
  expect(lives.at(-1)?.steps.map((step) => step.status)).toEqual(['succeeded', 'failed', 'skipped']);
});

test('fails a run at the first and at the last step', () => {
  expect(
    live(1)
      .at(-1)
      ?.steps.map((step) => step.status),
  ).toEqual(['failed', 'skipped', 'skipped']);
  expect(
    live(3)
      .at(-1)
      ?.steps.map((step) => step.status),
  ).toEqual(['succeeded', 'succeeded', 'failed']);
});

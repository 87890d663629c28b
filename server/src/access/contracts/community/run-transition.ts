// The next step of a run: a pure function of the run, its workflow's failing step and the time.

export interface RunStep {
  name: string;
  status: 'waiting' | 'running' | 'succeeded' | 'failed' | 'skipped';
  startedAt: string | null;
  finishedAt: string | null;
}

export interface RunTransition {
  status: 'queued' | 'running' | 'succeeded' | 'failed';
  steps: RunStep[];
  output: Record<string, unknown> | null;
  /** The event of the advance, or undefined if only a step has changed. */
  event: 'workflow_run.started' | 'workflow_run.succeeded' | 'workflow_run.failed' | undefined;
}

export type RunState = Pick<RunTransition, 'status' | 'steps'>;

/** Returns the next state of a run that has not ended. `failingStep` counts from 1. */
export function nextTransition(run: RunState, failingStep: number | null, at: Date): RunTransition {
  const now = at.toISOString();
  if (run.status === 'queued') {
    return { status: 'running', steps: begin(run.steps, 0, now), output: null, event: 'workflow_run.started' };
  }
  const current = run.steps.findIndex((step) => step.status === 'running');
  if (current + 1 === failingStep) return fail(run.steps, current, now);
  const steps = run.steps.map((step, index) => (index === current ? end(step, 'succeeded', now) : step));
  if (current + 1 < steps.length) {
    return { status: 'running', steps: begin(steps, current + 1, now), output: null, event: undefined };
  }
  const output = { simulated: true, stepsRun: steps.length };
  return { status: 'succeeded', steps, output, event: 'workflow_run.succeeded' };
}

function fail(steps: readonly RunStep[], current: number, now: string): RunTransition {
  const ended = steps.map((step, index): RunStep => {
    if (index < current) return step;
    return index === current ? end(step, 'failed', now) : { ...step, status: 'skipped' };
  });
  return { status: 'failed', steps: ended, output: null, event: 'workflow_run.failed' };
}

function begin(steps: readonly RunStep[], stepIndex: number, now: string): RunStep[] {
  return steps.map((step, index) => (index === stepIndex ? { ...step, status: 'running', startedAt: now } : step));
}

function end(step: RunStep, status: 'succeeded' | 'failed', now: string): RunStep {
  return { ...step, status, finishedAt: now };
}

import { expect, test } from 'vitest';
import { createLog } from '../kit/telemetry/log.ts';
import { createJobMeter } from '../platform/monitoring/index.ts';
import { type Job, startJobs } from './jobs.ts';
import { createLifetime } from './process.ts';

function reporting() {
  const lines: string[] = [];
  const log = createLog(false, { write: (line) => lines.push(line) });
  const meter = createJobMeter();
  return { lines, meter, lifetime: createLifetime(log), reports: { log, countJobFailure: meter.count } };
}

test('logs a failed job with its name and counts the failure', async () => {
  const { lines, meter, lifetime, reports } = reporting();
  let fail = (_error: unknown): void => {};
  const failing: Job<undefined> = {
    name: 'app-erasure',
    start(_context, onError) {
      fail = onError;
      return { stop: async () => {} };
    },
  };
  const other: Job<undefined> = { name: 'other', start: () => ({ stop: async () => {} }) };
  await startJobs([failing, other], undefined, reports, lifetime);
  fail(new Error('no connection'));
  fail(new Error('no connection'));
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      msg: 'job.failed: A run of the job failed. The job runs again after a pause.',
      job: 'app-erasure',
      err: expect.objectContaining({ message: 'no connection' }),
    }),
    expect.objectContaining({
      msg: 'job.failed: A run of the job failed. The job runs again after a pause.',
      job: 'app-erasure',
    }),
  ]);
  expect(meter.read()).toEqual({ slipway_job_failures_total: [{ labels: { name: 'app-erasure' }, value: 2 }] });
});

test('stops jobs in the reverse order of their start', async () => {
  const { lifetime, reports } = reporting();
  const order: string[] = [];
  const job = (name: string): Job<string> => ({
    name,
    start(context) {
      order.push(`start ${name} ${context}`);
      return { stop: async () => order.push(`stop ${name}`) };
    },
  });
  await startJobs([job('a'), job('b')], 'context', reports, lifetime);
  await lifetime.stop();
  expect(order).toEqual(['start a context', 'start b context', 'stop b', 'stop a']);
});

test('starts a job after the start of the earlier job has ended', async () => {
  const { lifetime, reports } = reporting();
  const order: string[] = [];
  const slow: Job<undefined> = {
    name: 'slow',
    async start() {
      await new Promise(setImmediate);
      order.push('slow');
      return { stop: async () => {} };
    },
  };
  const next: Job<undefined> = {
    name: 'next',
    start() {
      order.push('next');
      return { stop: async () => {} };
    },
  };
  await startJobs([slow, next], undefined, reports, lifetime);
  expect(order).toEqual(['slow', 'next']);
});

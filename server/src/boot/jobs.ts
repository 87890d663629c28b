// Starts the jobs of a process from a table. Every job reports a failure in the same way: one line `job.failed` with
// its name, and a count for monitoring. Its loop (kit/flow/loop.ts) then pauses and runs it again.
//
//   const JOBS: readonly Job<Context>[] = [{ name: 'app-erasure', start: ({ db }, onError) => startAppErasure(db, onError) }];
//   await startJobs(JOBS, context, reports, lifetime);
import type { Log } from '../kit/telemetry/log.ts';
import type { Lifetime } from './process.ts';

export interface Job<Context> {
  /** Names the job in the log, in metrics and in docs/reference/log-events.md. */
  name: string;
  start(context: Context, onError: (error: unknown) => void): StartedJob | Promise<StartedJob>;
}

interface StartedJob {
  /** Resolves when the current run has ended. */
  stop(): Promise<unknown>;
}

export interface JobReports {
  log: Log;
  countJobFailure(name: string): void;
}

/** Starts the jobs one after the other. The lifetime stops them in reverse order. */
export async function startJobs<Context>(
  jobs: readonly Job<Context>[],
  context: Context,
  reports: JobReports,
  lifetime: Lifetime,
): Promise<void> {
  for (const { name, start } of jobs) {
    const job = await start(context, reportFailure(name, reports));
    lifetime.onStop(() => job.stop());
  }
}

/** Returns the function that reports a failure of the job. */
export function reportFailure(name: string, { log, countJobFailure }: JobReports): (error: unknown) => void {
  return (error) => {
    countJobFailure(name);
    log.error('job.failed: A run of the job failed. The job runs again after a pause.', error, { job: name });
  };
}

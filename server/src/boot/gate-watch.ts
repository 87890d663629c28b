// Watches whether a database is closed, and runs jobs only while it is open. A database is closed after a restore
// (docs/decisions/0061) or without a lease of the Console (0068).
import { isUnavailable } from '../kit/db/db.ts';
import { startLoop } from '../kit/flow/loop.ts';
import type { Log } from '../kit/telemetry/log.ts';
import { createLifetime, type Lifetime } from './process.ts';

const CHECK_EVERY_MS = 1_000;

export interface GateWatch {
  /** Returns the state at the last check, which is about a second old at most while the database answers. */
  isClosed(): boolean;
  /**
   * Runs jobs while the gate is open: stops them when it closes, and starts them again when it opens. Resolves when
   * they have started, or immediately while it is closed.
   */
  whileOpen(start: (jobs: Lifetime) => Promise<void>, lifetime: Lifetime): Promise<void>;
}

/** Starts the watch. Rejects if the first check fails: a process that does not know the gate must not start. */
export async function watchGate(
  findIsClosed: () => Promise<boolean>,
  log: Log,
  lifetime: Lifetime,
): Promise<GateWatch> {
  const closedSentence =
    'gate.closed: Jobs are paused, because a database was restored or the status lease of the Console has expired. See /readyz.';
  const entries: { start(jobs: Lifetime): Promise<void>; running: Lifetime | undefined }[] = [];
  let isClosed = await findIsClosed();
  if (isClosed) log.info(closedSentence);
  // Checks and registrations run one at a time, so that no job is started twice.
  let last: Promise<void> = Promise.resolve();
  function runAlone(work: () => Promise<void>): Promise<void> {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  }

  async function reconcile(entry: (typeof entries)[number]): Promise<void> {
    if (isClosed) {
      await entry.running?.stop();
      entry.running = undefined;
    } else if (!entry.running) {
      const running = createLifetime(log);
      try {
        await entry.start(running);
      } catch (error) {
        await running.stop();
        throw error;
      }
      entry.running = running;
    }
  }

  async function check(): Promise<void> {
    const wasClosed = isClosed;
    isClosed = await findIsClosed();
    if (isClosed !== wasClosed) log.info(isClosed ? closedSentence : 'gate.opened: Jobs run again.');
    for (const entry of entries) await reconcile(entry);
  }

  // While the database is unavailable, the last known state applies, because jobs can do nothing without the database.
  const loop = startLoop(
    () => runAlone(check),
    CHECK_EVERY_MS,
    (error) => {
      if (!isUnavailable(error)) log.error('gate.check_failed: The state of the gate could not be read.', error);
    },
  );
  lifetime.onStop(() => loop.stop());

  return {
    isClosed: () => isClosed,
    whileOpen(start, jobsLifetime) {
      const entry: (typeof entries)[number] = { start, running: undefined };
      jobsLifetime.onStop(() =>
        runAlone(async () => {
          entries.splice(entries.indexOf(entry), 1);
          await entry.running?.stop();
        }),
      );
      return runAlone(async () => {
        await reconcile(entry);
        entries.push(entry);
      });
    },
  };
}

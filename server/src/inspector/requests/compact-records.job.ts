// Compacts each finished day of records: its hours become one partition with facets. A day may take minutes, so the
// statement has its own connection pool and is cancelled when the worker stops.
import type { Database } from '../../kit/db/db.ts';
import { startLoop } from '../../kit/flow/loop.ts';
import { traceJob } from '../../kit/telemetry/trace.ts';
import { cancelCompaction, compactDay } from './compaction-store.ts';

const RUN_EVERY_MS = 5 * 60_000;

/**
 * Starts the compaction. `maintenance` and `worker` use the role slipway_worker; statements of `maintenance` may take
 * an hour.
 */
export function startCompaction(
  maintenance: Database,
  worker: Database,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let isStopped = false;
  let pid: number | undefined;

  async function compactDays(): Promise<void> {
    let isMore = true;
    while (isMore && !isStopped) {
      const compactNext = () =>
        compactDay(maintenance, (begun) => {
          pid = begun;
        });
      isMore = await traceJob('record compaction', compactNext).finally(() => {
        pid = undefined;
      });
    }
  }

  const loop = startLoop(compactDays, RUN_EVERY_MS, (error) => {
    if (!isStopped) onError(error); // otherwise it was cancelled
  });
  return {
    async stop() {
      isStopped = true;
      const ended = loop.stop();
      if (pid !== undefined) await cancelCompaction(worker, pid).catch(onError);
      await ended;
    },
  };
}

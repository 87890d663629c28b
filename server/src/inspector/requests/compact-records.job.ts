// Seals each finished day of records: its hours become one partition with facets. A day may take minutes, so the
// statement has its own connection pool and is cancelled when the worker stops.
import type { Database } from '../../kit/db/db.ts';
import { startLoop } from '../../kit/flow/loop.ts';
import { traceJob } from '../../kit/telemetry/trace.ts';
import { cancelCompaction, compactDay } from './compaction-store.ts';

const LOOK_EVERY_MS = 5 * 60_000;

/** Starts sealing. `maintenance` and `worker` use the role slipway_worker; statements of `maintenance` may take an hour. */
export function startCompaction(
  maintenance: Database,
  worker: Database,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let isStopped = false;
  let pid: number | undefined;

  async function sealDays(): Promise<void> {
    let isMore = true;
    while (isMore && !isStopped) {
      const seal = () =>
        compactDay(maintenance, (begun) => {
          pid = begun;
        });
      isMore = await traceJob('record compaction', seal).finally(() => {
        pid = undefined;
      });
    }
  }

  const loop = startLoop(sealDays, LOOK_EVERY_MS, (error) => {
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

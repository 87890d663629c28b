// Seals each day of records that is over: its hours become one partition, which can be searched by facets too. A day may take
// minutes, so the statement has a pool of its own, and is cancelled when the worker stops.
import type { Database } from '../../kit/db/db.ts';
import { startLoop } from '../../kit/flow/loop.ts';
import { tracedJob } from '../../kit/telemetry/trace.ts';
import { cancelSealing, sealDay } from './seal-store.ts';

const LOOK_EVERY_MS = 5 * 60_000;

/** `keeper` and `worker` play slipway_worker; the keeper's statements may take an hour. */
export function startSealing(
  keeper: Database,
  worker: Database,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let isStopped = false;
  let pid: number | undefined;

  async function sealDays(): Promise<void> {
    let isMore = true;
    while (isMore && !isStopped) {
      const seal = () =>
        sealDay(keeper, (begun) => {
          pid = begun;
        });
      isMore = await tracedJob('sealing of records', seal).finally(() => {
        pid = undefined;
      });
    }
  }

  const loop = startLoop(sealDays, LOOK_EVERY_MS, (error) => {
    if (!isStopped) onError(error); // it was cancelled
  });
  return {
    async stop() {
      isStopped = true;
      const ended = loop.stop();
      if (pid !== undefined) await cancelSealing(worker, pid).catch(onError);
      await ended;
    },
  };
}

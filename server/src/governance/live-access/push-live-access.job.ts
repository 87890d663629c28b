// Tells production of live access until it has confirmed the latest. What is to be done stands in the database: any number of
// Consoles may run this, and one that dies is taken up by the next.
import { workInBatches } from '../../kit/flow/batches.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { listUnconfirmed } from './access-store.ts';
import { type LiveAccessServices, pushLiveAccess } from './push-live-access.ts';

const LOOK_EVERY_MS = 5_000;

/** `onReported` is called after each batch of reports, whether production confirmed them or not. */
export function startLiveAccess(
  services: LiveAccessServices,
  onError: (error: unknown) => void,
  onReported: () => Promise<void>,
): Loop {
  const run = async (): Promise<void> => {
    if (await pushUnconfirmed(services, onError)) await onReported();
  };
  return startLoop(run, LOOK_EVERY_MS, onError);
}

/** Returns whether there was an approval to report. An app whose report fails delays no other app. */
export function pushUnconfirmed(services: LiveAccessServices, onError: (error: unknown) => void): Promise<boolean> {
  // After a reopening every approval waits.
  return workInBatches(
    (limit) => listUnconfirmed(services.db, limit),
    ({ organisation_id, app_id }) => pushLiveAccess(services, organisation_id, app_id).catch(onError),
  );
}

// Tells production of live access until it has confirmed the latest. What is to be done stands in the database: any number of
// Consoles may run this, and one that dies is taken up by the next.
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { listUnconfirmed } from './access-store.ts';
import { type LiveAccessServices, pushLiveAccess } from './push-live-access.ts';

const LOOK_EVERY_MS = 5_000;
const BATCH = 50;

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
export async function pushUnconfirmed(
  services: LiveAccessServices,
  onError: (error: unknown) => void,
): Promise<boolean> {
  let hasReported = false;
  let confirmed: number;
  do {
    confirmed = 0;
    for (const { organisation_id, app_id } of await listUnconfirmed(services.db, BATCH)) {
      hasReported = true;
      const isConfirmed = await pushLiveAccess(services, organisation_id, app_id).catch(onError);
      if (isConfirmed) confirmed += 1;
    }
    // After a reopening every approval waits. A batch that is not confirmed as a whole is repeated after the pause.
  } while (confirmed === BATCH);
  return hasReported;
}

// Tells production of live access until it has confirmed the latest. What is to be done stands in the database: any number of
// Consoles may run this, and one that dies is taken up by the next.
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { listUnconfirmed } from './access-store.ts';
import { type LiveAccessServices, pushLiveAccess } from './push-live-access.ts';

const LOOK_EVERY_MS = 5_000;
const BATCH = 50;

export function startLiveAccess(services: LiveAccessServices, onError: (error: unknown) => void): Loop {
  return startLoop(() => pushUnconfirmed(services, onError), LOOK_EVERY_MS, onError);
}

/** One that cannot be told holds up no other. */
export async function pushUnconfirmed(services: LiveAccessServices, onError: (error: unknown) => void): Promise<void> {
  for (const { organisation_id, app_id } of await listUnconfirmed(services.db, BATCH)) {
    await pushLiveAccess(services, organisation_id, app_id).catch(onError);
  }
}

// Tells environments how organisations stand until each has confirmed the latest, and erases organisations whose grace is over.
// What is to be done stands in the database: any number of Consoles may run this, and one that dies is taken up by the next.
import { workInBatches } from '../../kit/flow/batches.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { followUp, type StandingServices } from './push-standing.ts';
import { beginErasing, listUnheard } from './store.ts';

const LOOK_EVERY_MS = 5_000;

/** `onReported` is called after each batch of reports, whether environments confirmed them or not. */
export function startStandings(
  services: StandingServices,
  onError: (error: unknown) => void,
  onReported: () => Promise<void>,
): Loop {
  const run = async (): Promise<void> => {
    if (await pushStandings(services, onError)) await onReported();
  };
  return startLoop(run, LOOK_EVERY_MS, onError);
}

/** Returns whether there was a status to report. An organisation whose report fails delays no other organisation. */
export async function pushStandings(services: StandingServices, onError: (error: unknown) => void): Promise<boolean> {
  const { db, environments } = services;
  await beginErasing(db);
  const names = environments.map(({ name }) => name);
  // After a reopening every organisation waits.
  return workInBatches(
    (limit) => listUnheard(db, names, limit),
    (organisationId) => followUp(services, organisationId).catch(onError),
  );
}

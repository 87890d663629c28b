// Tells environments how organisations stand until each has confirmed the latest, and erases organisations whose grace is over.
// What is to be done stands in the database: any number of Consoles may run this, and one that dies is taken up by the next.
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { followUp, type StandingServices } from './push-standing.ts';
import { beginErasing, listUnheard } from './store.ts';

const LOOK_EVERY_MS = 5_000;
const BATCH = 50;

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
  let hasReported = false;
  let confirmed: number;
  do {
    confirmed = 0;
    for (const organisationId of await listUnheard(db, names, BATCH)) {
      hasReported = true;
      const isConfirmed = await followUp(services, organisationId).catch(onError);
      if (isConfirmed) confirmed += 1;
    }
    // After a reopening every organisation waits. A batch that is not confirmed as a whole is repeated after the pause.
  } while (confirmed === BATCH);
  return hasReported;
}

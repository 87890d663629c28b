// Tells environments how organisations stand until each has confirmed the latest, and erases organisations whose grace is over.
// What is to be done stands in the database: any number of Consoles may run this, and one that dies is taken up by the next.
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { followUp, type StandingServices } from './push-standing.ts';
import { beginErasing, listUnheard } from './store.ts';

const LOOK_EVERY_MS = 5_000;
const BATCH = 50;

export function startStandings(services: StandingServices, onError: (error: unknown) => void): Loop {
  return startLoop(() => pushStandings(services, onError), LOOK_EVERY_MS, onError);
}

/** One that cannot be told holds up no other. */
export async function pushStandings(services: StandingServices, onError: (error: unknown) => void): Promise<void> {
  const { db, environments } = services;
  await beginErasing(db);
  const names = environments.map(({ name }) => name);
  for (const organisationId of await listUnheard(db, names, BATCH)) {
    await followUp(services, organisationId).catch(onError);
  }
}

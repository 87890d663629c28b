// Extends the lease of each environment, and follows what its answers say: an environment that was restored hears every status again, and a
// Console that lacks an audit entry which an environment remembers closes.

import { findNewestHead, hasHead } from '../../access/audit/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { schemaErrors } from '../../kit/http/schema.ts';
import type { StandingServices } from '../standings/index.ts';
import {
  closeConsole,
  findConsoleEpoch,
  findPlaneMemory,
  forgetReceipts,
  listUnconfirmed,
  setPlaneMemory,
} from './console-lease-store.ts';
import { ExtendedLease, MOST_UNCONFIRMED } from './lease.ts';
import { toHead } from './to-head.ts';

const EVERY_MS = 15_000;

export function startStatusLease(services: StandingServices, onError: (error: unknown) => void): Loop {
  return startLoop(() => announceLeases(services, onError), EVERY_MS, onError);
}

/** An environment that cannot be reached holds up no other. */
export async function announceLeases(services: StandingServices, onError: (error: unknown) => void): Promise<void> {
  for (const { name } of services.environments) {
    // An environment that was restored is known after the first answer, and its lease extended by the second.
    const isExtended = await announce(services, name).catch(onError);
    if (isExtended === false) await announce(services, name).catch(onError);
  }
}

type EnvironmentName = StandingServices['environments'][number]['name'];

/** Undefined if the environment gave no answer. */
async function announce(
  { db, askPlanes }: StandingServices,
  environment: EnvironmentName,
): Promise<boolean | undefined> {
  const memory = await findPlaneMemory(db, environment);
  const newest = await findNewestHead(db);
  const unconfirmed = await listUnconfirmed(db, environment, MOST_UNCONFIRMED);
  const lease = {
    restoreEpoch: memory?.restoreEpoch ?? null,
    consoleEpoch: await findConsoleEpoch(db),
    head: newest ? { ...newest, organisationId: toId('org', newest.organisationId) } : null,
    checkedHash: memory?.checkedHash ?? null,
    remembered: memory?.head ?? null,
    unconfirmed: unconfirmed.map((row) => ({
      organisationId: toId('org', row.organisation_id),
      forSeconds: row.for_seconds,
    })),
  };
  const call = { method: 'PUT', path: '/console/status-lease', body: lease, environment } as const;
  const [answer] = await askPlanes('console', call);
  if (answer?.status !== 200) return undefined;
  const extended: unknown = JSON.parse(answer.body);
  const errors = schemaErrors(ExtendedLease, extended);
  if (errors.length > 0) throw new Error(`The ${environment} answered in another form: ${JSON.stringify(errors)}`);
  const { isExtended, restoreEpoch, head, remembered } = extended as ExtendedLease; // of the schema, one line above
  if (remembered && !(await hasHead(db, toHead(remembered)))) {
    await closeConsole(db);
    return undefined;
  }
  if (restoreEpoch !== memory?.restoreEpoch) await forgetReceipts(db, environment);
  await setPlaneMemory(db, environment, { restoreEpoch, head, checkedHash: remembered?.hash ?? null });
  return isExtended;
}

// Concurrent mutations of /v1 share a transaction of two round trips: the first checks their access, and the second
// writes them and commits. Each mutation stays inside its own app, and is refused before anything is written
// (docs/decisions/0055, 0071).

import { type Database, DatabaseTimeout } from '../../kit/db/db.ts';
import { type Member, type Outcome, ownTransaction, shareTransaction } from '../../kit/db/shared-transaction.ts';
import { type Batcher, createBatcher } from '../../kit/flow/batcher.ts';
import { KeyedSemaphore } from '../../kit/flow/keyed-semaphore.ts';
import type { Plane } from './plane.ts';
import type { MutationRows } from './store.ts';
import { asTenant } from './tenant.ts';
import { sharedSetting, tenantSetting } from './tenant-store.ts';

const PATIENCE_MS = 2_000;
// One batch per operation at a time (docs/decisions/0003): a second one would wait for the rows of the first.
const BATCH = { maxInFlight: 1, maxSize: 64 };

/**
 * Limit of separate transactions per app. Other apps need these connections too, so the limit is lower than their
 * number.
 */
const ALONE_OF_AN_APP = 8;
/**
 * A larger mutation runs alone: a shared transaction with 64 of the largest tickets took seconds for all its members.
 */
const SHARED_BYTES = 8 * 1024;
/** A low limit, because shared mutations of the app that arrive meanwhile wait for the rows of large ones. */
const LARGE_OF_AN_APP = 2;

export interface MutationOptions {
  shared: Database;
  /** A separate pool: a mutation that waits here delays neither readers nor shared transactions. */
  alone: Database;
  /** The factor by which deadlines exceed those of a node. */
  patience: number;
}

export function createMutations(options: MutationOptions): Pick<Plane, 'mutate' | 'mutateAlone'> {
  const waitMs = PATIENCE_MS * options.patience;
  const batchers = new Map<string, Batcher<Member<unknown>, Outcome<unknown>>>();
  const late = (): Error => new DatabaseTimeout('it was not committed in time');
  const alone = new KeyedSemaphore({ limit: ALONE_OF_AN_APP, waitMs, late });
  const large = new KeyedSemaphore({ limit: LARGE_OF_AN_APP, waitMs, late });

  function batcherOf(operationId: string): Batcher<Member<unknown>, Outcome<unknown>> {
    const known = batchers.get(operationId);
    if (known) return known;
    const made = createBatcher<Member<unknown>, Outcome<unknown>>({
      ...BATCH,
      deadlineMs: waitMs,
      late,
      run: (members) => shareTransaction(options.shared, sharedSetting(members.map(({ appId }) => appId)), members),
    });
    batchers.set(operationId, made);
    return made;
  }

  const mutateAlone: Plane['mutateAlone'] = (appId, work, how) =>
    alone.run(appId, () => asTenant(options.alone, appId, work, how));

  function memberOf<T>(appId: string, isShared: boolean, work: (tenant: MutationRows) => Promise<T>): Member<T> {
    return { appId, work: (shared) => work({ ...shared, appId, isShared, queuedEndpoints: new Set() }) };
  }

  const byItself = <T>(appId: string, work: (tenant: MutationRows) => Promise<T>): Promise<T> =>
    alone.run(appId, () => ownTransaction(options.alone, tenantSetting(appId), memberOf(appId, false, work)));

  const mutate = async <T>(
    operationId: string,
    appId: string,
    work: (tenant: MutationRows) => Promise<T>,
    bytes = 0,
  ): Promise<T> => {
    if (bytes > SHARED_BYTES) return large.run(appId, () => byItself(appId, work));
    const member = memberOf(appId, true, work);
    const outcome = (await batcherOf(operationId).join(member)) as Outcome<T>; // the outcome of this member
    if (outcome === 'again') return byItself(appId, work);
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  };
  return { mutate, mutateAlone };
}

// Mutations of /v1 that arrive together share a transaction: its trips, its statements and its commit. Each stays inside its own
// app, is judged by itself, and is undone by itself or takes the transaction with it (docs/decisions/0055).

import { type Database, DatabaseTimeout } from '../../kit/db/db.ts';
import { type Member, type Outcome, shareTransaction } from '../../kit/db/shared-transaction.ts';
import { type Batcher, createBatcher } from '../../kit/flow/batcher.ts';
import { createTurns } from '../../kit/flow/turns.ts';
import { createAllowedBefore } from './allowed-before.ts';
import type { Plane } from './plane.ts';
import type { WritingRows } from './store.ts';
import { asTenant } from './tenant.ts';
import { sharedSetting } from './tenant-store.ts';

const PATIENCE_MS = 2_000;
// One of an operation at a time (docs/decisions/0003): a second one would wait for the rows of the first.
const BATCH = { maxInFlight: 1, maxSize: 64 };

/** Of one app in transactions of their own: fewer than there are connections for those, which others need too. */
const ALONE_OF_AN_APP = 8;
/** What is larger goes alone: sixty-four of the largest tickets were a transaction of seconds, for everybody in it. */
const SHARED_BYTES = 8 * 1024;
/** Few, because those of an app that come in between and are shared wait for their rows. */
const LARGE_OF_AN_APP = 2;
/** So often one tries with others, when it was undone because of one of them. */
const TOGETHER = 3;
/** What is remembered of what was allowed: some megabytes. */
const MOST_ALLOWED = 20_000;

export interface MutationOptions {
  shared: Database;
  /** Connections of its own: who waits there for what somebody holds keeps neither readers nor the shared waiting. */
  alone: Database;
  /** So many times the deadline of a node. */
  patience: number;
}

export function createMutations(options: MutationOptions): Pick<Plane, 'mutate' | 'mutateAlone'> {
  const waitMs = PATIENCE_MS * options.patience;
  const batchers = new Map<string, Batcher<Member<unknown>, Outcome<unknown>>>();
  const late = (): Error => new DatabaseTimeout('it was not committed in time');
  const turns = createTurns({ most: ALONE_OF_AN_APP, waitMs, late });
  const turnsOfLarge = createTurns({ most: LARGE_OF_AN_APP, waitMs, late });

  function batcherOf(operationId: string, isApart: boolean): Batcher<Member<unknown>, Outcome<unknown>> {
    const name = isApart ? `${operationId} apart` : operationId;
    const known = batchers.get(name);
    if (known) return known;
    const made = createBatcher<Member<unknown>, Outcome<unknown>>({
      ...BATCH,
      deadlineMs: waitMs,
      late,
      run: (members) => shareTransaction(options.shared, sharedSetting(members.map(({ appId }) => appId)), members),
    });
    batchers.set(name, made);
    return made;
  }

  const allowedBefore = createAllowedBefore(MOST_ALLOWED);

  const mutateAlone: Plane['mutateAlone'] = (appId, work, how) =>
    turns.take(appId, () => asTenant(options.alone, appId, work, how));

  const mutate = async <T>(
    operationId: string,
    appId: string,
    work: (tenant: WritingRows) => Promise<T>,
    bytes = 0,
  ): Promise<T> => {
    if (bytes > SHARED_BYTES) return turnsOfLarge.take(appId, () => mutateAlone(appId, work));
    const member: Member<T> = {
      appId,
      work(shared) {
        const of = {
          appId,
          isShared: true,
          allowedBefore: allowedBefore.of(appId),
          queuedEndpoints: new Set<string>(),
        };
        return work({ ...shared, ...of });
      },
    };
    const join = async (): Promise<Outcome<T>> =>
      (await batcherOf(operationId, allowedBefore.isApart(appId)).join(member)) as Outcome<T>; // this member's
    let outcome = await join();
    for (let times = 1; outcome === 'along' && times < TOGETHER; times++) outcome = await join();
    // It had to wait, or had written when it was refused: what it does next is judged before it writes.
    if (outcome === 'aside') allowedBefore.forget(appId);
    if (outcome === 'aside' || outcome === 'along') return mutateAlone(appId, work);
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  };
  return { mutate, mutateAlone };
}

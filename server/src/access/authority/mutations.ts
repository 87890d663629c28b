// Concurrent mutations of /v1 share a transaction of two round trips: the first checks their access, and the second
// writes them and commits. Each mutation stays inside its own app, and is refused before anything is written
// (docs/decisions/0055, 0071).

import { type Database, DatabaseTimeout } from '../../kit/db/db.ts';
import {
  type PartOutcome,
  runPartAlone,
  runSharedTransaction,
  type TransactionPart,
} from '../../kit/db/shared-transaction.ts';
import { type Batcher, createBatcher } from '../../kit/flow/batcher.ts';
import { KeyedSemaphore } from '../../kit/flow/keyed-semaphore.ts';
import type { Mutations } from './plane.ts';
import type { MutationWriter, TenantWriter } from './store.ts';
import { runAsTenant, sharedTenantSetting, tenantSetting } from './tenant-store.ts';

const MAX_MUTATION_WAIT_MS = 2_000;
// One batch per operation at a time (docs/decisions/0003): a second one would wait for the rows of the first.
const BATCH = { maxInFlight: 1, maxSize: 64 };

/**
 * Limit of mutations per app that run alone. Other apps need these connections too, so the limit is lower than their
 * number.
 */
const MAX_ALONE_PER_APP = 8;
/** A larger mutation runs alone: a shared transaction with 64 of the largest tickets took seconds for all its parts. */
const SHARED_BYTES = 8 * 1024;
/** A low limit, because shared mutations of the app that arrive meanwhile wait for the rows of large ones. */
const MAX_LARGE_PER_APP = 2;

export interface MutationOptions {
  shared: Database;
  /** A separate pool: a mutation that waits here delays neither readers nor shared transactions. */
  alone: Database;
  /** Multiplies the deadlines. 1 in a node; tests on a busy machine use more. */
  patience: number;
}

interface MutationPart<T> extends TransactionPart<T> {
  /** Reports the end of the transaction to the statements that wait for it. */
  end(isCommitted: boolean): void;
}

function createPart<T>(
  appId: string,
  isShared: boolean,
  work: (tenant: MutationWriter) => Promise<T>,
): MutationPart<T> {
  let waiting: ((isCommitted: boolean) => void)[] = [];
  function end(isCommitted: boolean): void {
    const ended = waiting;
    waiting = [];
    for (const resolve of ended) resolve(isCommitted);
  }
  return {
    appId,
    end,
    work(shared) {
      end(false); // an earlier call was rolled back
      const sendForOutcome: TenantWriter['sendForOutcome'] = async (statement, items) => {
        const rows = shared.sendForRows(statement, items);
        rows.catch(() => {}); // the transaction reports the failure
        const isCommitted = await new Promise<boolean>((resolve) => waiting.push(resolve));
        return isCommitted ? rows : undefined;
      };
      return work({ ...shared, appId, isShared, queuedEndpoints: new Set(), sendForOutcome });
    },
  };
}

/** Runs the parts in one transaction, and reports its end to each of them. */
async function runParts(shared: Database, parts: readonly MutationPart<unknown>[]): Promise<PartOutcome<unknown>[]> {
  let outcomes: PartOutcome<unknown>[] = [];
  try {
    outcomes = await runSharedTransaction(shared, sharedTenantSetting(parts.map(({ appId }) => appId)), parts);
    return outcomes;
  } finally {
    for (const [index, { end }] of parts.entries()) end(hasCommitted(outcomes[index]));
  }
}

const hasCommitted = (outcome: PartOutcome<unknown> | undefined): boolean =>
  typeof outcome === 'object' && 'value' in outcome;

export function createMutations(options: MutationOptions): Mutations {
  const waitMs = MAX_MUTATION_WAIT_MS * options.patience;
  const batchers = new Map<string, Batcher<MutationPart<unknown>, PartOutcome<unknown>>>();
  const timeoutError = (): Error => new DatabaseTimeout('it was not committed in time');
  const aloneSlots = new KeyedSemaphore({ limit: MAX_ALONE_PER_APP, waitMs, timeoutError });
  const largeSlots = new KeyedSemaphore({ limit: MAX_LARGE_PER_APP, waitMs, timeoutError });

  function batcherOf(operationId: string): Batcher<MutationPart<unknown>, PartOutcome<unknown>> {
    const known = batchers.get(operationId);
    if (known) return known;
    const made = createBatcher<MutationPart<unknown>, PartOutcome<unknown>>({
      ...BATCH,
      deadlineMs: waitMs,
      timeoutError,
      run: (parts) => runParts(options.shared, parts),
    });
    batchers.set(operationId, made);
    return made;
  }

  const runWorkAlone = <T>(appId: string, work: (tenant: MutationWriter) => Promise<T>): Promise<T> =>
    aloneSlots.run(appId, async () => {
      const part = createPart(appId, false, work);
      let isCommitted = false;
      try {
        const value = await runPartAlone(options.alone, tenantSetting(appId), part);
        isCommitted = true;
        return value;
      } finally {
        part.end(isCommitted);
      }
    });

  return {
    async run<T>(operationId: string, appId: string, work: (tenant: MutationWriter) => Promise<T>, bytes = 0) {
      if (bytes > SHARED_BYTES) return largeSlots.run(appId, () => runWorkAlone(appId, work));
      const part = createPart(appId, true, work);
      const outcome = (await batcherOf(operationId).join(part)) as PartOutcome<T>; // the outcome of this part
      if (outcome === 'again') return runWorkAlone(appId, work);
      if ('error' in outcome) throw outcome.error;
      return outcome.value;
    },
    runAlone: (appId, work, how) => aloneSlots.run(appId, () => runAsTenant(options.alone, appId, work, how)),
  };
}

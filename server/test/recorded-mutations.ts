// Records each start of a mutation, including repeats: its app, and if it shares a transaction.
import type { Plane } from '../src/access/authority/index.ts';

export interface StartedMutation {
  appId: string;
  isShared: boolean;
}

/** Returns the part of a node that records its mutations in `begun`. */
export const recordMutations =
  (begun: StartedMutation[]) =>
  ({ mutate }: Plane): Pick<Plane, 'mutate'> => ({
    mutate: (operationId, appId, work, bytes) =>
      mutate(
        operationId,
        appId,
        (tenant) => {
          begun.push({ appId, isShared: tenant.isShared });
          return work(tenant);
        },
        bytes,
      ),
  });

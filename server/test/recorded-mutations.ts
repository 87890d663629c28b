// Records each start of a mutation, including repeats: its app, and if it shares a transaction.
import type { Plane } from '../src/access/authority/index.ts';

export interface StartedMutation {
  appId: string;
  isShared: boolean;
}

/** Returns the part of a node that records its mutations in `begun`. */
export const recordMutations =
  (begun: StartedMutation[]) =>
  ({ mutations }: Plane): Pick<Plane, 'mutations'> => ({
    mutations: {
      ...mutations,
      run: (operationId, appId, work, bytes) =>
        mutations.run(
          operationId,
          appId,
          (tenant) => {
            begun.push({ appId, isShared: tenant.isShared });
            return work(tenant);
          },
          bytes,
        ),
    },
  });

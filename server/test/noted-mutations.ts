// Notes each time that a mutation begins, also anew: of which app, and whether with others.
import type { Plane } from '../src/access/authority/index.ts';

export interface Begun {
  appId: string;
  isShared: boolean;
}

/** For a node whose mutations are noted in `begun`. */
export const notingMutations =
  (begun: Begun[]) =>
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

// Holds requests between authentication and their operation.
import type { Plane } from '../src/access/authority/index.ts';

export interface Gate {
  /** Returns the parts of a node whose requests must pass the gate. */
  exchange(plane: Plane): Pick<Plane, 'authority'>;
  /** Holds all requests from now on, and restarts the count. */
  shut(): void;
  /** Returns how many requests were authenticated and then waited or continued. */
  authenticatedCount(): number;
  open(): void;
}

export function createGate(): Gate {
  let authenticated = 0;
  let open = (): void => {};
  let gate = Promise.resolve();
  return {
    exchange: (plane) => ({
      authority: {
        async authenticate(incoming) {
          const caller = await plane.authority.authenticate(incoming);
          authenticated += 1;
          await gate;
          return caller;
        },
      },
    }),
    shut() {
      authenticated = 0;
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    authenticatedCount: () => authenticated,
    open: () => open(),
  };
}

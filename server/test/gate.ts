// Holds requests up between their authority and their work.
import type { Plane } from '../src/access/authority/index.ts';

export interface Gate {
  /** For a node whose requests go through it. */
  exchange(plane: Plane): Pick<Plane, 'authority'>;
  /** Nobody gets through from now on; those are counted anew who come. */
  shut(): void;
  /** How many have been proved, and wait or went on. */
  proved(): number;
  open(): void;
}

export function createGate(): Gate {
  let proved = 0;
  let open = (): void => {};
  let gate = Promise.resolve();
  return {
    exchange: (plane) => ({
      authority: {
        async authenticate(incoming) {
          const caller = await plane.authority.authenticate(incoming);
          proved += 1;
          await gate;
          return caller;
        },
      },
    }),
    shut() {
      proved = 0;
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    proved: () => proved,
    open: () => open(),
  };
}

// Access for what anybody may read: the contract and the pages that explain problems.
import type { Access } from '../../kit/operation.ts';
import type { Plane } from './plane.ts';

export function anyone(): Access<Plane, undefined, { plane: Plane }> {
  return {
    security: 'none',
    summary: 'Anyone; no key is needed.',
    problems: [],
    admit: async () => undefined,
    enter: (_admitted, _request, plane, run) => run({ plane }),
  };
}

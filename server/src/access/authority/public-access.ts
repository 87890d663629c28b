// Access without a key: the contract, and the pages that explain problems.
import type { Access } from '../../kit/http/operation.ts';
import type { Plane } from './plane.ts';

export function allowAnyone(): Access<Plane, undefined, { plane: Plane }> {
  return {
    security: 'none',
    summary: 'Any client; no key is required.',
    problems: [],
    admit: async () => undefined,
    enter: (_admitted, _request, plane, run) => run({ plane }),
  };
}

export interface UnauthenticatedContext {
  plane: Plane;
  /** The client address. Store it only in the form of `networkOf`. */
  clientAddress: string;
  requestId: string;
}

/** Allows any client, with a rate limit per address. The body contains the proof of the claim. */
export function allowAnyoneRateLimited(): Access<Plane, string, UnauthenticatedContext> {
  return {
    security: 'none',
    summary: 'Any client, a few times a minute from one address; no key is required except the key in the body.',
    problems: ['rate_limited', 'unavailable', 'timeout'],
    async admit({ ip }, { keys: { reportLimiter } }) {
      reportLimiter.refuse(ip);
      reportLimiter.count(ip);
      return ip;
    },
    enter: (clientAddress, { incoming }, plane, run) => run({ plane, clientAddress, requestId: incoming.exchange.id }),
  };
}

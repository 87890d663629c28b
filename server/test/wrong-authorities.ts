// Two authorities with the most likely mistakes. A proof of revocation that does not detect them is worthless.
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiCaller, Authority } from '../src/access/authority/index.ts';
import type { Incoming } from '../src/kit/http/operation.ts';

const CACHE_MS = 50;
const MAX_DELAY_MS = 30;

/** Mistake: a cached response is valid for a while. */
function cachingAuthority(right: Authority): Authority {
  const cache = new Map<string, { untilMs: number; caller: Promise<ApiCaller> }>();
  return {
    async authenticate(incoming) {
      const authorization = String(incoming.headers.authorization);
      const entry = cache.get(authorization);
      if (entry && entry.untilMs > performance.now()) return setPrincipal(incoming, entry.caller);
      const caller = right.authenticate(incoming);
      cache.set(authorization, { untilMs: performance.now() + CACHE_MS, caller });
      return caller;
    },
  };
}

/** Mistake: concurrent requests with the same key share one look-up. */
function sharingAuthority(right: Authority): Authority {
  const running = new Map<string, Promise<ApiCaller>>();
  return {
    async authenticate(incoming) {
      const authorization = String(incoming.headers.authorization);
      // Simulates a slow response of the database, for which only the mutant waits.
      const looking =
        running.get(authorization) ??
        right.authenticate(incoming).then((caller) => pause(Math.random() * MAX_DELAY_MS, caller));
      running.set(authorization, looking);
      return setPrincipal(
        incoming,
        looking.finally(() => running.delete(authorization)),
      );
    },
  };
}

async function setPrincipal(incoming: Incoming, proving: Promise<ApiCaller>): Promise<ApiCaller> {
  const caller = await proving;
  incoming.exchange.principal = caller;
  return caller;
}

export const WRONG_AUTHORITIES: Record<string, (right: Authority) => Authority> = {
  'answers from a cache of 50 ms': cachingAuthority,
  'shares running look-ups': sharingAuthority,
};

// Authorities that are wrong in the two likeliest ways. A proof of revocation that does not find them is worth nothing.
import { setTimeout as pause } from 'node:timers/promises';
import type { Authority, Caller } from '../src/access/authority/index.ts';
import type { Incoming } from '../src/kit/http/operation.ts';

const CACHE_MS = 50;
const MAX_DELAY_MS = 30;

/** The usual mistake: an answer that is good for a while. */
function caching(right: Authority): Authority {
  const kept = new Map<string, { untilMs: number; caller: Promise<Caller> }>();
  return {
    async authenticate(incoming) {
      const asked = String(incoming.headers.authorization);
      const entry = kept.get(asked);
      if (entry && entry.untilMs > performance.now()) return noted(incoming, entry.caller);
      const caller = right.authenticate(incoming);
      kept.set(asked, { untilMs: performance.now() + CACHE_MS, caller });
      return caller;
    },
  };
}

/** The likeliest one: who asks for the same key while it is looked up gets the same answer. */
function sharing(right: Authority): Authority {
  const running = new Map<string, Promise<Caller>>();
  return {
    async authenticate(incoming) {
      const asked = String(incoming.headers.authorization);
      // The delay stands for a slow way back from the database; nothing waits for it but the mutant.
      const looking =
        running.get(asked) ??
        right.authenticate(incoming).then((caller) => pause(Math.random() * MAX_DELAY_MS, caller));
      running.set(asked, looking);
      return noted(
        incoming,
        looking.finally(() => running.delete(asked)),
      );
    },
  };
}

async function noted(incoming: Incoming, proving: Promise<Caller>): Promise<Caller> {
  const caller = await proving;
  incoming.exchange.principal = caller;
  return caller;
}

export const WRONG_AUTHORITIES: Record<string, (right: Authority) => Authority> = {
  'answers from a cache of 50 ms': caching,
  'shares running look-ups': sharing,
};

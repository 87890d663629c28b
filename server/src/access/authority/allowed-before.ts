// What was allowed when it was last asked for. It decides nothing: it tells whether what decides is worth reading together with what
// is written, or has to be known before, because who is refused after that makes others write anew.

/** A key's scope on a server. */
export interface Allowing<Scope = string> {
  keyId: string;
  serverId: string;
  scope: Scope;
}

/** Of one app. */
export interface AllowedBefore {
  has(of: Allowing): boolean;
  note(of: Allowing): void;
}

/** In a transaction of its own nobody else has to write anew. */
export const NOTHING_BEFORE: AllowedBefore = { has: () => false, note: () => {} };

/** So many of the mutations that are allowed after that share no transaction but with those of the like. */
export const APART = 64;
const MOST_APART = 1_000;

const textOf = ({ keyId, serverId, scope }: Allowing): string => `${keyId} ${serverId} ${scope}`;

/** At most so many, of all apps. Forgetting one costs its next mutation a trip. */
export function createAllowedBefore(most: number) {
  const apps = new Map<string, Set<string>>();
  // Or whoever changes access to and fro, with a mutation in between, would undo the work of others as often as they like.
  const apart = new Map<string, number>();
  let size = 0;

  function note(appId: string, text: string): void {
    const left = apart.get(appId) ?? 0;
    if (left > 1) apart.set(appId, left - 1);
    else apart.delete(appId);
    if (size >= most) {
      apps.clear();
      size = 0;
    }
    const known = apps.get(appId) ?? new Set();
    apps.set(appId, known);
    if (known.has(text)) return;
    known.add(text);
    size += 1;
  }

  return {
    of: (appId: string): AllowedBefore => ({
      has: (of) => apps.get(appId)?.has(textOf(of)) === true,
      note: (of) => note(appId, textOf(of)),
    }),
    /** Its access was changed under a mutation, which made others write anew. */
    forget(appId: string): void {
      size -= apps.get(appId)?.size ?? 0;
      apps.delete(appId);
      apart.delete(appId);
      apart.set(appId, APART);
      for (const oldest of apart.keys()) {
        if (apart.size <= MOST_APART) break;
        apart.delete(oldest);
      }
    },
    /** It made others write anew not long ago. */
    isApart: (appId: string): boolean => apart.has(appId),
  };
}

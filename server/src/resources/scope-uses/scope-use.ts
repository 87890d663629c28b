// The number of uses of each scope of a key, and the unused scopes.

import { SCOPES, type Scope, ScopeSchema } from '../../access/authority/index.ts';
import { integer, namedObject, nullable, Type } from '../../kit/http/schema.ts';

/** The days without a use after which a scope counts as unused. */
export const UNUSED_AFTER_DAYS = 30;

export interface ScopeUse {
  appId: string;
  keyId: string;
  /** The UUID of the server, with or without hyphens. Null for a request that concerns all servers, such as a list. */
  serverId: string | null;
  scope: Scope;
  /** False if the request needed only the grant of the scope and not the key's scope. */
  isOfKey: boolean;
  /** The day in UTC, for example `2026-11-24`. */
  day: string;
  uses: number;
}

const ScopeUseSchema = namedObject('ScopeUse', 'The uses of a scope in the last 30 days.', {
  scope: ScopeSchema,
  uses: integer('The number of uses.', 0, Number.MAX_SAFE_INTEGER),
  lastUsedOn: nullable(Type.String({ format: 'date', maxLength: 10, description: 'The last day with a use, in UTC.' })),
});

export const scopeUseFields = {
  scopeUses: Type.Array(ScopeUseSchema, {
    maxItems: SCOPES.length,
    description:
      'The uses of each scope by requests and deliveries in the last 30 days, including those of the keys that this key replaced. The counts are delayed by some seconds.',
  }),
  unusedScopes: nullable(
    Type.Array(ScopeSchema, {
      maxItems: SCOPES.length,
      description:
        'The scopes without a use in the last 30 days. To remove them, rotate the key with the other scopes. A key with endpoints requires `events:read`. Null until uses have been counted for 30 days, including those of the keys that this key replaced.',
    }),
  ),
};

export interface ScopeUseRow {
  scopes: readonly Scope[];
  scope_uses: {
    /** False for a key that is being inserted, because its row does not exist yet. */
    isLongEnough: boolean;
    scopes: { scope: Scope; uses: number; lastUsedOn: string }[];
  };
  has_endpoints: boolean;
}

export function summariseScopeUses({
  scopes,
  scope_uses: { scopes: used, isLongEnough },
  has_endpoints: hasEndpoints,
}: ScopeUseRow) {
  const scopeUses = scopes.map((scope) => {
    const use = used.find((one) => one.scope === scope);
    return { scope, uses: use?.uses ?? 0, lastUsedOn: use?.lastUsedOn ?? null };
  });
  const isNeeded = (scope: Scope): boolean => hasEndpoints && scope === 'events:read';
  const unused = scopeUses.filter(({ scope, uses }) => uses === 0 && !isNeeded(scope)).map(({ scope }) => scope);
  return { scopeUses, unusedScopes: isLongEnough ? unused : null };
}

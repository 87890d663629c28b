// How often the scopes of a key are used, and which ones nothing uses.

import { type Scope, ScopeSchema } from '../../access/authority/index.ts';
import { closed, named, nullable, Type } from '../../kit/http/schema.ts';

/** The days without a use after which a scope counts as unused. */
export const UNUSED_AFTER_DAYS = 30;

export interface ScopeUse {
  appId: string;
  keyId: string;
  /** As a uuid, with or without hyphens. Null for a request that concerns every server, as a list does. */
  serverId: string | null;
  scope: Scope;
  /** False if only the grant of the scope was needed, and not the key's scope. */
  isOfKey: boolean;
  /** The day in UTC, `2026-11-24`. */
  day: string;
  uses: number;
}

const ScopeUseSchema = named(
  'ScopeUse',
  closed(
    {
      scope: ScopeSchema,
      uses: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'How often it was used.' }),
      lastUsedOn: nullable(
        Type.String({ format: 'date', maxLength: 10, description: 'The last day on which it was used, in UTC.' }),
      ),
    },
    { description: 'How often a scope was used in the last 30 days.' },
  ),
);

export const scopeUseFields = {
  scopeUses: Type.Array(ScopeUseSchema, {
    maxItems: 6,
    description:
      'How often requests and deliveries used each of its scopes in the last 30 days, with the keys that it replaced; some seconds late.',
  }),
  unusedScopes: nullable(
    Type.Array(ScopeSchema, {
      maxItems: 6,
      description:
        'Its scopes that nothing used in the last 30 days: rotate it with the other scopes. A key with endpoints needs `events:read`. Null while uses have been counted for less than 30 days, with the keys that it replaced.',
    }),
  ),
};

export interface ScopeUseRow {
  scopes: readonly Scope[];
  scope_uses: {
    /** False of a key that is being inserted: its line is not there yet. */
    isLongEnough: boolean;
    scopes: { scope: Scope; uses: number; lastUsedOn: string }[];
  };
  has_endpoints: boolean;
}

export function usesOf({
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

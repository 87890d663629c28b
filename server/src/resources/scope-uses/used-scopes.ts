// Determines the scopes that a request or a delivery uses.
import type { Scope } from '../../access/authority/index.ts';
import { EVENT_KINDS, EVENT_SCOPE, EVENT_TYPES, type EventType } from '../events/index.ts';

const resourceScopes = (types: readonly EventType[]): Scope[] => types.flatMap((type) => EVENT_KINDS[type].scope ?? []);

const EVENT_READ_SCOPES: readonly Scope[] = [...new Set<Scope>([EVENT_SCOPE, ...resourceScopes(EVENT_TYPES)])];

/**
 * Returns the scopes that a request uses: the scope of its operation, also if the request is rejected. A read of events
 * also uses the grants of all resources in events, because it may return any of them. Its key needs only the scope of
 * events.
 */
export function scopesOfRequest(needed: Scope | undefined): { scope: Scope; isOfKey: boolean }[] {
  if (needed === undefined) return [];
  const scopes = needed === EVENT_SCOPE ? EVENT_READ_SCOPES : [needed];
  return scopes.map((scope) => ({ scope, isOfKey: scope === needed }));
}

/** Matches the second field of the envelope. */
const TYPE = /^\{"id":"\w+","type":"([\w.]+)"/;

/**
 * Returns the scopes that the delivery of an event with these bytes uses: the scope of events, and the scope of the
 * resource in the event.
 */
export function scopesOfDelivery(body: string): readonly Scope[] {
  const named = TYPE.exec(body)?.[1];
  const type = EVENT_TYPES.find((one) => one === named);
  return [...new Set<Scope>([EVENT_SCOPE, ...resourceScopes(type === undefined ? [] : [type])])];
}

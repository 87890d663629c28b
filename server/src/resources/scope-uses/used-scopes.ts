// Which scopes a request or a delivery uses.
import type { Scope } from '../../access/authority/index.ts';
import { EVENT_KINDS, EVENT_SCOPE, EVENT_TYPES, type EventType } from '../events/index.ts';

const resourceScopes = (types: readonly EventType[]): Scope[] => types.flatMap((type) => EVENT_KINDS[type].scope ?? []);

const READ_WITH_EVENTS: readonly Scope[] = [...new Set<Scope>([EVENT_SCOPE, ...resourceScopes(EVENT_TYPES)])];

/**
 * Returns the scopes that a request uses, also if it was refused: the scope that its operation needs. A read of events also uses the grants
 * of each resource that events carry, because it may return any of them; its key needs the scope of events alone.
 */
export function scopesOfRequest(needed: Scope | undefined): { scope: Scope; isOfKey: boolean }[] {
  if (needed === undefined) return [];
  const scopes = needed === EVENT_SCOPE ? READ_WITH_EVENTS : [needed];
  return scopes.map((scope) => ({ scope, isOfKey: scope === needed }));
}

/** The envelope's second field. */
const TYPE = /^\{"id":"\w+","type":"([\w.]+)"/;

/** Returns the scopes that the delivery of an event with these bytes uses: that of events and that of the resource in it. */
export function scopesOfDelivery(body: string): readonly Scope[] {
  const named = TYPE.exec(body)?.[1];
  const type = EVENT_TYPES.find((one) => one === named);
  return [...new Set<Scope>([EVENT_SCOPE, ...resourceScopes(type === undefined ? [] : [type])])];
}

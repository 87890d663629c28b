// The expected responses of production, where the upstream API's report, the cap, the organisation's restriction and
// the approval together determine access. This file is of the same kind as model.ts and imports nothing else. Every
// server and scope here was authorised once, so a grant exists.
import { type ExpectedResponse, refused } from './model.ts';

export const UPSTREAM_STATES = ['authorised', 'paused', 'revoked'] as const;
export type UpstreamState = (typeof UPSTREAM_STATES)[number];
export const RESTRICTED = ['nothing', 'paused', 'revoked'] as const;
export type RestrictedCase = (typeof RESTRICTED)[number];

/** The facts that decide about the server as a whole. */
export interface ServerFacts {
  stated: UpstreamState;
  restricted: RestrictedCase;
  /** True if it was reported as authorised when the app already had its approved number of servers. */
  isOverCap: boolean;
}
/** The facts that decide about one scope on the server. */
export interface ScopeFacts {
  stated: UpstreamState;
  restricted: RestrictedCase;
  isApproved: boolean;
}

/** Returns the effective state, which is the strictest of all. */
export function inForce({ stated, restricted, ...rest }: ServerFacts | ScopeFacts): UpstreamState {
  const isOverCap = 'isOverCap' in rest && rest.isOverCap;
  if (stated === 'revoked' || restricted === 'revoked') return 'revoked';
  return stated === 'paused' || restricted === 'paused' || isOverCap ? 'paused' : 'authorised';
}

const CODES = { paused: 'installation_paused', revoked: 'installation_revoked' } as const;

/** Returns the result of a call that needs the scope on the server. */
export function expectRestricted(whole: ServerFacts, part: ScopeFacts, status: number): ExpectedResponse {
  if (!part.isApproved) return refused(403, 'missing_scope');
  for (const state of [inForce(whole), inForce(part)]) if (state !== 'authorised') return refused(403, CODES[state]);
  return { status };
}

/** Returns the result of reading an event with a resource, which needs two scopes independently. */
export function expectEvent(whole: ServerFacts, events: ScopeFacts, resource: ScopeFacts): ExpectedResponse {
  const read = expectRestricted(whole, events, 200);
  if (read.status !== 200) return read;
  // The key needs events:read only. The app must be approved for the scope of the resource too.
  if (!resource.isApproved) return refused(403, 'scope_not_authorised');
  const state = inForce(resource);
  return state === 'authorised' ? read : refused(403, CODES[state]);
}

/** Returns the reason why a delivery of an event with a resource does not start; null if the delivery starts. */
export function expectDeliveryReason(whole: ServerFacts, events: ScopeFacts, resource: ScopeFacts): string | null {
  const reasonOf = (what: string, cell: ServerFacts | ScopeFacts, state: 'paused' | 'revoked'): string | null => {
    const isByOrganisation = cell.restricted === state;
    return inForce(cell) === state ? `${what}_${state}${isByOrganisation ? '_by_organisation' : ''}` : null;
  };
  // A revocation ends the delivery, also one that a pause would hold.
  return (
    (events.isApproved ? null : 'key_missing_scope') ??
    reasonOf('installation', whole, 'revoked') ??
    reasonOf('installation', events, 'revoked') ??
    (resource.isApproved ? null : 'resource_scope_not_approved') ??
    reasonOf('resource_scope', resource, 'revoked') ??
    reasonOf('installation', whole, 'paused') ??
    reasonOf('installation', events, 'paused') ??
    reasonOf('resource_scope', resource, 'paused')
  );
}

export const isListed = (whole: ServerFacts, part: ScopeFacts): boolean =>
  inForce(whole) === 'authorised' && inForce(part) === 'authorised';

/**
 * Returns the result of a member's change of the server or a scope. Restricting is never refused. Authorising only
 * lifts a restriction.
 */
export function expectRestriction(cell: ServerFacts | ScopeFacts, wanted: UpstreamState): ExpectedResponse {
  const lifts = cell.restricted !== 'nothing' || inForce(cell) === 'authorised';
  return wanted === 'authorised' && !lifts ? refused(409, 'conflict') : { status: 200 };
}

export const stateAfterRestriction = <Cell extends ServerFacts | ScopeFacts>(
  cell: Cell,
  wanted: UpstreamState,
): UpstreamState => inForce({ ...cell, restricted: wanted === 'authorised' ? 'nothing' : wanted });

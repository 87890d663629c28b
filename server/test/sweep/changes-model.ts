// The expected responses to changes of grants and keys, by their state. This file is of the same kind as model.ts and
// imports nothing else.
import { type ExpectedResponse, type Grants, refused, type SweepGrant, type SweepKey } from './model.ts';

const CONFLICT = refused(409, 'conflict');

/**
 * Returns the result of a wanted state: authorised and paused change into each other, revoked is final, and a new grant
 * is authorised.
 */
export function expectGrantChange(current: SweepGrant, wanted: SweepGrant): ExpectedResponse {
  const isOver = current === 'absent' || current === 'revoked';
  return isOver && wanted !== 'authorised' && wanted !== current ? CONFLICT : { status: 200 };
}

/** Returns the result of changing a scope, which requires an existing installation. */
export function expectScopeChange(grants: Grants, scope: string, wanted: SweepGrant): ExpectedResponse {
  const isOver = grants.installation === 'absent' || grants.installation === 'revoked';
  return isOver ? CONFLICT : expectGrantChange(grants.scopes[scope] ?? 'absent', wanted);
}

/** Returns the result of a rotation, which requires an active key without a successor. */
export const expectRotation = (key: SweepKey): ExpectedResponse => (key === 'active' ? { status: 201 } : CONFLICT);

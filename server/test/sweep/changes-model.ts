// The expected responses to changes of grants and keys, by their state. This file is of the same kind as model.ts and
// imports nothing else.
import { type ExpectedResponse, type Grant, type Grants, type KeyState, refused, type Scope } from './model.ts';

const CONFLICT = refused(409, 'conflict');

/**
 * Returns the result of a wanted state: authorised and paused change into each other, revoked is final, and a new grant
 * is authorised.
 */
export function expectGrantChange(current: Grant, wanted: Grant): ExpectedResponse {
  const isOver = current === 'absent' || current === 'revoked';
  return isOver && wanted !== 'authorised' && wanted !== current ? CONFLICT : { status: 200 };
}

/** Returns the result of changing a scope, which requires an existing installation. */
export function expectScopeChange(grants: Grants, scope: Scope, wanted: Grant): ExpectedResponse {
  const isOver = grants.installation === 'absent' || grants.installation === 'revoked';
  return isOver ? CONFLICT : expectGrantChange(grants.scopes[scope], wanted);
}

/** Returns the result of a rotation, which requires an active key without a successor. */
export const expectRotation = (key: KeyState): ExpectedResponse => (key === 'active' ? { status: 201 } : CONFLICT);

// Step-up verification: additional proof before an action for which a stolen session must not be sufficient.

import type { Actor } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { type ProblemError, problem } from '../../kit/openapi/problems.ts';
import { utcMinute } from '../../kit/text/utc-minute.ts';
import type { PersonContext, VisitorContext } from './console-access.ts';
import { findRemoval, type RemovalRow } from './second-factor-removal-store.ts';

type FactorContext = Pick<PersonContext, 'services' | 'person' | 'visitor'> & { actor: Pick<Actor, 'kind'> };

/**
 * Throws unless the actor is a person who verified a second factor in this session within the last ten minutes. A
 * caller with an open transaction passes it as `db`.
 */
export async function requireFreshFactor(context: FactorContext, db: Queryable = context.services.db): Promise<void> {
  const { services, actor, person, visitor } = context;
  if (actor.kind !== 'person') {
    throw problem('access_token_not_allowed', {
      detail: 'This requires a signed-in person. Access tokens are not accepted.',
      headers: { 'www-authenticate': 'Bearer realm="slipway"' },
    });
  }
  const removal = await findRemoval(db, person.id);
  if (removal) throw problem('second_factor_required', { detail: explainRemoval(removal) });
  const { secondFactor } = services.identity;
  if (await secondFactor.isFresh(visitor, db)) return;
  const detail = (await secondFactor.isOn(person.id))
    ? 'Confirm your second factor, then try again.'
    : 'You have no second factor. Set one up in your account, then try again.';
  throw problem('second_factor_required', { detail });
}

/**
 * Throws unless the second factor is off or was verified in this session within the last ten minutes: a stolen session
 * must not add another factor.
 */
export async function requireFactorIfOn({ services, person, visitor }: PersonContext): Promise<void> {
  const { secondFactor } = services.identity;
  if (!(await secondFactor.isOn(person.id)) || (await secondFactor.isFresh(visitor, services.db))) return;
  throw problem('second_factor_required', { detail: 'Confirm your second factor, then try again.' });
}

/**
 * Returns true if the person has a second factor, or if the removal of a second factor still prevents the person from
 * creating production keys.
 */
export async function hasOrHadFactor(
  { services, person }: Pick<FactorContext, 'services' | 'person'>,
  db: Queryable,
): Promise<boolean> {
  return (await services.identity.secondFactor.isOn(person.id)) || (await findRemoval(db, person.id)) !== undefined;
}

function explainRemoval({ due_at, closed_until }: RemovalRow): string {
  if (due_at) {
    const until = utcMinute(due_at);
    return `Your second factor will be removed on ${until}. Until then you cannot create production keys, change your e-mail address or give others the roles owner and admin. To end this restriction now, cancel the removal in your account.`;
  }
  if (closed_until) {
    const until = utcMinute(closed_until);
    return `Your previous second factor was removed without a code. Until ${until} you cannot create production keys, change your e-mail address or give others the roles owner and admin.`;
  }
  return 'Your second factor was removed without a code. Set up a new second factor. 24 hours later you can create production keys, change your e-mail address and give others the roles owner and admin again.';
}

type SessionContext = Pick<VisitorContext, 'services' | 'visitor'> & { tx: Queryable };

/**
 * Throws unless the session of this request is still open. A change that outlives the session calls this while it holds
 * the lock of the organisation. Signing out everywhere ends sessions and deletes what they created under the same lock.
 */
export async function requireLiveSession({ services, visitor, tx }: SessionContext): Promise<void> {
  if (!(await services.identity.isSessionOpen(tx, visitor))) throw problem('sign_in_required');
}

/**
 * Throws unless the person has a password, which is verified afterwards, or has just signed in. Otherwise a thief with
 * a stolen session could set a password or a second factor, and verify it from then on.
 */
async function requirePasswordOrFreshSignIn({ services, person, visitor }: PersonContext): Promise<void> {
  const { identity } = services;
  if ((await identity.hasPassword(person)) || (await identity.hasJustSignedIn(visitor))) return;
  throw problem('fresh_sign_in_required');
}

export const wrongPassword = (): ProblemError =>
  problem('invalid_request', { errors: [{ pointer: '/currentPassword', detail: 'The password is not correct.' }] });

/**
 * Throws unless the request authenticates the person: by the password, or by a sign-in of the last ten minutes if the
 * person has no password.
 */
export async function requireReauthentication(context: PersonContext, password: string | undefined): Promise<void> {
  await requirePasswordOrFreshSignIn(context);
  const { identity } = context.services;
  if (!(await identity.hasPassword(context.person))) return;
  if (password !== undefined && (await identity.verifyPassword(context.person, password, context.visitor))) return;
  throw wrongPassword();
}

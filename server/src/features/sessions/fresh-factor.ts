// What is asked of a person before something that a stolen session must not be enough for.
import { problem } from '../../kit/problems.ts';
import type { MemberContext } from './access.ts';

/** Throws unless it is a person, who proved their second factor in this session just now. */
export async function requireFreshFactor({ services, actor, person, visitor }: MemberContext): Promise<void> {
  if (actor.kind !== 'person') {
    throw problem('access_token_not_allowed', {
      detail: 'This takes a person who is signed in: no access token can do it.',
      headers: { 'www-authenticate': 'Bearer realm="slipway"' },
    });
  }
  const { secondFactor } = services.identity;
  if (await secondFactor.isFresh(visitor)) return;
  const detail = (await secondFactor.isOn(person.id))
    ? 'Confirm a code of your authenticator, then try again.'
    : 'You have no second factor. Set one up in your account, then try again.';
  throw problem('second_factor_required', { detail });
}

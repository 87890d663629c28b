// Texts for production: the upstream API's statement about a grant, the organisation's restriction, and the changes
// that a member can make.
import type { GrantState, Installation, Scope } from '../../kit/api.ts';
import { overCapOf, type ShownState, stateOf, type Transition } from './grant-labels.ts';

interface GrantSides {
  upstream: ShownState;
  restriction: 'paused' | 'revoked' | undefined;
}

export function grantSidesOf(server: Installation, scope?: Scope): GrantSides {
  const restriction = server.restrictions.find((one) => one.scope === (scope ?? null))?.state;
  return { upstream: upstreamOf(server, scope), restriction };
}

/** Returns the upstream API's statement, or the effective state if no statement is stored. */
function upstreamOf({ upstream, ...server }: Installation, scope: Scope | undefined): ShownState {
  if (!upstream) {
    if (scope === undefined && server.isOverCap) return 'authorised';
    return stateOf({ ...server, upstream }, scope);
  }
  return scope === undefined
    ? upstream.state
    : (upstream.scopes.find((grant) => grant.scope === scope)?.state ?? 'revoked');
}

/** Returns the side that withholds the grant, as two words under its state; undefined if the grant is authorised. */
export function withholderOf(server: Installation, scope?: Scope): string | undefined {
  const { upstream, restriction } = grantSidesOf(server, scope);
  if (restriction && upstream !== 'authorised') return 'both withhold';
  if (restriction) return 'your organisation';
  if (overCapOf(server, scope) !== undefined) return undefined;
  const state = stateOf(server, scope);
  return state === 'paused' || state === 'revoked' ? 'upstream API' : undefined;
}

export const describeGrantSides = ({ upstream, restriction }: GrantSides): string =>
  `Upstream API: ${upstream === 'never' ? 'never granted' : upstream} · Your organisation: ${restriction ?? 'no restriction'}`;

/**
 * Returns why the organisation cannot grant more; undefined if a member can lift a restriction, or nothing is withheld.
 */
export function limitOf(server: Installation, scope?: Scope): string | undefined {
  const { upstream, restriction } = grantSidesOf(server, scope);
  if (upstream !== 'authorised') {
    const also = restriction
      ? 'Resuming lifts your organisation’s part only'
      : 'Your organisation can only withhold more';
    return `The upstream API withholds it, and only the upstream API can grant it. ${also}.`;
  }
  return overCapOf(server, scope);
}

export function restrictionChangesOf(server: Installation, scope?: Scope): Transition[] {
  const { restriction } = grantSidesOf(server, scope);
  const what = scope === undefined ? 'every call on this server and all its deliveries' : `calls that need ${scope}`;
  const pause = { state: 'paused', label: 'Pause…', consequence: `Stops ${what}, until a member resumes it.` } as const;
  const revoke = {
    state: 'revoked',
    label: 'Revoke…',
    consequence: `Stops ${what}, and cancels waiting deliveries. Resuming later creates a new grant.`,
  } as const;
  const resume = {
    state: 'authorised',
    label: 'Resume',
    consequence: 'Lifts your organisation’s restriction. The statement of the upstream API then applies.',
  } as const;
  if (restriction === undefined) return [pause, revoke];
  return restriction === 'paused' ? [resume, revoke] : [resume];
}

/** Returns the text after a change: a lifted restriction grants no more than the upstream API allows. */
export function liftedSentence(changed: Installation, scope: Scope | undefined): string | undefined {
  const now: ShownState | GrantState = stateOf(changed, scope);
  if (now === 'authorised') return undefined;
  return `Your organisation’s restriction is lifted. ${limitOf(changed, scope) ?? ''}`;
}

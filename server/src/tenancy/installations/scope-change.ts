// The events that report a change of grants: the events of a call, and the data of `installation.scope_changed`.

import { type GrantState, SCOPES, type Scope, ScopeSchema, strictest } from '../../access/authority/index.ts';
import { isOperatorContract } from '../../access/contracts/index.ts';
import { namedObject, type Static, strictObject, Type } from '../../kit/http/schema.ts';
import { GrantStateSchema } from '../../resources/servers/index.ts';

const stateOf = Type.Optional(GrantStateSchema);
const STATES = Object.fromEntries(SCOPES.map((scope) => [scope, stateOf])) as Record<Scope, typeof stateOf>; // all scopes
const ScopeStates = namedObject(
  'ScopeStates',
  'The state of each scope in `scopes`. A scope that was never granted is `revoked`.',
  STATES,
);

export const ScopeChange = namedObject(
  'ScopeChange',
  'The changed scopes of an installation, with the state of each before and after the change. A new or a revoked installation changes each of its scopes.',
  {
    scopes: Type.Array(ScopeSchema, {
      minItems: 1,
      maxItems: SCOPES.length,
      uniqueItems: true,
      description: 'The changed scopes.',
    }),
    from: ScopeStates,
    to: ScopeStates,
  },
);
export type ScopeChange = Static<typeof ScopeChange>;

/** Fields that a member may set when triggering `installation.scope_changed`. */
export const ScopeChangeContent = strictObject({
  scope: Type.Optional(ScopeSchema),
  state: Type.Optional(GrantStateSchema),
});

const exampleScope: Scope = isOperatorContract ? SCOPES[0] : 'publications:read';

export const exampleScopeChange: ScopeChange = {
  scopes: [exampleScope],
  from: { [exampleScope]: 'authorised' },
  to: { [exampleScope]: 'revoked' },
};

/** An installation that the transaction changed, with its history rows of this transaction, oldest first. */
export interface ChangedGrant {
  server_id: string;
  installation_id: string;
  /** The number of the installation's last event, or null if the installation no longer exists. */
  event_sequence: number | null;
  state: GrantState | null;
  scopes: { scope: Scope; state: GrantState }[];
  changes: { scopes: Scope[] | null; from: GrantState | null; to: GrantState | null }[];
}

export type GrantChangeEvent =
  | { type: 'installation.paused' | 'installation.resumed'; data: Record<string, never> }
  | { type: 'installation.scope_changed'; data: ScopeChange };

/** Returns the state before the first change and the state after the last change. A missing grant counts as revoked. */
function transitionOf(
  changes: readonly { from: GrantState | null; to: GrantState | null }[],
  current: GrantState,
): { from: GrantState; to: GrantState } {
  const [earliest] = changes;
  const latest = changes.at(-1);
  if (!earliest || !latest) return { from: current, to: current };
  return { from: earliest.from ?? 'revoked', to: latest.to ?? 'revoked' };
}

/**
 * Returns the events of one installation for one call: at most one pause or resumption, and at most one change of
 * scopes. A change that the same call reverts causes no event.
 */
export function toGrantChangeEvents({ state, scopes, changes }: ChangedGrant): GrantChangeEvent[] {
  const whole = transitionOf(
    changes.filter((change) => change.scopes === null),
    state ?? 'revoked',
  );
  const isMadeOrEnded = (whole.from === 'revoked') !== (whole.to === 'revoked');
  const isRevoked = whole.from === 'revoked' && whole.to === 'revoked';
  const data: ScopeChange = { scopes: [], from: {}, to: {} };
  for (const scope of isRevoked ? [] : SCOPES) {
    const current = scopes.find((grant) => grant.scope === scope)?.state ?? 'revoked';
    const own = transitionOf(
      changes.filter((change) => change.scopes?.includes(scope)),
      current,
    );
    // A pause of the whole installation has its own event and changes no scope.
    const from = isMadeOrEnded ? strictest(whole.from, own.from) : own.from;
    const to = isMadeOrEnded ? strictest(whole.to, own.to) : own.to;
    if (from === to) continue;
    data.scopes.push(scope);
    data.from[scope] = from;
    data.to[scope] = to;
  }
  const events: GrantChangeEvent[] = [];
  if (whole.from === 'authorised' && whole.to === 'paused') events.push({ type: 'installation.paused', data: {} });
  if (whole.from === 'paused' && whole.to === 'authorised') events.push({ type: 'installation.resumed', data: {} });
  if (data.scopes.length > 0) events.push({ type: 'installation.scope_changed', data });
  return events;
}

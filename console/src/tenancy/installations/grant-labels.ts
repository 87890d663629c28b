// Texts of a grant: the possible changes and their consequences.
import type { GrantState, Installation, Scope } from '../../kit/api.ts';
import { OWN_CONTRACT } from '../../kit/own-contract.ts';
import type { GrantChange } from './use-installations.ts';

export type ShownState = GrantState | 'never';

export interface Transition {
  state: GrantState;
  label: string;
  consequence: string;
}

export function stateOf(server: Installation, scope?: Scope): ShownState {
  if (scope === undefined) return server.installation?.state ?? 'never';
  return server.installation?.scopes.find((grant) => grant.scope === scope)?.state ?? 'never';
}

/**
 * Returns why an authorised installation is paused by the server limit; undefined for other installations and for
 * scopes.
 */
export function overCapOf(server: Installation, scope?: Scope): string | undefined {
  if (!server.isOverCap || scope !== undefined) return undefined;
  return 'The app has reached its server limit. The waiting server with the oldest installation continues when a place becomes free, or when a higher limit is approved under Live access.';
}

/** Returns true if neither a request nor a delivery used the scope on the server for 30 days. */
export const isUnusedGrant = ({ unusedScopes }: Installation, scope?: Scope): boolean =>
  scope !== undefined && (unusedScopes?.includes(scope) ?? false);

/** Returns why no scope can be changed now; undefined if it can. */
export function obstacleOf(server: Installation): string | undefined {
  const state = stateOf(server);
  if (state === 'never' || state === 'revoked') return 'Authorise the server first: this creates a new installation.';
  return undefined;
}

export function transitionsOf(state: ShownState, scope?: Scope): Transition[] {
  const pause = { state: 'paused', label: 'Pause…', consequence: `${stops(scope)}, until you resume it.` } as const;
  const revoke = { state: 'revoked', label: 'Revoke…', consequence: `${stops(scope)}, permanently.` } as const;
  if (state === 'authorised') return [pause, revoke];
  if (state === 'paused') return [{ state: 'authorised', label: 'Resume', consequence: allows(scope) }, revoke];
  return [{ state: 'authorised', label: 'Authorise', consequence: allows(scope) }];
}

function allows(scope: Scope | undefined): string {
  if (scope === undefined) return 'Allows calls on this server in each authorised scope.';
  return `Allows calls that need ${scope}, and ${eventsOf(scope)}.`;
}

function stops(scope: Scope | undefined): string {
  if (scope === undefined) return 'Stops every call on this server and all its deliveries';
  return `Stops calls that need ${scope}, and ${eventsOf(scope)}`;
}

/** Names the events that a scope permits: each event needs events:read and the scope of its resource. */
export const eventsOf = (scope: Scope): string =>
  scope === 'events:read'
    ? 'all events of the server'
    : `events with ${OWN_CONTRACT ? `a resource of ${scope}` : RESOURCES[scope]}`;

const RESOURCES: Record<Exclude<Scope, 'events:read'>, string> = {
  'servers:read': 'the server itself',
  'publications:read': 'a publication',
  'roadmap:read': 'a roadmap item',
  'tickets:create': 'a ticket',
  'workflows:run': 'a workflow run',
};

/** Describes the result of a change. */
export function doneSentence({ server, scope, state }: GrantChange): string {
  const what = scope === undefined ? 'every authorised scope' : scope;
  const where = `on ${server.serverName}`;
  if (state === 'authorised') return `Calls ${where} are allowed in ${what}. Held deliveries are delivered.`;
  const subject = scope === undefined ? `All calls ${where}` : `Calls ${where} that need ${scope}`;
  const whose = scope === undefined || scope === 'events:read' ? '' : ` of ${eventsOf(scope)}`;
  if (state === 'paused') return `${subject} are now refused with installation_paused. Deliveries${whose} are held.`;
  return `${subject} are now refused with installation_revoked. Waiting deliveries${whose} are cancelled.`;
}

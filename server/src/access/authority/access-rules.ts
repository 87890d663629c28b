// Decides whether a key may call an operation: ordered rules over plain facts. A request is refused by the first broken
// rule, and an explanation evaluates all of them. Both use the same rules, so they cannot contradict each other.

import { problem } from '../../kit/openapi/problems.ts';
import { PROBLEMS } from '../problems/index.ts';
import type { GrantRow } from './grant-store.ts';
import { type RefusalCode, refusal } from './refusals.ts';
import type { Scope } from './scopes.ts';
import type { KeyState } from './store.ts';

export interface Rule<Facts, Name extends string = string> {
  readonly name: Name;
  /** The problem of a request that breaks the rule. */
  readonly code: RefusalCode | 'not_found';
  /** The fix, if it differs from the fix on the page of the problem. */
  readonly fix?: string;
  /** Returns undefined if an earlier broken rule leaves nothing to evaluate. Only true allows a request. */
  readonly holds: (facts: Facts, scope: Scope | undefined) => boolean | undefined;
}

/** Types a list of rules and keeps their names as literals. */
const rulesOn =
  <Facts>() =>
  <Name extends string>(rules: readonly Rule<Facts, Name>[]) =>
    rules;

/** The rules for a key and its app; the facts are undefined if no such key exists. */
export const KEY_RULES = rulesOn<KeyState | undefined>()([
  { name: 'key_exists', code: 'invalid_key', holds: (key) => key !== undefined },
  { name: 'key_not_revoked', code: 'revoked_key', holds: (key) => key && key.state === 'active' },
  { name: 'key_not_expired', code: 'expired_key', holds: (key) => key && !key.isExpired },
  { name: 'app_active', code: 'app_suspended', holds: (key) => key && key.appStatus === 'active' },
]);

/** The rules for the scopes that the key was created with, limited to those that its app is approved for. */
export const SCOPE_RULES = rulesOn<readonly Scope[] | undefined>()([
  {
    name: 'key_has_scope',
    code: 'missing_scope',
    holds: (scopes, scope) => scopes && (!scope || scopes.includes(scope)),
  },
]);

const isPresent = (grant: GrantRow | undefined): boolean | undefined =>
  grant && (grant.installation_state === null ? undefined : true);

type ScopeFacts = Pick<GrantRow, 'scope_state' | 'scope_restriction' | 'upstream_scope_state'>;

// If the organisation restricts nothing, the upstream API decides alone, and its state is the effective one. If the
// organisation restricts, a rule about the organisation is broken, and the statement of the upstream API only explains.
// If no statement is known, the effective state takes its place.
const upstreamState = (grant: GrantRow): GrantRow['upstream_state'] =>
  grant.restriction === null ? grant.installation_state : (grant.upstream_state ?? grant.installation_state);
const upstreamScopeState = (grant: ScopeFacts): GrantRow['upstream_state'] =>
  grant.scope_restriction === null ? grant.scope_state : (grant.upstream_scope_state ?? grant.scope_state);
const isNot = (state: GrantRow['upstream_state'], refused: 'paused' | 'revoked'): boolean | undefined =>
  state === null ? undefined : state !== refused;

const resumeIn = (what: string): string =>
  `Your organisation withholds ${what}. A member who may change installations can resume it in the Console under Installations.`;

/**
 * Returns the rules for the grant of a scope. `isPresent` returns undefined if an earlier rule leaves nothing to
 * evaluate.
 */
const scopeRules = <Facts extends ScopeFacts, Prefix extends string>(
  prefix: Prefix,
  what: string,
  isPresent: (grant: Facts | undefined) => boolean | undefined,
) =>
  rulesOn<Facts | undefined>()([
    {
      name: `${prefix}scope_not_revoked_by_organisation`,
      code: 'installation_revoked',
      fix: resumeIn(what),
      holds: (grant) => isPresent(grant) && grant?.scope_restriction !== 'revoked',
    },
    {
      name: `${prefix}scope_authorised`,
      code: 'scope_not_authorised',
      holds: (grant) => isPresent(grant) && grant && upstreamScopeState(grant) !== null,
    },
    {
      name: `${prefix}scope_not_revoked`,
      code: 'installation_revoked',
      holds: (grant) => grant && isNot(upstreamScopeState(grant), 'revoked'),
    },
    {
      name: `${prefix}scope_not_paused_by_organisation`,
      code: 'installation_paused',
      fix: resumeIn(what),
      holds: (grant) => isPresent(grant) && grant?.scope_restriction !== 'paused',
    },
    {
      name: `${prefix}scope_not_paused`,
      code: 'installation_paused',
      holds: (grant) => grant && isNot(upstreamScopeState(grant), 'paused'),
    },
  ]);

/**
 * The rules for the latest installation on a server and the latest grant of the scope in it. The facts are undefined if
 * no such server exists. A server without an installation of the app does not exist for the app.
 */
export const GRANT_RULES = rulesOn<GrantRow | undefined>()([
  { name: 'server_exists', code: 'not_found', holds: (grant) => grant !== undefined },
  { name: 'installation_exists', code: 'not_found', holds: (grant) => grant && grant.installation_state !== null },
  {
    name: 'server_not_revoked_by_organisation',
    code: 'installation_revoked',
    fix: resumeIn('the server'),
    holds: (grant) => isPresent(grant) && grant?.restriction !== 'revoked',
  },
  {
    name: 'installation_not_revoked',
    code: 'installation_revoked',
    holds: (grant) => isPresent(grant) && grant && isNot(upstreamState(grant), 'revoked'),
  },
  {
    name: 'server_not_paused_by_organisation',
    code: 'installation_paused',
    fix: resumeIn('the server'),
    holds: (grant) => isPresent(grant) && grant?.restriction !== 'paused',
  },
  {
    name: 'installation_within_cap',
    code: 'installation_paused',
    fix: 'The server has authorised the app, but the app has reached its approved number of servers. The waiting server with the oldest installation resumes when another server pauses or revokes its authorisation, or when more servers are approved under Live access. A server that your organisation withholds keeps its place.',
    holds: (grant) => isPresent(grant) && grant?.is_over_cap !== true,
  },
  {
    name: 'installation_not_paused',
    code: 'installation_paused',
    // An installation over the cap was paused by no member.
    holds: (grant) =>
      isPresent(grant) && grant && (grant.is_over_cap ? undefined : isNot(upstreamState(grant), 'paused')),
  },
  ...scopeRules('', 'the scope', isPresent),
]);

/**
 * Holds the facts that decide about the resource of an event, for an app that enforces the scopes of events: the latest
 * grant of the resource's scope, in an installation that GRANT_RULES allow.
 */
export interface ResourceGrant extends ScopeFacts {
  /** True if the app is approved for the scope; the sandbox has every scope. */
  is_approved: boolean;
}

/**
 * Lists the rules for an event's resource, which apply after GRANT_RULES allow `events:read`: the scopes are
 * independent of each other.
 */
export const RESOURCE_RULES = rulesOn<ResourceGrant | undefined>()([
  {
    name: 'resource_scope_approved',
    code: 'scope_not_authorised',
    fix: 'The app is not approved for the scope of the event’s resource. Request the scope under Live access.',
    holds: (grant) => grant?.is_approved,
  },
  ...scopeRules('resource_', 'the scope of the event’s resource', (grant: ResourceGrant | undefined) => grant && true),
]);

export type RuleName = (
  | (typeof KEY_RULES)[number]
  | (typeof SCOPE_RULES)[number]
  | (typeof GRANT_RULES)[number]
  | (typeof RESOURCE_RULES)[number]
)['name'];

/**
 * Returns the first rule that does not allow the request: a broken rule, or one that cannot be evaluated. Returns
 * undefined if the rules allow the request.
 */
export function findUnmetRule<Facts>(
  rules: readonly Rule<Facts>[],
  facts: Facts,
  scope: Scope | undefined,
): Rule<Facts> | undefined {
  for (const rule of rules) if (rule.holds(facts, scope) !== true) return rule;
  return undefined;
}

/** Returns the names of all rules that do not allow the request, in their order. */
export function listUnmetRules<Facts, Name extends string>(
  rules: readonly Rule<Facts, Name>[],
  facts: Facts,
  scope: Scope | undefined,
): Name[] {
  const unmet: Name[] = [];
  for (const { name, holds } of rules) if (holds(facts, scope) !== true) unmet.push(name);
  return unmet;
}

/** Throws the refusal of the first rule that does not allow the request. */
export function enforceRules<Facts>(rules: readonly Rule<Facts>[], facts: Facts, scope: Scope | undefined): void {
  const unmet = findUnmetRule(rules, facts, scope);
  if (unmet) throw unmet.code === 'not_found' ? problem('not_found') : refusal(unmet.code, scope, unmet.fix);
}

export interface RuleResult<Name extends string = RuleName> {
  rule: Name;
  outcome: 'holds' | 'broken' | 'unknown';
  code: RefusalCode | 'not_found';
  /** The fix; null unless the rule is broken. */
  fix: string | null;
}

/** Evaluates each rule, also those after the first broken rule. */
export function evaluateRules<Facts, Name extends string>(
  rules: readonly Rule<Facts, Name>[],
  facts: Facts,
  scope: Scope | undefined,
): RuleResult<Name>[] {
  return rules.map(({ name, code, fix = PROBLEMS[code].fix, holds }) => {
    const says = holds(facts, scope);
    const outcome = says === undefined ? 'unknown' : says ? 'holds' : 'broken';
    return { rule: name, outcome, code, fix: outcome === 'broken' ? fix : null };
  });
}

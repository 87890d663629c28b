// Explains why a key may or may not call an operation in the current state: the result of each rule that applies to the
// call.

import {
  evaluateRules,
  findUnmetRule,
  GRANT_RULES,
  type GrantRow,
  KEY_RULES,
  KeyId,
  type KeyState,
  RESOURCE_RULES,
  type ResourceGrant,
  type RuleResult,
  SCOPE_RULES,
  SCOPES,
  type Scope,
  ScopeSchema,
  type ServerGrantRow,
} from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { namedObject, nullable, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';
import { ServerId } from '../../resources/servers/index.ts';

/** The maximum number of servers that are checked for a list. */
export const MAX_JUDGED_SERVERS = 1_000;

const RULES = [...KEY_RULES, ...SCOPE_RULES, ...GRANT_RULES, ...RESOURCE_RULES];
const ruleNames = RULES.map(({ name }) => name);
const codes = [...new Set(RULES.map(({ code }) => code))];
/** The number of rules of an operation that requires every scope. */
const MAX_RULES = KEY_RULES.length + SCOPES.length * (SCOPE_RULES.length + GRANT_RULES.length) + RESOURCE_RULES.length;
const RuleName = oneOf(ruleNames, 'The rule. Rules are listed in the order of their evaluation.');
const Code = oneOf(codes, 'The problem code of a request that breaks the rule.');

export const AccessExplanation = namedObject('AccessExplanation', 'The explanation of a request’s access.', {
  operationId: text('The identifier of the operation.', { maxLength: 100 }),
  keyId: nullable(KeyId),
  serverId: nullable(ServerId),
  scope: nullable({
    ...ScopeSchema,
    description: 'The scope of the first rule that is broken; otherwise the first scope that the operation requires.',
  }),
  resourceScope: nullable({
    ...ScopeSchema,
    description:
      'The scope of the resource of an event of `eventType`, which the server must authorise in addition to `events:read`. Null if this scope is not checked.',
  }),
  isAllowed: Type.Boolean({
    description: 'True if every rule holds. A list then returns the objects that are allowed.',
  }),
  code: nullable(oneOf(codes, 'The problem code that a request would get now; null if it is allowed.')),
  rules: Type.Array(
    namedObject('AccessRule', 'The result of one rule.', {
      rule: RuleName,
      scope: nullable({
        ...ScopeSchema,
        description: 'The scope that the rule concerns; null for a rule of the key or its app.',
      }),
      outcome: oneOf(
        ['holds', 'broken', 'unknown'],
        '`unknown`: the rule cannot be evaluated, because an earlier rule is broken.',
      ),
      code: Code,
      fix: nullable(text('The fix of a broken rule; null unless the rule is broken.', { maxLength: 500 })),
    }),
    {
      maxItems: MAX_RULES,
      description:
        'The rules of the operation, in the order of their evaluation. An operation with several scopes has the rules of each.',
    },
  ),
  omittedServers: nullable(
    Type.Array(
      namedObject('OmittedServer', 'A server that the list omits, and the first rule that it breaks.', {
        serverId: ServerId,
        serverName: text("The server's display name.", { maxLength: 100 }),
        scope: { ...ScopeSchema, description: 'The scope that the rule concerns.' },
        rule: RuleName,
        code: Code,
      }),
      {
        maxItems: MAX_JUDGED_SERVERS,
        description: `For a list over servers: the servers whose objects it omits, among the ${MAX_JUDGED_SERVERS} newest. Null for any other operation.`,
      },
    ),
  ),
  isComplete: Type.Boolean({ description: 'True if every server was checked.' }),
  notEvaluated: Type.Array(text('A further condition that can reject a request.', { maxLength: 200 }), {
    maxItems: 20,
    description: 'Conditions that the explanation does not check.',
  }),
});

const SIMULATION = 'Fault rules and the effects of `Sandbox-Simulate`.';
const CONDITIONS = [
  'The text of the key: it must be complete, belong to the environment, and not come from a browser.',
  'The client address, if the key has allowed address ranges.',
  'The rate limit of the key.',
  SIMULATION,
  'The format of the request, and the existence of the object in its path.',
];

/** The conditions that the explanation does not check, by environment. */
export const notEvaluated = {
  sandbox: CONDITIONS,
  production: CONDITIONS.filter((condition) => condition !== SIMULATION),
};

interface Facts {
  /** Undefined if the explanation does not include a key. */
  key: { found: (KeyState & { scopes: readonly Scope[] }) | undefined } | undefined;
  /** The grant of each scope, in the order of the scopes. Undefined if the operation does not depend on a server. */
  grants?: readonly (GrantRow | undefined)[] | undefined;
  /** Undefined if no scope of an event's resource applies. */
  resource?: { scope: Scope; found: ResourceGrant | undefined } | undefined;
}

/**
 * Evaluates the rules of requests in the order of the stages of a request: a key needs all scopes before the grant of any
 * scope is read. Pure function.
 */
export function explain(
  scopes: readonly Scope[],
  { key, grants, resource }: Facts,
): Pick<Static<typeof AccessExplanation>, 'scope' | 'isAllowed' | 'code' | 'rules'> {
  const [first = null] = scopes;
  const rules = [
    ...(key ? concerning(null, evaluateRules(KEY_RULES, key.found, scopes[0])) : []),
    ...scopes.flatMap((one) => (key ? concerning(one, evaluateRules(SCOPE_RULES, key.found?.scopes, one)) : [])),
    ...scopes.flatMap((one, index) => (grants ? concerning(one, evaluateRules(GRANT_RULES, grants[index], one)) : [])),
    ...(resource ? concerning(resource.scope, evaluateRules(RESOURCE_RULES, resource.found, resource.scope)) : []),
  ];
  const broken = rules.find(({ outcome }) => outcome !== 'holds');
  const scope = scopes.find((one) => one === broken?.scope) ?? first;
  return { scope, isAllowed: !broken, code: broken?.code ?? null, rules };
}

const concerning = (scope: Scope | null, results: readonly RuleResult[]) =>
  results.map((result) => ({ ...result, scope }));

/** The grants of a scope that a list requires. */
export interface ListedScope {
  scope: Scope;
  /** Newest first. Each scope has the same servers. */
  servers: readonly ServerGrantRow[];
  /** Undefined if no scope of an event's resource applies. */
  resource?: { scope: Scope; grants: ReadonlyMap<string, ResourceGrant> } | undefined;
}

/** Evaluates the rules for a list over servers, which has the objects of the servers that grant all scopes. */
export function explainList(listed: readonly ListedScope[]) {
  const grants = listed.map(({ servers, ...one }) => ({
    ...one,
    byServer: new Map(servers.map((server) => [server.server_id, server])),
  }));
  const servers = listed[0]?.servers ?? [];
  const omittedServers = servers.slice(0, MAX_JUDGED_SERVERS).flatMap(({ server_id, server_name }) => {
    const server = { serverId: toId('srv', server_id), serverName: server_name };
    for (const { scope, byServer, resource } of grants) {
      const unmet = findUnmetRule(GRANT_RULES, byServer.get(server_id), scope);
      if (unmet) return [{ ...server, scope, rule: unmet.name, code: unmet.code }];
      const ofResource = resource && findUnmetRule(RESOURCE_RULES, resource.grants.get(server_id), resource.scope);
      if (ofResource) return [{ ...server, scope: resource.scope, rule: ofResource.name, code: ofResource.code }];
    }
    return [];
  });
  return { omittedServers, isComplete: servers.length <= MAX_JUDGED_SERVERS };
}

export const NO_LIST_EXPLANATION = { omittedServers: null, isComplete: true };

const UNRESTRICTED = {
  is_over_cap: false,
  restriction: null,
  scope_restriction: null,
  upstream_state: null,
  upstream_scope_state: null,
};

export const exampleExplanation: Static<typeof AccessExplanation> = {
  operationId: 'createTicket',
  keyId: 'key_01j9z3v8k6e5t8m2n4p6q8r0s7',
  serverId: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2',
  resourceScope: null,
  ...explain(['tickets:create'], {
    key: {
      found: { state: 'active', isExpired: false, appStatus: 'active', scopes: ['servers:read', 'tickets:create'] },
    },
    grants: [{ installation_state: 'authorised', scope_state: 'paused', ...UNRESTRICTED }],
  }),
  ...NO_LIST_EXPLANATION,
  notEvaluated: notEvaluated.sandbox,
};

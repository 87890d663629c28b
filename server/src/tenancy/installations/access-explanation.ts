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
const RuleName = oneOf(ruleNames, 'The rule. Rules are listed in the order of their evaluation.');
const Code = oneOf(codes, 'The problem code of a request that breaks the rule.');

export const AccessExplanation = namedObject('AccessExplanation', 'The explanation of a request’s access.', {
  operationId: text('The identifier of the operation.', { maxLength: 100 }),
  keyId: nullable(KeyId),
  serverId: nullable(ServerId),
  scope: nullable(ScopeSchema),
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
      outcome: oneOf(
        ['holds', 'broken', 'unknown'],
        '`unknown`: the rule cannot be evaluated, because an earlier rule is broken.',
      ),
      code: Code,
      fix: nullable(text('The fix of a broken rule; null unless the rule is broken.', { maxLength: 500 })),
    }),
    { maxItems: 30, description: 'The rules of the operation, in the order of their evaluation.' },
  ),
  omittedServers: nullable(
    Type.Array(
      namedObject('OmittedServer', 'A server that the list omits, and the first rule that it breaks.', {
        serverId: ServerId,
        serverName: text("The server's display name.", { maxLength: 100 }),
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
  /** Undefined if the operation does not depend on a server. */
  grant: { found: GrantRow | undefined } | undefined;
  /** Undefined if no scope of an event's resource applies. */
  resource?: { scope: Scope; found: ResourceGrant | undefined } | undefined;
}

/** Evaluates the rules of requests in the order of the stages of a request. Pure function. */
export function explain(
  scope: Scope | undefined,
  { key, grant, resource }: Facts,
): Pick<Static<typeof AccessExplanation>, 'isAllowed' | 'code' | 'rules'> {
  const scoped = scope === undefined ? undefined : key;
  const broken =
    (key && findUnmetRule(KEY_RULES, key.found, scope)) ??
    (scoped && findUnmetRule(SCOPE_RULES, scoped.found?.scopes, scope)) ??
    (grant && findUnmetRule(GRANT_RULES, grant.found, scope)) ??
    (resource && findUnmetRule(RESOURCE_RULES, resource.found, resource.scope));
  const rules: RuleResult[] = [
    ...(key ? evaluateRules(KEY_RULES, key.found, scope) : []),
    ...(scoped ? evaluateRules(SCOPE_RULES, scoped.found?.scopes, scope) : []),
    ...(grant ? evaluateRules(GRANT_RULES, grant.found, scope) : []),
    ...(resource ? evaluateRules(RESOURCE_RULES, resource.found, resource.scope) : []),
  ];
  return { isAllowed: !broken, code: broken?.code ?? null, rules };
}

/**
 * Evaluates the rules for a list over servers. `resources` contains the grants of the scope of an event's resource by
 * server. Without it no such scope is checked.
 */
export function explainList(
  scope: Scope,
  servers: readonly ServerGrantRow[],
  resources?: ReadonlyMap<string, ResourceGrant>,
) {
  const judged = servers.slice(0, MAX_JUDGED_SERVERS);
  const omittedServers = judged.flatMap((server) => {
    const broken =
      findUnmetRule(GRANT_RULES, server, scope) ??
      (resources && findUnmetRule(RESOURCE_RULES, resources.get(server.server_id), scope));
    if (!broken) return [];
    const serverId = toId('srv', server.server_id);
    return [{ serverId, serverName: server.server_name, rule: broken.name, code: broken.code }];
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
  scope: 'tickets:create',
  resourceScope: null,
  ...explain('tickets:create', {
    key: {
      found: { state: 'active', isExpired: false, appStatus: 'active', scopes: ['servers:read', 'tickets:create'] },
    },
    grant: { found: { installation_state: 'authorised', scope_state: 'paused', ...UNRESTRICTED } },
  }),
  ...NO_LIST_EXPLANATION,
  notEvaluated: notEvaluated.sandbox,
};

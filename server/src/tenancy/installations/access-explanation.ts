// Explains why a key may or may not call an operation in the current state: the result of each rule that applies to the
// call.

import {
  askRules,
  type Finding,
  firstBroken,
  GRANT_RULES,
  type GrantRow,
  KEY_RULES,
  KeyId,
  type KeyState,
  RESOURCE_RULES,
  type ResourceGrant,
  SCOPE_RULES,
  type Scope,
  ScopeSchema,
  type ServerGrantRow,
} from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { closed, named, nullable, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';
import { ServerId } from '../../resources/servers/index.ts';

/** The properties of an operation of /v1 that determine its access rules. */
export interface ExplainedOperation {
  id: string;
  scope: Scope | undefined;
  /** How the operation refers to a server: in its path, optionally in its query, or as a list over all servers. */
  server: 'in_path' | 'in_query' | 'each' | 'none';
}

/** The maximum number of servers that are checked for a list. */
export const MAX_JUDGED_SERVERS = 1_000;

const RULES = [...KEY_RULES, ...SCOPE_RULES, ...GRANT_RULES, ...RESOURCE_RULES];
const ruleNames = RULES.map(({ name }) => name);
const codes = [...new Set(RULES.map(({ code }) => code))];
const RuleName = oneOf(ruleNames, 'The rule, in the order in which a request meets them.');
const Code = oneOf(codes, 'The problem that a request is answered which breaks it.');

export const AccessExplanation = named(
  'AccessExplanation',
  closed(
    {
      operationId: text('The operation.', { maxLength: 100 }),
      keyId: nullable(KeyId),
      serverId: nullable(ServerId),
      scope: nullable(ScopeSchema),
      resourceScope: nullable({
        ...ScopeSchema,
        description:
          'Of an event of `eventType`: the scope of its resource, which the server must authorise as well as `events:read`. Null where it is not judged.',
      }),
      isAllowed: Type.Boolean({
        description: 'Whether every rule holds: a list is then answered, with what is allowed.',
      }),
      code: nullable(oneOf(codes, 'What a request would be answered now; null when it is allowed.')),
      rules: Type.Array(
        named(
          'AccessRule',
          closed(
            {
              rule: RuleName,
              outcome: oneOf(
                ['holds', 'broken', 'unknown'],
                'Unknown where there is nothing to ask it of, because an earlier rule is broken.',
              ),
              code: Code,
              mend: nullable(text('What would mend it; null unless it is broken.', { maxLength: 500 })),
            },
            { description: 'What one rule says.' },
          ),
        ),
        { maxItems: 30, description: 'Every rule that the operation is subject to, in their order.' },
      ),
      leftOut: nullable(
        Type.Array(
          named(
            'LeftOutServer',
            closed(
              {
                serverId: ServerId,
                serverName: text("The server's display name.", { maxLength: 100 }),
                rule: RuleName,
                code: Code,
              },
              { description: 'A server that the list leaves out, and the first rule that it breaks.' },
            ),
          ),
          {
            maxItems: MAX_JUDGED_SERVERS,
            description: `Of a list over servers: those whose objects it leaves out, among the ${MAX_JUDGED_SERVERS} newest. Null for any other operation.`,
          },
        ),
      ),
      areAllJudged: Type.Boolean({ description: 'Whether there are no more servers than those that were looked at.' }),
      notJudged: Type.Array(text('Something else that may refuse a request.', { maxLength: 200 }), {
        maxItems: 20,
        description: 'What is not part of this.',
      }),
    },
    { description: 'Why a request would be allowed now, or refused.' },
  ),
);

const NOT_JUDGED = [
  'Whether the text of the key is sent, whole, to the environment that it belongs to, and not from a browser.',
  'Whether it comes from an address that the key allows, where the key names some.',
  'The rate limit of the key.',
  'Faults and what `Sandbox-Simulate` asks for.',
  'The form of the request, and whether the object that its path names is there.',
];

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
    (key && firstBroken(KEY_RULES, key.found, scope)) ??
    (scoped && firstBroken(SCOPE_RULES, scoped.found?.scopes, scope)) ??
    (grant && firstBroken(GRANT_RULES, grant.found, scope)) ??
    (resource && firstBroken(RESOURCE_RULES, resource.found, resource.scope));
  const rules: Finding[] = [
    ...(key ? askRules(KEY_RULES, key.found, scope) : []),
    ...(scoped ? askRules(SCOPE_RULES, scoped.found?.scopes, scope) : []),
    ...(grant ? askRules(GRANT_RULES, grant.found, scope) : []),
    ...(resource ? askRules(RESOURCE_RULES, resource.found, resource.scope) : []),
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
  const leftOut = judged.flatMap((server) => {
    const broken =
      firstBroken(GRANT_RULES, server, scope) ??
      (resources && firstBroken(RESOURCE_RULES, resources.get(server.server_id), scope));
    if (!broken) return [];
    const serverId = toId('srv', server.server_id);
    return [{ serverId, serverName: server.server_name, rule: broken.name, code: broken.code }];
  });
  return { leftOut, areAllJudged: servers.length <= MAX_JUDGED_SERVERS };
}

export const WITHOUT_LIST = { leftOut: null, areAllJudged: true };
export const notJudged = [...NOT_JUDGED];

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
      found: { state: 'active', isExpired: false, appStanding: 'active', scopes: ['servers:read', 'tickets:create'] },
    },
    grant: { found: { installation_state: 'authorised', scope_state: 'paused', ...UNRESTRICTED } },
  }),
  ...WITHOUT_LIST,
  notJudged,
};

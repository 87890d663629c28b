// Names the scope and the server of a refused request, and offers the next step: a key with the scope, or the
// installation.
import { Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import { type AccessExplanation, type AppScope, api, defined, type Key, type Scope } from '../../kit/api.ts';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { shorten } from '../../kit/shorten.ts';
import { toAccessSearch } from '../../tenancy/installations/search.ts';
import { useInstallations } from '../../tenancy/installations/use-installations.ts';
import { GenerateKey } from '../../tenancy/keys/generate-key.tsx';

/** Problems that concern a scope, with the state of the grant. */
const GRANT_STATES = {
  missing_scope: undefined,
  scope_not_authorised: 'not authorised',
  installation_paused: 'paused',
  installation_revoked: 'revoked',
} as const;

type ScopeProblem = keyof typeof GRANT_STATES;

export const isScopeProblem = (code: string | null): code is ScopeProblem =>
  code !== null && Object.hasOwn(GRANT_STATES, code);

interface ScopeRefusalProps {
  scope: AppScope;
  /** The key of the request, if it is known. */
  known: Key | undefined;
  code: ScopeProblem;
  /** The request; a refused trial has the same parts. */
  request: { operationId: string | null; keyId: string | null; serverId: string | null };
}

export function ScopeRefusal({ scope, known, code, request }: ScopeRefusalProps): ReactNode {
  const { operation: operationId } = toAccessSearch({ operation: request.operationId });
  const ids = defined({ keyId: request.keyId ?? undefined, serverId: request.serverId ?? undefined });
  const { data } = useQuery({
    queryKey: [...queryKeys.installations(scope), 'access', operationId, ids],
    queryFn: ({ signal }) => (operationId ? api.explainAccess({ ...scope, operationId, ...ids }, { signal }) : null),
    staleTime: 0, // the answer is about the current state
  });
  if (!data?.scope) return null;
  if (code === 'missing_scope') return <MissingScope scope={scope} missing={data.scope} known={known} />;
  return request.serverId === null ? null : (
    <GrantNote scope={scope} code={code} explanation={data} serverId={request.serverId} />
  );
}

interface MissingScopeProps {
  scope: AppScope;
  missing: Scope;
  known: Key | undefined;
}

function MissingScope({ scope, missing, known }: MissingScopeProps): ReactNode {
  const role = useMembership(scope.organisationId)?.role;
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <Group gap="xs" justify="space-between">
      <Text>
        {known ? `The key “${known.name}”` : 'The key'} does not have the scope <strong>{missing}</strong>.
      </Text>
      <GuardedButton
        role={role}
        action={IS_PRODUCTION ? 'production_keys.create' : 'keys.create'}
        variant="default"
        size="xs"
        onClick={dialog.open}
      >
        Generate a key with {missing}
      </GuardedButton>
      {isOpen && (
        <GenerateKey
          scope={scope}
          initial={{
            name: known?.name ?? '',
            scopes: [...new Set([...(known?.scopes ?? []), missing])],
            allowedCidrs: known?.allowedCidrs ?? null,
          }}
          onClose={dialog.close}
        />
      )}
    </Group>
  );
}

interface GrantNoteProps {
  scope: AppScope;
  code: Exclude<ScopeProblem, 'missing_scope'>;
  explanation: AccessExplanation;
  serverId: string;
}

function GrantNote({ scope, code, explanation, serverId }: GrantNoteProps): ReactNode {
  const servers = useInstallations(scope).items ?? [];
  const server = servers.find((one) => one.serverId === serverId)?.serverName ?? shorten(serverId);
  return (
    <Text style={{ overflowWrap: 'anywhere' }}>
      {describeGrant(explanation, code, server)}{' '}
      <AnchorLink
        to="/in/$organisationId/apps/$appId/installations"
        params={scope}
        search={{ server: serverId }}
        inherit
        underline="always"
      >
        Open the installation
      </AnchorLink>
    </Text>
  );
}

/** Describes the current state, which can have changed since the request. */
function describeGrant(
  { rules, scope }: Pick<AccessExplanation, 'rules' | 'scope'>,
  code: Exclude<ScopeProblem, 'missing_scope'>,
  server: string,
): string {
  const broken = rules.find((one) => one.outcome === 'broken' && one.code === code);
  if (!broken) return `The request needed the scope ${scope} on ${server}. The state of this access has changed since.`;
  if (broken.rule === 'installation_within_cap') return `The app has reached its server limit, so ${server} is paused.`;
  const isScope = broken.rule.startsWith('scope_');
  const by = broken.rule.endsWith('_by_organisation') ? ' by your organisation' : '';
  const subject = isScope ? `The scope ${broken.scope} is` : 'The whole installation is';
  return `${subject} ${GRANT_STATES[code]}${by} on ${server}.`;
}

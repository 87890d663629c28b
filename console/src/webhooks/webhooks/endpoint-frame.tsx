// Layout of an endpoint's pages: breadcrumbs, address, state, and loading states.
import { Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import type { AppScope, Endpoint, Role } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { isNotFound } from '../../kit/problem-text.ts';
import { APP_ROUTE, useAppScope } from '../../kit/use-app-scope.ts';
import { useTitle } from '../../kit/use-title.ts';
import { NotFound } from '../../shell/frame/not-found.tsx';
import { useApp } from '../../tenancy/apps/use-app.ts';
import { EndpointState } from './endpoint-state.tsx';
import { useEndpoint } from './use-endpoints.ts';

const WEBHOOKS_PATH = '/in/$organisationId/apps/$appId/webhooks';
export const ENDPOINT_PATH = `${WEBHOOKS_PATH}/endpoints/$endpointId` as const;
export const ENDPOINT_ROUTE = `${APP_ROUTE}/webhooks/endpoints/$endpointId` as const;

export interface EndpointContext {
  scope: AppScope;
  endpoint: Endpoint;
  role: Role | undefined;
}

/** Props of a dialog about an endpoint. */
export type EndpointDialogProps = Pick<EndpointContext, 'scope' | 'endpoint'> & { onClose: () => void };

interface EndpointFrameProps {
  endpointId: string;
  /** Name of a page below the endpoint's page. */
  section?: string;
  actions?: (context: EndpointContext) => ReactNode;
  children: (context: EndpointContext) => ReactNode;
}

export function EndpointFrame({ endpointId, section, actions, children }: EndpointFrameProps): ReactNode {
  const scope = useAppScope();
  const role = useMembership(scope.organisationId)?.role;
  const { data, error, refetch } = useEndpoint(scope, endpointId);
  useTitle(section, data?.url ?? 'Endpoint', useApp(scope).data?.name);
  if (isNotFound(error)) return <NotFound noun="endpoint" />;
  const context = data && { scope, endpoint: data, role };
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Breadcrumbs separatorMargin={6} styles={{ breadcrumb: { lineHeight: 1.4 } }}>
          <AnchorLink to={WEBHOOKS_PATH} params={scope} search={{}}>
            Webhooks
          </AnchorLink>
          {section === undefined ? (
            <Text>Endpoint</Text>
          ) : (
            <AnchorLink to={ENDPOINT_PATH} params={{ ...scope, endpointId }}>
              Endpoint
            </AnchorLink>
          )}
          {section !== undefined && <Text>{section}</Text>}
        </Breadcrumbs>
        {context && (
          <Group justify="space-between" align="flex-start" gap="sm">
            <EndpointHead endpoint={context.endpoint} />
            <Group gap="xs">{actions?.(context)}</Group>
          </Group>
        )}
      </Stack>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsSkeleton rows={6} />}
      {context && children(context)}
    </Stack>
  );
}

function EndpointHead({ endpoint }: { endpoint: Endpoint }): ReactNode {
  return (
    <Stack gap={4} miw={0}>
      <Group gap="xs">
        <Title order={2} fz={17} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {endpoint.url}
        </Title>
        <EndpointState endpoint={endpoint} />
      </Group>
      {endpoint.description !== '' && <Text>{endpoint.description}</Text>}
      <Text component="span" c="dimmed">
        <CopyId value={endpoint.id} label="endpoint id" />
      </Text>
    </Stack>
  );
}

// Summary of an app: requests and durations of the last day, its endpoints, and the keys that expire next.
import { Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { RequestHistogram } from '../../inspector/requests/histogram.tsx';
import type { AppScope, Endpoint } from '../../kit/api.ts';
import { ButtonLink } from '../../kit/links.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { EndpointTable } from '../../webhooks/webhooks/endpoint-table.tsx';
import { useEndpoints } from '../../webhooks/webhooks/use-endpoints.ts';
import { ExpiringKeys } from '../keys/expiring-keys.tsx';
import { useKeys } from '../keys/use-keys.ts';

const REQUESTS = '/in/$organisationId/apps/$appId/requests';
const NO_FILTERS = {};

export function RecentActivity({ scope }: { scope: AppScope }): ReactNode {
  const navigate = useNavigate();
  const keys = useKeys(scope);
  return (
    <Stack>
      <RecentActivityHead scope={scope} />
      <RequestHistogram
        scope={scope}
        search={NO_FILTERS}
        filters={NO_FILTERS}
        isLive
        onNarrow={(time) => void navigate({ to: REQUESTS, params: scope, search: time })}
      />
      <RecentDeliveries scope={scope} />
      <ExpiringKeys scope={scope} keys={keys.items ?? []} hasMore={keys.hasNextPage} />
    </Stack>
  );
}

const SHOWN_ENDPOINTS = 5;

/** The endpoints with their success rates, failing ones first. Renders nothing without endpoints. */
function RecentDeliveries({ scope }: { scope: AppScope }): ReactNode {
  const list = useEndpoints(scope);
  const endpoints = list.items ?? [];
  const count = list.hasNextPage ? '' : `${endpoints.length} `;
  if (endpoints.length === 0) return null;
  const isFailing = ({ health }: Endpoint): boolean => health.failingSince !== null;
  const shown = endpoints.toSorted((a, b) => Number(isFailing(b)) - Number(isFailing(a))).slice(0, SHOWN_ENDPOINTS);
  return (
    <Stack gap="xs">
      <SectionHead
        title="Deliveries by endpoint"
        order={3}
        action={
          <ButtonLink
            to="/in/$organisationId/apps/$appId/webhooks"
            params={scope}
            search={{}}
            variant="default"
            size="xs"
          >
            {shown.length < endpoints.length || list.hasNextPage ? `All ${count}endpoints` : 'All deliveries'}
          </ButtonLink>
        }
      />
      <Panel>
        <EndpointTable scope={scope} endpoints={shown} />
      </Panel>
    </Stack>
  );
}

export function RecentActivityHead({ scope }: { scope: AppScope }): ReactNode {
  return (
    <SectionHead
      title="The last 24 hours"
      action={
        <ButtonLink to={REQUESTS} params={scope} search={{}} variant="default" size="xs">
          All requests
        </ButtonLink>
      }
    >
      Every call with a key of this app. Select a bar to see its requests.
    </SectionHead>
  );
}

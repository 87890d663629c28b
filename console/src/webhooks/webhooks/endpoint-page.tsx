// Page of one endpoint: health, deliveries, settings and signing secret.
import { SimpleGrid } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { AttemptCharts } from './attempt-charts.tsx';
import { DeleteEndpoint } from './delete-endpoint.tsx';
import { Deliveries } from './deliveries.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { ENDPOINT_PATH, ENDPOINT_ROUTE, type EndpointContext, EndpointFrame } from './endpoint-frame.tsx';
import { EndpointHealth } from './endpoint-health.tsx';
import { EndpointSettings } from './endpoint-settings.tsx';
import { KeysEndWarning } from './endpoint-state.tsx';
import { EndpointSwitch } from './endpoint-switch.tsx';
import { RedeliverFailed } from './redeliver-failed.tsx';
import { SendTest } from './send-test.tsx';
import { SigningSecret } from './signing-secret.tsx';
import { VersionPreview } from './version-preview.tsx';

const route = getRouteApi(ENDPOINT_ROUTE);

export function EndpointPage(): ReactNode {
  const { endpointId } = route.useParams();
  return (
    <EndpointFrame endpointId={endpointId} actions={(context) => <EndpointActions {...context} />}>
      {(context) => (
        <>
          <KeysEndWarning endpoint={context.endpoint} />
          <EndpointHealth {...context} />
          <AttemptCharts {...context} />
          <EndpointDeliveries {...context} />
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <SigningSecret {...context} />
            <SendTest {...context} />
          </SimpleGrid>
          <EndpointSettings {...context} />
          <VersionPreview {...context} />
        </>
      )}
    </EndpointFrame>
  );
}

function EndpointDeliveries({ scope, endpoint }: EndpointContext): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <Deliveries
        scope={scope}
        search={search}
        endpointId={endpoint.id}
        onChange={({ endpoint: _, ...next }) =>
          void navigate({
            search: { ...next, ...(search.charts && { charts: search.charts }) },
            replace: true,
            resetScroll: false,
          })
        }
      />
      <DeliveryDrawer
        scope={scope}
        deliveryId={search.delivery}
        onClose={() => void navigate({ search: ({ delivery: _, ...rest }) => rest, resetScroll: false })}
      />
    </>
  );
}

function EndpointActions({ scope, endpoint, role }: EndpointContext): ReactNode {
  const [isDeleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const params = { ...scope, endpointId: endpoint.id };
  const to = '/in/$organisationId/apps/$appId/webhooks';
  return (
    <>
      <RedeliverFailed scope={scope} endpoint={endpoint} role={role} />
      <ButtonLink to={`${ENDPOINT_PATH}/drill`} params={params} search={{}} variant="default" size="xs">
        Receiver drill
      </ButtonLink>
      <ButtonLink to={`${ENDPOINT_PATH}/signature`} params={params} variant="default" size="xs">
        Signature diagnosis
      </ButtonLink>
      <EndpointSwitch scope={scope} endpoint={endpoint} role={role} />
      <GuardedButton
        role={role}
        action="endpoints.change"
        variant="default"
        size="xs"
        onClick={() => setDeleting(true)}
      >
        Delete
      </GuardedButton>
      {isDeleting && (
        <DeleteEndpoint
          scope={scope}
          endpoint={endpoint}
          onDeleted={() => void navigate({ to, params: scope, search: {} })}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}

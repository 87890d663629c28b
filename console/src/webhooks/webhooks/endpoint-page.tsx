// Page of one endpoint, with its views: health, deliveries, settings and tests.
import { Stack, Tabs } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { AttemptCharts } from './attempt-charts.tsx';
import { DeleteEndpoint } from './delete-endpoint.tsx';
import { Deliveries } from './deliveries.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { ENDPOINT_PATH, ENDPOINT_ROUTE, type EndpointContext, EndpointFrame } from './endpoint-frame.tsx';
import { DisabledNote, EndpointHealth } from './endpoint-health.tsx';
import { EndpointSettings } from './endpoint-settings.tsx';
import { KeysEndWarning } from './endpoint-state.tsx';
import { EndpointSwitch } from './endpoint-switch.tsx';
import { RedeliverFailed } from './redeliver-failed.tsx';
import { type EndpointView, endpointViewOf, toEndpointSearch } from './search.ts';
import { SendTest } from './send-test.tsx';
import { SigningSecret } from './signing-secret.tsx';
import { VersionPreview } from './version-preview.tsx';

const route = getRouteApi(ENDPOINT_ROUTE);

const VIEW_LABELS: Readonly<Record<EndpointView, string>> = {
  overview: 'Overview',
  deliveries: 'Deliveries',
  settings: 'Settings',
  test: 'Test',
};

export function EndpointPage(): ReactNode {
  const { endpointId } = route.useParams();
  return (
    <EndpointFrame endpointId={endpointId} actions={(context) => <EndpointActions {...context} />}>
      {(context) => (
        <>
          <DisabledNote endpoint={context.endpoint} />
          <KeysEndWarning endpoint={context.endpoint} />
          <EndpointViews {...context} />
        </>
      )}
    </EndpointFrame>
  );
}

function EndpointViews(context: EndpointContext): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const view = endpointViewOf(search);
  const [hasSettings, setHasSettings] = useState(view === 'settings');
  if (view === 'settings' && !hasSettings) setHasSettings(true);
  return (
    <>
      <Tabs
        value={view}
        keepMounted={false}
        onChange={(next) => void navigate({ search: toEndpointSearch({ view: next, charts: search.charts }) })}
      >
        <Tabs.List aria-label="Views of the endpoint" mb="lg">
          {Object.entries(VIEW_LABELS).map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <Stack gap="lg">
            <EndpointHealth {...context} />
            <AttemptCharts {...context} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="deliveries">
          <EndpointDeliveries {...context} />
        </Tabs.Panel>
        {/* Changes that are not saved survive a look at another view. */}
        <Tabs.Panel value="settings" keepMounted={hasSettings}>
          <Stack gap="lg">
            <EndpointSettings {...context} />
            <SigningSecret {...context} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="test">
          <Stack gap="lg">
            <SendTest {...context} />
            <VersionPreview {...context} />
          </Stack>
        </Tabs.Panel>
      </Tabs>
      <DeliveryDrawer
        scope={context.scope}
        deliveryId={search.delivery}
        onClose={() =>
          void navigate({ search: toEndpointSearch({ ...search, view, delivery: undefined }), resetScroll: false })
        }
      />
    </>
  );
}

function EndpointDeliveries({ scope, endpoint }: EndpointContext): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Deliveries
      scope={scope}
      search={search}
      endpointId={endpoint.id}
      onChange={(next) =>
        void navigate({
          search: toEndpointSearch({ ...next, view: 'deliveries', charts: search.charts }),
          replace: true,
          resetScroll: false,
        })
      }
    />
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

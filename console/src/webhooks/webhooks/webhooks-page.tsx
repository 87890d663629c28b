// Webhooks: the endpoints, and every delivery with its attempts.
import { Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { HiddenUntilKnown } from '../../kit/list-states.tsx';
import { APP_ROUTE, useAppScope } from '../../kit/use-app-scope.ts';
import { useTitle } from '../../kit/use-title.ts';
import { useApp } from '../../tenancy/apps/use-app.ts';
import { Deliveries } from './deliveries.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { Endpoints } from './endpoints.tsx';
import { useEndpoints } from './use-endpoints.ts';

const route = getRouteApi(`${APP_ROUTE}/webhooks`);

export function WebhooksPage(): ReactNode {
  const scope = useAppScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { isPending } = useEndpoints(scope);
  useTitle('Webhooks', useApp(scope).data?.name);
  return (
    <Stack gap="lg">
      <Endpoints scope={scope} />
      <HiddenUntilKnown isKnown={!isPending}>
        <Deliveries
          scope={scope}
          search={search}
          onChange={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
        />
      </HiddenUntilKnown>
      <DeliveryDrawer
        scope={scope}
        deliveryId={search.delivery}
        onClose={() => void navigate({ search: ({ delivery: _, ...rest }) => rest, resetScroll: false })}
      />
    </Stack>
  );
}

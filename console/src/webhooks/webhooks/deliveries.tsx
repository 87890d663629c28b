// Lists the deliveries of the app under the filters of the address, and follows changes.
import { Button, Group, Pill, Stack } from '@mantine/core';
import { IconFilterOff, IconSend } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type AppScope, api, type Delivery, defined } from '../../kit/api.ts';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { FilterSelect } from '../../kit/filter-select.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { shorten } from '../../kit/shorten.ts';
import { toFeedName } from '../../kit/use-live-refresh.ts';
import { usePages } from '../../kit/use-pages.ts';
import { DeliveryTable } from './delivery-table.tsx';
import { DELIVERY_STATUSES, toWebhooksSearch, type WebhooksSearch } from './search.ts';
import { useEndpoints } from './use-endpoints.ts';

interface DeliveriesProps {
  scope: AppScope;
  search: WebhooksSearch;
  onChange: (search: WebhooksSearch) => void;
}

export function Deliveries({ scope, search, onChange }: DeliveriesProps): ReactNode {
  const filters = defined({ status: search.status, endpointId: search.endpoint, redeliveryId: search.redelivery });
  const deliveries = usePages<Delivery>({
    queryKey: [...queryKeys.deliveries(scope), 'pages', filters],
    load: (cursor, signal) => api.listDeliveries({ ...scope, ...filters, limit: 25, ...cursor }, { signal }),
    read: (limit = 25) => toFeedName('listDeliveries', { ...scope, ...filters, limit }),
  });
  const isEmpty = deliveries.items?.length === 0;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Stack>
      <SectionHead
        title="Deliveries"
        action={
          <ButtonLink
            to="/in/$organisationId/apps/$appId/webhooks/redeliveries"
            params={scope}
            search={search.endpoint === undefined ? {} : { endpoint: search.endpoint }}
            variant="default"
          >
            Redeliver many
          </ButtonLink>
        }
      >
        Every delivery of an event to an endpoint. Held, cancelled and skipped deliveries show their reason.
      </SectionHead>
      <DeliveryFilters scope={scope} search={search} onChange={onChange} />
      {deliveries.error && <ProblemAlert error={deliveries.error} onRetry={() => void deliveries.refetch()} />}
      {deliveries.isPending && <RowsSkeleton rows={5} height={14} />}
      {isEmpty && isFiltered && (
        <EmptyList icon={<IconFilterOff aria-hidden />} title="No delivery matches these filters">
          Select another status or endpoint, or clear the filters.
        </EmptyList>
      )}
      {isEmpty && !isFiltered && <NoDeliveries scope={scope} />}
      {deliveries.items && !isEmpty && (
        <Panel>
          <DeliveryTable deliveries={deliveries.items} scope={scope} search={search} />
          <LoadMore {...deliveries} />
        </Panel>
      )}
    </Stack>
  );
}

function NoDeliveries({ scope }: { scope: AppScope }): ReactNode {
  const [endpoint] = useEndpoints(scope).items ?? [];
  const alternative = IS_PRODUCTION
    ? 'wait for an event on a server that authorises the app'
    : 'create a ticket through the API';
  return (
    <EmptyList
      icon={<IconSend aria-hidden />}
      title="No deliveries yet"
      action={
        endpoint && (
          <ButtonLink
            to="/in/$organisationId/apps/$appId/webhooks/endpoints/$endpointId"
            params={{ ...scope, endpointId: endpoint.id }}
            variant="default"
          >
            Send a test event
          </ButtonLink>
        )
      }
    >
      {endpoint
        ? `Send a test event on the page of the endpoint, or ${alternative}. The delivery then appears here.`
        : `Add an endpoint first, then ${alternative}. The delivery of its event then appears here.`}
    </EmptyList>
  );
}

function DeliveryFilters({ scope, search, onChange }: DeliveriesProps): ReactNode {
  const endpoints = useEndpoints(scope).items ?? [];
  const { endpoint, redelivery, delivery } = search;
  const isUnknown = endpoint !== undefined && !endpoints.some((one) => one.id === endpoint);
  const set = (part: Partial<Record<keyof WebhooksSearch, string | null>>): void =>
    onChange(toWebhooksSearch({ ...search, ...part }));
  return (
    <Group gap="xs" role="search" aria-label="Filters">
      <FilterSelect
        aria-label="Status"
        placeholder="Any status"
        w={150}
        data={[...DELIVERY_STATUSES]}
        value={search.status ?? null}
        onChange={(status) => set({ status })}
      />
      <FilterSelect
        aria-label="Endpoint"
        placeholder="Any endpoint"
        searchable
        w={300}
        data={[
          ...endpoints.map((one) => ({ value: one.id, label: one.url })),
          ...(isUnknown ? [{ value: endpoint, label: endpoint }] : []),
        ]}
        value={endpoint ?? null}
        onChange={(value) => set({ endpoint: value })}
      />
      {redelivery !== undefined && (
        <Pill
          size="md"
          withRemoveButton
          removeButtonProps={{ 'aria-label': 'Show deliveries of other redeliveries too' }}
          onRemove={() => set({ redelivery: null })}
        >
          Created by the redelivery {shorten(redelivery)}
        </Pill>
      )}
      {(search.status ?? endpoint ?? redelivery) !== undefined && (
        <Button variant="subtle" size="xs" onClick={() => onChange(toWebhooksSearch({ delivery }))}>
          Clear
        </Button>
      )}
    </Group>
  );
}

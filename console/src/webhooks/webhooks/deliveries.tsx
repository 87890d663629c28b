// Lists deliveries under the filters of the address, and follows changes: of the app, or of one endpoint.
import { Button, Group, Pill, Stack } from '@mantine/core';
import { IconFilterOff, IconSend, IconZoomScan } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EventTypeFilter } from '../../inspector/events/event-type-filter.tsx';
import { TimeFilter } from '../../inspector/requests/time-filter.tsx';
import { SavedViews } from '../../inspector/saved-views/saved-views.tsx';
import { type AppScope, api, type Delivery } from '../../kit/api.ts';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { FilterSelect } from '../../kit/filter-select.tsx';
import { FilterText } from '../../kit/filter-text.tsx';
import { HALF_ROW } from '../../kit/filter-width.ts';
import { ButtonLink } from '../../kit/links.tsx';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { ListSteps } from '../../kit/list-steps.tsx';
import { LoadOlder } from '../../kit/load-older.tsx';
import { OWN_CONTRACT } from '../../kit/own-contract.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { shorten } from '../../kit/shorten.ts';
import { useItems } from '../../kit/use-all-pages.ts';
import { toFeedName } from '../../kit/use-live-refresh.ts';
import { usePages } from '../../kit/use-pages.ts';
import { useDeliveryFilters } from './delivery-filters.ts';
import { DeliveryTable } from './delivery-table.tsx';
import { ENDPOINT_PATH } from './endpoint-frame.tsx';
import { DELIVERY_FILTERS, toDeliveriesSearch, toDelivery, toWebhooksSearch, type WebhooksSearch } from './search.ts';
import { useEndpoints } from './use-endpoints.ts';

interface DeliveriesProps {
  scope: AppScope;
  search: WebhooksSearch;
  onChange: (search: WebhooksSearch) => void;
  /** The endpoint of the page. Undefined: the deliveries of all endpoints, with a filter for one. */
  endpointId?: string;
}

export function Deliveries({ scope, search, onChange, endpointId }: DeliveriesProps): ReactNode {
  const filters = useDeliveryFilters(endpointId === undefined ? search : { ...search, endpoint: endpointId });
  const deliveries = usePages<Delivery>({
    queryKey: [...queryKeys.deliveries(scope), 'pages', filters],
    load: (cursor, signal) => api.listDeliveries({ ...scope, ...filters, limit: 25, ...cursor }, { signal }),
    read: (limit = 25) => toFeedName('listDeliveries', { ...scope, ...filters, limit }),
  });
  const navigate = useNavigate();
  const isEmpty = deliveries.items?.length === 0;
  const { endpointId: ofEndpoint, ...others } = filters;
  const isFiltered = Object.keys(endpointId === undefined ? filters : others).length > 0;
  return (
    <Stack gap="sm" role="region" aria-label="Deliveries">
      <SectionHead
        title="Deliveries"
        order={endpointId === undefined ? 2 : 3}
        action={
          <ButtonLink
            to="/in/$organisationId/apps/$appId/webhooks/redeliveries"
            params={scope}
            search={ofEndpoint === undefined ? {} : { endpoint: ofEndpoint }}
            variant="default"
            size="xs"
          >
            Redeliver many
          </ButtonLink>
        }
      />
      <DeliveryFilters scope={scope} search={search} onChange={onChange} isOfEndpoint={endpointId !== undefined} />
      <ListSteps
        noun="delivery"
        rows={deliveries.items}
        openId={search.delivery}
        describe={({ eventType, status }) => `${eventType ?? 'no longer kept'}, ${status}`}
        onOpen={(id) => void navigate(toDelivery(id))}
        onEnd={() => deliveries.hasNextPage && void deliveries.fetchNextPage()}
      />
      {deliveries.error && <ProblemAlert error={deliveries.error} onRetry={() => void deliveries.refetch()} />}
      {deliveries.isPending && <RowsSkeleton rows={5} height={14} />}
      {isEmpty && deliveries.hasNextPage && (
        <EmptyList
          icon={<IconZoomScan aria-hidden />}
          title="None so far"
          action={<LoadMore {...deliveries} label="Search further back" />}
        >
          Older deliveries have not been searched yet.
        </EmptyList>
      )}
      {isEmpty && isFiltered && !deliveries.hasNextPage && (
        <EmptyList icon={<IconFilterOff aria-hidden />} title="No delivery matches these filters">
          Select other filters, or clear them.
        </EmptyList>
      )}
      {isEmpty && !isFiltered && <NoDeliveries scope={scope} endpointId={endpointId} />}
      {deliveries.items && !isEmpty && (
        <Panel>
          <DeliveryTable
            deliveries={deliveries.items}
            openId={search.delivery}
            isOfEndpoint={endpointId !== undefined}
          />
          <LoadMore {...deliveries} />
        </Panel>
      )}
    </Stack>
  );
}

function NoDeliveries({ scope, endpointId }: { scope: AppScope; endpointId: string | undefined }): ReactNode {
  const [first] = useEndpoints(scope).items ?? [];
  const testedId = endpointId ?? first?.id;
  const alternative = IS_PRODUCTION
    ? 'wait for an event on a server that authorises the app'
    : OWN_CONTRACT
      ? 'change an object through the API'
      : 'create a ticket through the API';
  return (
    <EmptyList
      icon={<IconSend aria-hidden />}
      title="No deliveries yet"
      action={
        testedId !== undefined && (
          <ButtonLink
            to={ENDPOINT_PATH}
            params={{ ...scope, endpointId: testedId }}
            search={{ view: 'test' }}
            variant="default"
          >
            Send a test event
          </ButtonLink>
        )
      }
    >
      {testedId === undefined
        ? `Add an endpoint first, then ${alternative}. The delivery of its event then appears here.`
        : `Send a test event, or ${alternative}. The delivery then appears here.`}
    </EmptyList>
  );
}

type DeliveryFiltersProps = Omit<DeliveriesProps, 'endpointId'> & { isOfEndpoint: boolean };

function DeliveryFilters({ scope, search, onChange, isOfEndpoint }: DeliveryFiltersProps): ReactNode {
  const { status, type, event, last, since, until, redelivery, delivery, endpoint } = search;
  const set = (part: Partial<Record<keyof WebhooksSearch, string | null | undefined>>): void => {
    const { endpoint: chosen, ...next } = { ...search, ...part };
    onChange({ ...toDeliveriesSearch(next), ...(chosen && { endpoint: chosen }) });
  };
  const filters = { status, type, event, last, since, until, redelivery, endpoint };
  const isFiltered = Object.values(filters).some((one) => one !== undefined);
  return (
    <Group gap="xs" role="search" aria-label="Filters of deliveries">
      <FilterSelect
        aria-label="Status"
        placeholder="Any status"
        size="xs"
        w={{ base: HALF_ROW, sm: 130 }}
        data={[...DELIVERY_FILTERS]}
        value={status ?? null}
        onChange={(value) => set({ status: value })}
      />
      {!isOfEndpoint && (
        <EndpointFilter scope={scope} value={endpoint} onChange={(value) => set({ endpoint: value })} />
      )}
      <EventTypeFilter
        aria-label="Event type"
        placeholder="Any event type"
        size="xs"
        w={{ base: HALF_ROW, sm: 180 }}
        value={type}
        includesTests
        onChange={(value) => set({ type: value })}
      />
      <FilterText
        aria-label="Event id"
        placeholder="Event id: evt_…"
        size="xs"
        w={{ base: HALF_ROW, sm: 250 }}
        isIdentifier
        value={event ?? ''}
        onChange={(value) => set({ event: value })}
      />
      <TimeFilter size="xs" search={search} onChange={set} />
      {!isOfEndpoint && (
        <SavedViews
          scope={scope}
          page="deliveries"
          size="xs"
          filters={filters}
          onOpen={(saved) => onChange(toWebhooksSearch(saved))}
        />
      )}
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
      {isFiltered && (
        <Button variant="subtle" size="xs" onClick={() => onChange(toDeliveriesSearch({ delivery }))}>
          Clear
        </Button>
      )}
    </Group>
  );
}

interface EndpointFilterProps {
  scope: AppScope;
  value: string | undefined;
  onChange: (endpointId: string | null) => void;
}

function EndpointFilter({ scope, value, onChange }: EndpointFilterProps): ReactNode {
  const list = useEndpoints(scope);
  const endpoints = list.items ?? [];
  const named = useItems(list, [value])(value);
  const isListed = value === undefined || endpoints.some((one) => one.id === value);
  return (
    <>
      <FilterSelect
        aria-label="Endpoint"
        placeholder="Any endpoint"
        searchable
        size="xs"
        w={{ base: HALF_ROW, sm: 240 }}
        data={[
          ...endpoints.map((one) => ({ value: one.id, label: one.url })),
          ...(isListed ? [] : [{ value, label: named?.url ?? value }]),
        ]}
        value={value ?? null}
        onChange={onChange}
      />
      <LoadOlder noun="endpoints" list={list} />
    </>
  );
}

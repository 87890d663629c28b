// Converts the search parameters of the address to the API's filters of deliveries.
import { useMemo } from 'react';
import { SPAN_MS } from '../../inspector/requests/filters.ts';
import { defined, type Operations } from '../../kit/api.ts';
import type { WebhooksSearch } from './search.ts';

const MINUTE_MS = 60_000;

type DeliveryFilters = Pick<
  Operations['listDeliveries']['input'],
  'status' | 'endpointId' | 'redeliveryId' | 'eventType' | 'eventId' | 'since' | 'until'
>;

/** Returns the API's filters. A span that ends now begins on a full minute. */
export function deliveryFiltersOf(search: WebhooksSearch, nowMs: number): DeliveryFilters {
  const { status, endpoint, redelivery, type, event, last, since, until } = search;
  const beginsMs = last === undefined ? undefined : nowMs - (nowMs % MINUTE_MS) - SPAN_MS[last];
  return defined({
    status,
    endpointId: endpoint,
    redeliveryId: redelivery,
    eventType: type,
    eventId: event,
    since: beginsMs === undefined ? since : new Date(beginsMs).toISOString(),
    until,
  });
}

/** Returns the same filters as long as the address has the same ones, because pages of a list belong to one filter. */
export function useDeliveryFilters({ delivery: _, ...search }: WebhooksSearch): DeliveryFilters {
  const text = JSON.stringify(search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text contains every filter of the search
  return useMemo(() => deliveryFiltersOf(search, Date.now()), [text]);
}

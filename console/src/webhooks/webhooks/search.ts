// Search parameters of the webhook pages.
import { SPANS, type Span } from '../../inspector/requests/search.ts';
import type { EventType, Operations } from '../../kit/api.ts';
import { choiceParam, textParam, timeParam } from '../../kit/search.ts';
import { ALL_TYPES } from './event-types.ts';

/** The statuses of a delivery, and `failing` for pending deliveries with a failed attempt. */
export const DELIVERY_FILTERS = [
  'pending',
  'failing',
  'held',
  'succeeded',
  'failed',
  'cancelled',
  'skipped',
] as const satisfies readonly Operations['listDeliveries']['input']['status'][];
type DeliveryStatusFilter = (typeof DELIVERY_FILTERS)[number];

/** Filters of deliveries, and the open delivery. */
interface DeliveriesSearch {
  status?: DeliveryStatusFilter;
  type?: EventType;
  /** Event whose deliveries are shown. */
  event?: string;
  /** Span that ends now. Otherwise the range has fixed ends. */
  last?: Span;
  since?: string;
  until?: string;
  /** Job that created the deliveries. */
  redelivery?: string;
  /** Delivery whose drawer is open. */
  delivery?: string;
}

type RawSearch<Search> = Partial<Record<keyof Search, unknown>>;

export function toDeliveriesSearch(search: RawSearch<DeliveriesSearch>): DeliveriesSearch {
  const last = choiceParam('last', search.last, SPANS);
  return {
    ...choiceParam('status', search.status, DELIVERY_FILTERS),
    ...choiceParam('type', search.type, ALL_TYPES),
    ...textParam('event', search.event),
    ...(last.last === undefined && { ...timeParam('since', search.since), ...timeParam('until', search.until) }),
    ...last,
    ...textParam('redelivery', search.redelivery),
    ...textParam('delivery', search.delivery),
  };
}

export interface WebhooksSearch extends DeliveriesSearch {
  endpoint?: string;
}

export function toWebhooksSearch(search: RawSearch<WebhooksSearch>): WebhooksSearch {
  return { ...toDeliveriesSearch(search), ...textParam('endpoint', search.endpoint) };
}

export interface DrillSearch {
  /** Drill whose report is shown. Undefined: the newest. */
  drill?: string;
}

export interface RedeliveriesSearch {
  /** Endpoint that the form selects initially. */
  endpoint?: string;
  /** Job whose drawer is open. */
  job?: string;
}

export function toRedeliveriesSearch(search: Partial<Record<keyof RedeliveriesSearch, unknown>>): RedeliveriesSearch {
  return { ...textParam('endpoint', search.endpoint), ...textParam('job', search.job) };
}

/** Views of an endpoint's page apart from the overview. */
const ENDPOINT_VIEWS = ['deliveries', 'settings', 'test'] as const;
export type EndpointView = 'overview' | (typeof ENDPOINT_VIEWS)[number];

export interface EndpointSearch extends DeliveriesSearch {
  /** Undefined: the deliveries if the address filters or opens them, and the overview otherwise. */
  view?: Exclude<EndpointView, 'overview'>;
  /** Range of the charts. Undefined: one day. */
  charts?: '7d';
}

export function toEndpointSearch(search: RawSearch<EndpointSearch>): EndpointSearch {
  return {
    ...choiceParam('view', search.view, ENDPOINT_VIEWS),
    ...toDeliveriesSearch(search),
    ...choiceParam('charts', search.charts, ['7d'] as const),
  };
}

export function endpointViewOf({ view, charts: _, ...deliveries }: EndpointSearch): EndpointView {
  return view ?? (Object.keys(deliveries).length > 0 ? 'deliveries' : 'overview');
}

/** Returns the link that opens a delivery on the current page and keeps the filters. */
export const toDelivery = (id: string) =>
  ({
    to: '.',
    search: (search: Record<string, unknown>) => ({ ...search, delivery: id }),
    resetScroll: false,
  }) as const;

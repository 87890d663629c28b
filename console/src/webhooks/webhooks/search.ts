// Search parameters of the webhook pages.
import type { Delivery } from '../../kit/api.ts';
import { oneOf, textOf } from '../../kit/search.ts';

export const DELIVERY_STATUSES = [
  'pending',
  'held',
  'succeeded',
  'failed',
  'cancelled',
  'skipped',
] as const satisfies readonly Delivery['status'][];

export interface WebhooksSearch {
  status?: Delivery['status'];
  endpoint?: string;
  /** Job that created the deliveries. */
  redelivery?: string;
  /** Delivery whose drawer is open. */
  delivery?: string;
}

export function toWebhooksSearch(search: Partial<Record<keyof WebhooksSearch, unknown>>): WebhooksSearch {
  return {
    ...oneOf('status', search.status, DELIVERY_STATUSES),
    ...textOf('endpoint', search.endpoint),
    ...textOf('redelivery', search.redelivery),
    ...textOf('delivery', search.delivery),
  };
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
  return { ...textOf('endpoint', search.endpoint), ...textOf('job', search.job) };
}

export interface EndpointSearch {
  /** Range of the charts. Undefined: one day. */
  last?: '7d';
}

export function toEndpointSearch(search: Partial<Record<keyof EndpointSearch, unknown>>): EndpointSearch {
  return oneOf('last', search.last, ['7d'] as const);
}

// The filters of the deliveries, as they stand in the address.
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
  /** Only those that this job has made. */
  redelivery?: string;
  /** The delivery whose drawer is open. */
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
  /** The drill whose report is shown; the newest without it. */
  drill?: string;
}

export interface RedeliveriesSearch {
  /** The endpoint with which the form begins. */
  endpoint?: string;
  /** The job whose drawer is open. */
  job?: string;
}

export function toRedeliveriesSearch(search: Partial<Record<keyof RedeliveriesSearch, unknown>>): RedeliveriesSearch {
  return { ...textOf('endpoint', search.endpoint), ...textOf('job', search.job) };
}

export interface EndpointSearch {
  /** The time of its charts; absent: a day. */
  last?: '7d';
}

export function toEndpointSearch(search: Partial<Record<keyof EndpointSearch, unknown>>): EndpointSearch {
  return oneOf('last', search.last, ['7d'] as const);
}

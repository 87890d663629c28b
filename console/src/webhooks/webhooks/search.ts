// Search parameters of the webhook pages.
import type { Delivery } from '../../kit/api.ts';
import { choiceParam, textParam } from '../../kit/search.ts';

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
    ...choiceParam('status', search.status, DELIVERY_STATUSES),
    ...textParam('endpoint', search.endpoint),
    ...textParam('redelivery', search.redelivery),
    ...textParam('delivery', search.delivery),
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
  return { ...textParam('endpoint', search.endpoint), ...textParam('job', search.job) };
}

export interface EndpointSearch {
  /** Range of the charts. Undefined: one day. */
  last?: '7d';
}

export function toEndpointSearch(search: Partial<Record<keyof EndpointSearch, unknown>>): EndpointSearch {
  return choiceParam('last', search.last, ['7d'] as const);
}

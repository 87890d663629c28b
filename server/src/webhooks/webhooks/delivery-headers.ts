// The table of the headers that Slipway sets on a delivery, in addition to HTTP's own and the owner's. The sending code
// and the contract both use it.

import { idSchema, oneOf, text } from '../../kit/http/schema.ts';
import type { WebhookHeader } from '../../kit/openapi/openapi-webhooks.ts';
import { DELIVERY_TRIGGERS, DeliveryId } from './delivery.ts';

const required = (schema: WebhookHeader['schema']): WebhookHeader => ({ schema, isRequired: true });

export const DELIVERY_HEADERS = {
  'webhook-id': required(idSchema('evt', 'The event’s identifier. It is the same in every delivery of the event.')),
  'webhook-timestamp': required(
    text('When this attempt was signed, in seconds since 1970.', {
      pattern: '^\\d{10,12}$',
      maxLength: 12,
      examples: ['1793614530'],
    }),
  ),
  'webhook-signature': required(
    text(
      'The signatures (Standard Webhooks), separated by spaces. For each active secret: `v1,` and the HMAC-SHA-256 of `id.timestamp.body` in base64.',
      { pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$', maxLength: 500 },
    ),
  ),
  'slipway-delivery-id': required(DeliveryId),
  'slipway-attempt': required(
    text('The number of the attempt of this delivery, counted from 1.', {
      pattern: '^[1-9]\\d{0,3}$',
      maxLength: 4,
      examples: ['1'],
    }),
  ),
  'slipway-trigger': required(
    oneOf(
      [...DELIVERY_TRIGGERS, 'drill'],
      'The cause of the delivery. `manual`: a member redelivered a delivery or sent the event to the endpoint. `drill`: a message of a receiver drill, which has `slipway-drill-id` in place of `slipway-delivery-id` and `slipway-attempt`.',
    ),
  ),
  'slipway-schema-version': required(
    text('The version of the event’s `data`.', { pattern: '^[1-9]\\d{0,3}$', maxLength: 4, examples: ['1'] }),
  ),
  'slipway-environment': required(oneOf(['sandbox', 'production'], 'Where it happened, as in the body.')),
  traceparent: {
    schema: text(
      'The trace of this attempt (W3C Trace Context), so that your receiver can continue it. Sent only if Slipway’s operator has enabled tracing. It does not describe the event, and no signature covers it.',
      {
        pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$',
        maxLength: 55,
        examples: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
      },
    ),
    isRequired: false,
  },
} as const satisfies Record<string, WebhookHeader>;

type Optional = 'traceparent';
type Name = keyof typeof DELIVERY_HEADERS;

/** Requires exactly the headers of the table. */
export type DeliveryHeaders = Readonly<Record<Exclude<Name, Optional>, string> & Partial<Record<Optional, string>>>;

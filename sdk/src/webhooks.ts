// Verification of webhooks (Standard Webhooks), over the raw bytes of the body: parsed and written again they differ.
import { Webhook } from 'standardwebhooks';

export interface WebhookHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/** The event of a delivery. Throws when the signature does not match or the timestamp is more than 5 minutes off. */
export function verifyWebhook(body: string | Buffer, headers: WebhookHeaders, signingSecret: string): unknown {
  return new Webhook(signingSecret).verify(body, { ...headers });
}

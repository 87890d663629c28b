// The requests that carry a message about notices to a destination.
import { toId } from '../../kit/crypto/ids.ts';
import { type MasterKeys, unseal } from '../../kit/crypto/seal.ts';
import { sign } from '../../kit/crypto/standard-webhooks.ts';
import { bindingOf } from './destination.ts';
import type { ClaimedMessage, MessageNotice } from './store.ts';

/** The body of a signed webhook. */
export interface WebhookMessage {
  /** The same in each attempt, and equal to the header `webhook-id`. */
  id: string;
  kind: ClaimedMessage['kind'];
  environment: ClaimedMessage['environment'];
  organisationId: string;
  /** The kind and the object, without a space in either. */
  cause: string;
  /** When the first attempt began. */
  createdAt: string;
  /** The first notices of the cause since the previous message. */
  notices: MessageNotice[];
  /** The number of notices beyond those. */
  further: number;
}

export interface MessageRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

export const messageIdOf = ({ message_id }: Pick<ClaimedMessage, 'message_id'>): string => toId('nms', message_id);

/** Returns the request of one attempt. Throws if the address or the secret cannot be opened. */
export function toRequest(claim: ClaimedMessage, keys: MasterKeys, nowMs: number): MessageRequest {
  const url = unseal(claim.sealed_url, bindingOf(claim.destination_id, 'url'), keys).reveal();
  return { url, ...signedWebhook(claim, keys, nowMs) };
}

function signedWebhook(claim: ClaimedMessage, keys: MasterKeys, nowMs: number): Omit<MessageRequest, 'url'> {
  if (claim.sealed_secret === null) throw new Error('The webhook has no signing secret.');
  const signingSecret = unseal(claim.sealed_secret, bindingOf(claim.destination_id, 'secret'), keys);
  const id = messageIdOf(claim);
  const message: WebhookMessage = {
    id,
    kind: claim.kind,
    environment: claim.environment,
    organisationId: toId('org', claim.organisation_id),
    cause: claim.cause,
    createdAt: claim.begun_at.toISOString(),
    notices: claim.notices,
    further: claim.further,
  };
  const body = Buffer.from(JSON.stringify(message));
  const timestamp = Math.floor(nowMs / 1000);
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign([signingSecret], id, timestamp, body),
    'slipway-environment': claim.environment,
  };
  return { headers, body };
}

// The requests that carry a message about notices to a destination, in the format of the destination.
import { toId } from '../../kit/crypto/ids.ts';
import { type MasterKeys, unseal } from '../../kit/crypto/seal.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import { sign } from '../../kit/crypto/standard-webhooks.ts';
import { toPagerDutyEvent, toSlackMessage, toTeamsMessage } from './chat-formats.ts';
import { bindingOf, type DestinationKind } from './destination.ts';
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

const messageIdOf = ({ message_id }: Pick<ClaimedMessage, 'message_id'>): string => toId('nms', message_id);

/** Returns the request of one attempt. Throws if the address or the secret cannot be opened. */
export function toRequest(claim: ClaimedMessage, keys: MasterKeys, nowMs: number): MessageRequest {
  const { destination_id, destination_kind, sealed_url, sealed_secret } = claim;
  const url = unseal(sealed_url, bindingOf(destination_id, 'url'), keys).reveal();
  const secret = sealed_secret && unseal(sealed_secret, bindingOf(destination_id, 'secret'), keys);
  return { url, ...FORMATS[destination_kind](claim, secret, nowMs) };
}

type Format = (claim: ClaimedMessage, secret: Secret | null, nowMs: number) => Omit<MessageRequest, 'url'>;

const unsigned = (message: object): ReturnType<Format> => ({ headers: {}, body: Buffer.from(JSON.stringify(message)) });

const FORMATS: Record<DestinationKind, Format> = {
  webhook: (claim, secret, nowMs) => signedWebhook(claim, requireSecret(secret), nowMs),
  slack: (claim) => unsigned(toSlackMessage(claim)),
  teams: (claim) => unsigned(toTeamsMessage(claim)),
  pagerduty: (claim, secret) => unsigned(toPagerDutyEvent(claim, requireSecret(secret).reveal())),
};

function requireSecret(secret: Secret | null): Secret {
  if (!secret) throw new Error('The destination has no secret.');
  return secret;
}

function signedWebhook(claim: ClaimedMessage, signingSecret: Secret, nowMs: number): ReturnType<Format> {
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

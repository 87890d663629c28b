// Describes the statuses and reasons of a delivery.
import type { Attempt, Delivery } from '../../kit/api.ts';
import type { Tone } from '../../kit/state-badge.tsx';

export const DELIVERY_TONES: Record<Delivery['status'], Tone> = {
  pending: 'waiting',
  held: 'warning',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'none',
  skipped: 'none',
};

export const REASONS: Record<string, string> = {
  key_revoked: 'The key of the endpoint was revoked.',
  key_expired: 'The key of the endpoint has expired.',
  key_missing_scope: 'The key of the endpoint lacks events:read.',
  app_suspended: 'The app is suspended.',
  not_installed: 'The app is not installed on the event’s server.',
  installation_paused: 'The installation on the event’s server, or events:read in it, is paused.',
  installation_paused_by_organisation: 'Your organisation has paused the event’s server, or events:read on it.',
  installation_revoked: 'The installation on the event’s server, or events:read in it, was revoked.',
  installation_revoked_by_organisation: 'Your organisation has revoked the event’s server, or events:read on it.',
  scope_not_authorised: 'The event’s server has not authorised events:read.',
  resource_scope_not_approved: 'The app is not approved for the scope of the event’s resource.',
  resource_scope_not_authorised: 'The event’s server has not authorised the scope of the event’s resource.',
  resource_scope_paused: 'The event’s server has paused the scope of the event’s resource.',
  resource_scope_paused_by_organisation:
    'Your organisation has paused the scope of the event’s resource on the event’s server.',
  resource_scope_revoked: 'The scope of the event’s resource was revoked on the event’s server.',
  resource_scope_revoked_by_organisation:
    'Your organisation has revoked the scope of the event’s resource on the event’s server.',
  endpoint_disabled: 'The endpoint is disabled.',
  endpoint_deleted: 'The endpoint was deleted.',
  event_expired: 'The event is older than the retention time.',
  held_too_long: 'The delivery was held longer than the retention time.',
  filtered: 'The filter of the endpoint withholds the event.',
  redelivery_cancelled: 'Its redelivery job was cancelled.',
  too_many_attempts: 'A thousand attempts were interrupted.',
  earlier_event_first: 'An earlier event of its subject is delivered first.',
};

const CAUSES: Record<Delivery['trigger'], string> = {
  scheduled: 'the event',
  manual: 'a manual redelivery',
  replay: 'a redelivery job',
  test: 'a test',
};

/** A member can also send an event that has no earlier delivery. The API reports the trigger `manual` for both. */
export function describeCause({ trigger, redeliveryOf }: Pick<Delivery, 'trigger' | 'redeliveryOf'>): string {
  return trigger === 'manual' && redeliveryOf === null ? 'an event sent by hand' : CAUSES[trigger];
}

export function reasonSentence(reason: string): string {
  return REASONS[reason] ?? reason.replaceAll('_', ' ');
}

/** Facts about the result of an attempt; a trace has no others. */
type Outcome = Pick<Attempt, 'outcome' | 'status'>;

const OUTCOMES: Record<Attempt['outcome'], string> = {
  response: 'answered',
  timeout: 'no response in time',
  dns: 'the name was not found',
  tls: 'no secure connection',
  connect: 'no connection',
  blocked_address: 'the address is not public',
  redirect: 'redirected, which is not followed',
  protocol: 'the response was not HTTP',
  interrupted: 'interrupted, will be repeated',
  aborted_by_revoke: 'stopped by a revocation or a change',
};

export function describeOutcome(attempt: Outcome): string {
  return attempt.status === null ? OUTCOMES[attempt.outcome] : `answered ${attempt.status}`;
}

export function isGood(attempt: Outcome): boolean {
  return attempt.outcome === 'response' && attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
}

/** Returns the headers that all attempts of a delivery have in common. */
export function sentHeaders({ id, eventId, trigger }: Delivery): string {
  return headerLines({
    'content-type': 'application/json',
    'webhook-id': eventId,
    'slipway-delivery-id': id,
    'slipway-trigger': trigger,
  });
}

export function headerLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Returns the indented body; undefined if it is not JSON. */
export function prettyPrinted(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return undefined;
  }
}

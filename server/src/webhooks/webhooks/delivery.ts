// A delivery: one event for one endpoint, in one or more attempts. Its whole life is recorded, including the reason why
// it was not sent.

import { AppId, type AppStanding, type GrantState, OrganisationId } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { closed, idSchema, moment, named, nullable, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';
import { Attempt } from './attempt.ts';
import { EndpointId } from './endpoint.ts';

export const DeliveryId = idSchema('dlv', "The delivery's identifier.");
/** Identifies a redelivery job, which belongs to the feature `redeliveries`. */
export const RedeliveryId = idSchema('rdl', "The redelivery's identifier.");
export const deliveryParams = closed({ organisationId: OrganisationId, appId: AppId, deliveryId: DeliveryId });

export const DELIVERY_STATUSES = ['pending', 'held', 'succeeded', 'failed', 'cancelled', 'skipped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The reason why a delivery is held, cancelled or skipped. */
export type DeliveryReason =
  | 'key_revoked'
  | 'key_expired'
  | 'key_missing_scope'
  | 'app_suspended'
  | 'not_installed'
  | 'installation_paused'
  | 'installation_revoked'
  | 'scope_not_authorised'
  | 'resource_scope_not_approved'
  | 'resource_scope_not_authorised'
  | 'resource_scope_paused'
  | 'resource_scope_revoked'
  | 'endpoint_disabled'
  | 'endpoint_deleted'
  | 'event_expired'
  | 'held_too_long'
  | 'redelivery_cancelled'
  | 'too_many_attempts';

export const DELIVERY_TRIGGERS = ['scheduled', 'manual', 'replay', 'test'] as const;

export interface DeliveryAuthorityRow {
  /** Null if the endpoint was deleted. */
  endpoint_state: 'enabled' | 'disabled' | null;
  key_state: 'active' | 'revoked';
  is_key_expired: boolean;
  key_has_scope: boolean;
  app_standing: AppStanding;
  /** False for an event without a resource on a server. */
  needs_grant: boolean;
  installation_state: GrantState | null;
  /** State of the grant of `events:read`. */
  scope_state: GrantState | null;
  /** The scope of the event's resource; null without a resource. */
  resource_scope: string | null;
  /** True if the resource's scope is judged too; false for an app that still has the earlier rule. */
  enforces_event_scopes: boolean;
  is_resource_approved: boolean | null;
  resource_state: GrantState | null;
}

/**
 * Judges whether a delivery may be sent now. Otherwise it is held until a change, or refused for good, with the reason.
 */
export function judgeDelivery(
  row: DeliveryAuthorityRow,
): { verdict: 'allow' } | { verdict: 'hold' | 'refuse'; reason: DeliveryReason } {
  if (row.endpoint_state !== 'enabled') return { verdict: 'refuse', reason: 'endpoint_disabled' };
  if (row.key_state !== 'active') return { verdict: 'refuse', reason: 'key_revoked' };
  if (row.is_key_expired) return { verdict: 'refuse', reason: 'key_expired' };
  if (!row.key_has_scope) return { verdict: 'refuse', reason: 'key_missing_scope' };
  const grant = row.needs_grant ? judgeGrantOf(row) : undefined;
  if (grant?.verdict === 'refuse') return grant;
  if (row.app_standing !== 'active') return { verdict: 'hold', reason: 'app_suspended' };
  return grant ?? { verdict: 'allow' };
}

function judgeGrantOf(row: DeliveryAuthorityRow): { verdict: 'hold' | 'refuse'; reason: DeliveryReason } | undefined {
  if (row.installation_state === null) return { verdict: 'refuse', reason: 'not_installed' };
  if (row.installation_state === 'revoked') return { verdict: 'refuse', reason: 'installation_revoked' };
  if (row.scope_state === null) return { verdict: 'refuse', reason: 'scope_not_authorised' };
  if (row.scope_state === 'revoked') return { verdict: 'refuse', reason: 'installation_revoked' };
  const resource = row.enforces_event_scopes && row.resource_scope !== null ? judgeResource(row) : undefined;
  if (resource?.verdict === 'refuse') return resource;
  const isPaused = row.installation_state === 'paused' || row.scope_state === 'paused';
  return isPaused ? { verdict: 'hold', reason: 'installation_paused' } : resource;
}

/** Judges the grant of the scope of the event's resource, which is independent of `events:read`. */
function judgeResource(row: DeliveryAuthorityRow): { verdict: 'hold' | 'refuse'; reason: DeliveryReason } | undefined {
  if (row.is_resource_approved !== true) return { verdict: 'refuse', reason: 'resource_scope_not_approved' };
  if (row.resource_state === null) return { verdict: 'refuse', reason: 'resource_scope_not_authorised' };
  if (row.resource_state === 'revoked') return { verdict: 'refuse', reason: 'resource_scope_revoked' };
  return row.resource_state === 'paused' ? { verdict: 'hold', reason: 'resource_scope_paused' } : undefined;
}

const fields = {
  id: DeliveryId,
  endpointId: EndpointId,
  endpointUrl: nullable(
    text(
      'The current URL of the endpoint; null if the endpoint was deleted. Each attempt has the URL that it called.',
      {
        maxLength: 2048,
      },
    ),
  ),
  eventId: idSchema('evt', 'The event’s identifier. It is the same in every attempt and redelivery.'),
  eventType: nullable(text('The type of the event; null if the event is no longer stored.', { maxLength: 100 })),
  trigger: oneOf(DELIVERY_TRIGGERS, 'The cause of the delivery.'),
  status: oneOf(DELIVERY_STATUSES, 'The status of the delivery.'),
  reason: nullable(
    text('Why the delivery is held, waits for an earlier event, or was cancelled or skipped.', { maxLength: 50 }),
  ),
  redeliveryOf: nullable(idSchema('dlv', 'The delivery that this delivery repeats.')),
  redeliveredAs: nullable(idSchema('dlv', 'The latest delivery that repeats this delivery.')),
  attemptCount: Type.Integer({ minimum: 0, maximum: 1000, description: 'The number of attempts so far.' }),
  lastStatus: nullable(Type.Integer({ minimum: 100, maximum: 599, description: 'The last response’s HTTP status.' })),
  nextAttemptAt: nullable(moment('When the next attempt is due.')),
  createdAt: moment('When the delivery was created.'),
  finishedAt: nullable(moment('When the delivery ended.')),
};

export const Delivery = named('Delivery', closed(fields, { description: 'The delivery of an event to an endpoint.' }));
export type Delivery = Static<typeof Delivery>;

export const DeliveryDetail = named(
  'DeliveryDetail',
  closed(
    {
      ...fields,
      body: nullable(
        text(
          'The exact bytes that are sent and signed. Null if the event is no longer stored. Also null while nothing was sent and the event’s server does not authorise `events:read` or the scope of the event’s resource.',
          { maxLength: 262_144 },
        ),
      ),
      attempts: Type.Array(Attempt, { maxItems: 1000, description: 'All attempts, oldest first.' }),
    },
    { description: 'A delivery with its body and all attempts.' },
  ),
);

export interface DeliveryRow {
  delivery_id: string;
  endpoint_id: string;
  server_id: string | null;
  url: string | null;
  event_id: string;
  /** Null if the event is past its retention period. A late redelivery outlives its event. */
  event_type: string | null;
  schema_version: number | null;
  trigger: Delivery['trigger'];
  status: DeliveryStatus;
  reason: string | null;
  redelivery_of: string | null;
  redelivered_as: string | null;
  attempt_count: number;
  last_status: number | null;
  due_at: Date | null;
  created_at: Date;
  finished_at: Date | null;
}

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: toId('dlv', row.delivery_id),
    endpointId: toId('whe', row.endpoint_id),
    endpointUrl: row.url,
    eventId: toId('evt', row.event_id),
    eventType: row.event_type,
    trigger: row.trigger,
    status: row.status,
    reason: row.reason,
    redeliveryOf: row.redelivery_of === null ? null : toId('dlv', row.redelivery_of),
    redeliveredAs: row.redelivered_as === null ? null : toId('dlv', row.redelivered_as),
    attemptCount: row.attempt_count,
    lastStatus: row.last_status,
    nextAttemptAt: row.status === 'pending' ? (row.due_at?.toISOString() ?? null) : null,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

export const exampleDelivery: Delivery = {
  id: 'dlv_01j9z3v8k6e5t8m2n4p6q8r0s9',
  endpointId: 'whe_01j9z3v8k6e5t8m2n4p6q8r0s8',
  endpointUrl: 'https://bridge.example.org/hooks/slipway',
  eventId: 'evt_01j9z3v8k6e5t8m2n4p6q8r0sa',
  eventType: 'ticket.created',
  trigger: 'scheduled',
  status: 'succeeded',
  reason: null,
  redeliveryOf: null,
  redeliveredAs: null,
  attemptCount: 1,
  lastStatus: 204,
  nextAttemptAt: null,
  createdAt: '2026-11-02T10:15:30.000Z',
  finishedAt: '2026-11-02T10:15:30.140Z',
};

// A delivery: one event for one endpoint, in one or more attempts. Its whole life is recorded, including the reason why
// it was not sent.

import {
  AppId,
  type AppStatus,
  GRANT_RULES,
  type GrantState,
  KEY_RULES,
  listUnmetRules,
  OrganisationId,
  RESOURCE_RULES,
  type RuleName,
  SCOPE_RULES,
} from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  idSchema,
  namedObject,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { Attempt } from './attempt.ts';
import { EndpointId } from './endpoint.ts';

export const DeliveryId = idSchema('dlv', "The delivery's identifier.");
/** Identifies a redelivery job, which belongs to the feature `redeliveries`. */
export const RedeliveryId = idSchema('rdl', 'The identifier of the redelivery job.');
export const deliveryParams = strictObject({ organisationId: OrganisationId, appId: AppId, deliveryId: DeliveryId });

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
  | 'installation_paused_by_organisation'
  | 'installation_revoked'
  | 'installation_revoked_by_organisation'
  | 'scope_not_authorised'
  | 'resource_scope_not_approved'
  | 'resource_scope_not_authorised'
  | 'resource_scope_paused'
  | 'resource_scope_paused_by_organisation'
  | 'resource_scope_revoked'
  | 'resource_scope_revoked_by_organisation'
  | 'endpoint_disabled'
  | 'endpoint_deleted'
  | 'event_expired'
  | 'held_too_long'
  | 'filtered'
  | 'redelivery_cancelled'
  | 'too_many_attempts';

/**
 * The causes of a delivery. `scheduled`: the event, when it was written. Stored rows and the header `slipway-trigger`
 * have this word.
 */
export const DELIVERY_TRIGGERS = ['scheduled', 'manual', 'replay', 'test'] as const;

export interface DeliveryAuthorityRow {
  /** Null if the endpoint was deleted. */
  endpoint_state: 'enabled' | 'disabled' | null;
  key_state: 'active' | 'revoked';
  is_key_expired: boolean;
  key_has_scope: boolean;
  app_status: AppStatus;
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
  /** Production only: the organisation’s restrictions on the server, by scope; `*` is the server as a whole. */
  restrictions: Partial<Record<string, 'paused' | 'revoked'>> | null;
}

type DeliveryDecision = { verdict: 'allow' } | { verdict: 'hold' | 'refuse'; reason: DeliveryReason };
const refuse = (reason: DeliveryReason): DeliveryDecision => ({ verdict: 'refuse', reason });
const hold = (reason: DeliveryReason): DeliveryDecision => ({ verdict: 'hold', reason });

/** The effect of a broken rule of access on a delivery: the delivery ends, or is held until a change. */
const DECISION_OF_BROKEN_RULE: Record<RuleName, DeliveryDecision> = {
  key_exists: refuse('key_revoked'),
  key_not_revoked: refuse('key_revoked'),
  key_not_expired: refuse('key_expired'),
  key_has_scope: refuse('key_missing_scope'),
  app_active: hold('app_suspended'),
  server_exists: refuse('not_installed'),
  installation_exists: refuse('not_installed'),
  server_not_revoked_by_organisation: refuse('installation_revoked_by_organisation'),
  installation_not_revoked: refuse('installation_revoked'),
  server_not_paused_by_organisation: hold('installation_paused_by_organisation'),
  installation_within_cap: hold('installation_paused'),
  installation_not_paused: hold('installation_paused'),
  scope_not_revoked_by_organisation: refuse('installation_revoked_by_organisation'),
  scope_authorised: refuse('scope_not_authorised'),
  scope_not_revoked: refuse('installation_revoked'),
  scope_not_paused_by_organisation: hold('installation_paused_by_organisation'),
  scope_not_paused: hold('installation_paused'),
  resource_scope_approved: refuse('resource_scope_not_approved'),
  resource_scope_not_revoked_by_organisation: refuse('resource_scope_revoked_by_organisation'),
  resource_scope_authorised: refuse('resource_scope_not_authorised'),
  resource_scope_not_revoked: refuse('resource_scope_revoked'),
  resource_scope_not_paused_by_organisation: hold('resource_scope_paused_by_organisation'),
  resource_scope_not_paused: hold('resource_scope_paused'),
};

// The state of an installation and of a grant is the strictest of statement, cap and restriction. A delivery names the
// organisation as the cause, but not the cap, so cap and statement are not read.
const NOT_READ = { is_over_cap: null, upstream_state: null, upstream_scope_state: null };

/**
 * Judges whether a delivery may be sent now, by the rules of requests. Otherwise it is refused for good or held until a
 * change, with the reason; a refusal has precedence over a hold.
 */
export function authoriseDelivery(row: DeliveryAuthorityRow): DeliveryDecision {
  if (row.endpoint_state !== 'enabled') return refuse('endpoint_disabled');
  const key = { state: row.key_state, isExpired: row.is_key_expired, appStatus: row.app_status };
  const broken: RuleName[] = listUnmetRules(KEY_RULES, key, 'events:read');
  broken.push(...listUnmetRules(SCOPE_RULES, row.key_has_scope ? ['events:read'] : [], 'events:read'));
  if (row.needs_grant) {
    const { installation_state, scope_state } = row;
    const restrictionOf = (scope: string) => row.restrictions?.[scope] ?? null;
    const restricted = { restriction: restrictionOf('*'), scope_restriction: restrictionOf('events:read') };
    const grant = { ...NOT_READ, installation_state, scope_state, ...restricted };
    broken.push(...listUnmetRules(GRANT_RULES, grant, 'events:read'));
    if (row.enforces_event_scopes && row.resource_scope !== null) {
      const scope_restriction = restrictionOf(row.resource_scope);
      const resource = { ...NOT_READ, scope_state: row.resource_state, scope_restriction };
      const is_approved = row.is_resource_approved === true;
      broken.push(...listUnmetRules(RESOURCE_RULES, { ...resource, is_approved }, undefined));
    }
  }
  const judgements = broken.map((rule) => DECISION_OF_BROKEN_RULE[rule]);
  return judgements.find(({ verdict }) => verdict === 'refuse') ?? judgements[0] ?? { verdict: 'allow' };
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
  trigger: oneOf(
    DELIVERY_TRIGGERS,
    'The cause of the delivery. `manual`: a member redelivered a delivery, which `redeliveryOf` names, or sent the event to the endpoint.',
  ),
  status: oneOf(DELIVERY_STATUSES, 'The status of the delivery.'),
  reason: nullable(
    text('Why the delivery is held, waits for an earlier event, or was cancelled or skipped.', { maxLength: 50 }),
  ),
  redeliveryOf: nullable(idSchema('dlv', 'The delivery that this delivery repeats.')),
  redeliveredAs: nullable(idSchema('dlv', 'The latest delivery that repeats this delivery.')),
  attemptCount: Type.Integer({ minimum: 0, maximum: 1000, description: 'The number of attempts so far.' }),
  lastStatus: nullable(Type.Integer({ minimum: 100, maximum: 599, description: 'The last response’s HTTP status.' })),
  nextAttemptAt: nullable(dateTime('When the next attempt is due.')),
  createdAt: dateTime('When the delivery was created.'),
  finishedAt: nullable(dateTime('When the delivery ended.')),
};

export const Delivery = namedObject('Delivery', 'The delivery of an event to an endpoint.', fields);
export type Delivery = Static<typeof Delivery>;

export const DeliveryDetail = namedObject('DeliveryDetail', 'A delivery with its body and all attempts.', {
  ...fields,
  body: nullable(
    text(
      'The exact bytes that are sent and signed. Null if the event is no longer stored. Also null while nothing was sent and the event’s server does not authorise `events:read` or the scope of the event’s resource.',
      { maxLength: 262_144 },
    ),
  ),
  attempts: Type.Array(Attempt, { maxItems: 1000, description: 'All attempts, oldest first.' }),
});

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

// An endpoint: a URL to which an app's events are sent, under the authority of the app's keys.

import { AppId, KeyId, OrganisationId } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  describedObject,
  idSchema,
  integer,
  namedObject,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { EVENT_KINDS, EVENT_TYPES, type EventType } from '../../resources/events/index.ts';
import { headerNames, newHeaders } from './custom-headers.ts';
import {
  ALL_EVENT_TYPES,
  type Condition,
  conditions,
  eventTypes,
  exampleConditions,
  serverIds,
} from './endpoint-filter.ts';
import { keyList } from './endpoint-keys.ts';
import { EndpointHealth, exampleHealth, type HealthRow, toHealth } from './health.ts';

export const EndpointId = idSchema('whe', "The endpoint's identifier.");
export const endpointParams = strictObject({ organisationId: OrganisationId, appId: AppId, endpointId: EndpointId });

const url = text(
  'Where events are sent: https, and a public address; in the sandbox also `listener:NAME`, for `slipway listen`.',
  { minLength: 1, maxLength: 2048 },
);
const description = text('The purpose of the endpoint.', { maxLength: 200 });
const schemaVersions = Type.Unsafe<Partial<Record<EventType, number>>>(
  describedObject(
    'The schema version in which the endpoint receives each of its types. A version stays pinned when a newer version appears. The default is the newest version at the time of the request. Only types that the endpoint receives can be named.',
    Object.fromEntries(
      EVENT_TYPES.map((type) => [
        type,
        Type.Optional(integer(`The version of \`${type}\`.`, 1, EVENT_KINDS[type].schemaVersion)),
      ]),
    ),
  ),
);
const ratePerSecond = nullable(
  integer('The maximum number of attempts that begin per second; null for no limit.', 1, 1000),
);
const isOrdered = Type.Boolean({
  description:
    'True to deliver the events of each subject one after another, in order (FIFO per subject). A failed delivery blocks the later deliveries of its subject.',
});
const scheduleSpeed = Type.Unsafe<1 | 60 | 3600>({
  type: 'integer',
  enum: [1, 60, 3600],
  minimum: 1,
  maximum: 3600,
  description:
    'How many times faster than real time the retry schedule runs. Values above 1 are allowed only in the sandbox. A change reschedules waiting retries; a held delivery keeps its due time.',
});
export const endpointState = oneOf(['enabled', 'disabled'], 'A disabled endpoint receives nothing.');
export const disabledReason = text('Why the endpoint is disabled.', { minLength: 1, maxLength: 200 });

/** Returns the schema version of each type that an endpoint receives from its creation on. */
export function pinVersions(types: readonly string[], input: Readonly<Record<string, number>> = {}) {
  return Object.fromEntries(
    EVENT_TYPES.filter((type) => types.includes(type)).map((type) => [
      type,
      input[type] ?? EVENT_KINDS[type].schemaVersion,
    ]),
  );
}

/** Optional settings of a new endpoint and of a change. */
export const optionalSettings = {
  serverIds: Type.Optional(serverIds),
  conditions: Type.Optional(conditions),
  schemaVersions: Type.Optional(schemaVersions),
  description: Type.Optional(description),
  ratePerSecond: Type.Optional(ratePerSecond),
  isOrdered: Type.Optional(isOrdered),
  scheduleSpeed: Type.Optional(scheduleSpeed),
};

/** The keys of a new endpoint and of a change. */
export const optionalKeys = {
  keyId: Type.Optional({
    ...KeyId,
    description: 'A single key, as an alternative to `keyIds`. In a change it replaces the first key.',
  }),
  keyIds: Type.Optional(
    keyList(
      'The keys of the endpoint, in the order in which they are tried. A revoked or expired key is skipped, so deliveries continue through the next one.',
    ),
  ),
};

export const EndpointInput = namedObject(
  'EndpointInput',
  'An endpoint to add, with either `keyIds` or `keyId`. The endpoint delivers through the first of its keys that is valid and has `events:read`. It receives an event only while it has such a key. The server of an event with a resource must also authorise `events:read` and the scope of the resource.',
  { url, ...optionalKeys, eventTypes, headers: Type.Optional(newHeaders), ...optionalSettings },
);

export const Endpoint = namedObject('Endpoint', 'An endpoint, without its signing secret.', {
  id: EndpointId,
  url,
  keyId: {
    ...KeyId,
    description:
      'The key through which the endpoint delivers: the first usable key of `keyIds`, or the first key if none is usable.',
  },
  keyKid: text('The public half of that key.', { minLength: 12, maxLength: 12 }),
  keyState: oneOf(
    ['active', 'expired', 'revoked', 'missing_scope'],
    'The state of that key. Only an active key with `events:read` delivers.',
  ),
  keyIds: keyList('The keys of the endpoint, in the order in which they are tried.'),
  keysEndAt: nullable(
    dateTime(
      'When the last usable key of the endpoint ends. Deliveries need another key from then on. Null if no key is usable.',
    ),
  ),
  eventTypes,
  serverIds,
  conditions,
  schemaVersions,
  description,
  headerNames,
  ratePerSecond,
  isOrdered,
  scheduleSpeed,
  secretRotatedAt: nullable(dateTime('When the signing secret was last rotated.')),
  previousSecretEndsAt: nullable(dateTime('When the previous signing secret stops or stopped signing.')),
  state: endpointState,
  disabledReason: nullable(disabledReason),
  health: EndpointHealth,
  createdBy: text('The member or token that added the endpoint.', { maxLength: 320 }),
  createdAt: dateTime('When the endpoint was added.'),
});
export type Endpoint = Static<typeof Endpoint>;

export const CreatedEndpoint = namedObject('CreatedEndpoint', 'A new endpoint with its signing secret.', {
  endpoint: Endpoint,
  signingSecret: text('The secret that signs the endpoint’s deliveries.', { minLength: 40, maxLength: 60 }),
});

export interface EndpointRow extends HealthRow {
  endpoint_id: string;
  url: string;
  /** The key through which the endpoint delivers. */
  key_id: string;
  /** The keys in their order. */
  key_ids: string[];
  keys_end_at: Date | null;
  kid: string;
  key_state: 'active' | 'revoked';
  is_key_expired: boolean;
  has_scope: boolean;
  event_types: EventType[];
  /** True if the endpoint also receives the types of later releases. */
  receives_all_types: boolean;
  server_ids: string[] | null;
  conditions: Condition[] | null;
  schema_versions: Partial<Record<EventType, number>>;
  description: string;
  header_names: string[];
  rate_per_second: number | null;
  is_ordered: boolean;
  schedule_speed: Endpoint['scheduleSpeed'];
  secret_rotated_at: Date | null;
  previous_secret_ends_at: Date | null;
  state: 'enabled' | 'disabled';
  disabled_reason: string | null;
  created_by: string;
  created_at: Date;
}

/**
 * Returns the schema version of each of the endpoint's types. Endpoints created before there were versions receive
 * version 1.
 */
export function pinnedVersions(row: EndpointRow): Endpoint['schemaVersions'] {
  return Object.fromEntries(receivedTypes(row).map((type) => [type, row.schema_versions[type] ?? 1]));
}

/** Returns the types that the endpoint receives, including types that are newer than its row. */
export const receivedTypes = (row: Pick<EndpointRow, 'event_types' | 'receives_all_types'>): readonly EventType[] =>
  row.receives_all_types ? EVENT_TYPES : row.event_types;

function keyStateOf(row: EndpointRow): Endpoint['keyState'] {
  if (row.key_state === 'revoked') return 'revoked';
  if (row.is_key_expired) return 'expired';
  return row.has_scope ? 'active' : 'missing_scope';
}

export function toEndpoint(row: EndpointRow): Endpoint {
  return {
    id: toId('whe', row.endpoint_id),
    url: row.url,
    keyId: toId('key', row.key_id),
    keyKid: row.kid,
    keyState: keyStateOf(row),
    keyIds: row.key_ids.map((id) => toId('key', id)),
    keysEndAt: row.keys_end_at?.toISOString() ?? null,
    eventTypes: row.receives_all_types ? [ALL_EVENT_TYPES] : row.event_types,
    serverIds: row.server_ids?.map((id) => toId('srv', id)) ?? null,
    conditions: row.conditions ?? [],
    schemaVersions: pinnedVersions(row),
    description: row.description,
    headerNames: row.header_names,
    ratePerSecond: row.rate_per_second,
    isOrdered: row.is_ordered,
    scheduleSpeed: row.schedule_speed,
    secretRotatedAt: row.secret_rotated_at?.toISOString() ?? null,
    previousSecretEndsAt: row.previous_secret_ends_at?.toISOString() ?? null,
    state: row.state,
    disabledReason: row.disabled_reason,
    health: toHealth(row),
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
  };
}

/** Returns the binding of an endpoint's sealed secrets, so that no row can use the secret of another one. */
export const secretBinding = (endpointId: string): string => `endpoint:${toId('whe', endpointId)}`;

export const exampleEndpoint: Endpoint = {
  id: 'whe_01j9z3v8k6e5t8m2n4p6q8r0s8',
  url: 'https://bridge.example.org/hooks/slipway',
  keyId: 'key_01j9z3v8k6e5t8m2n4p6q8r0s7',
  keyKid: '7Qh2mXc04LpA',
  keyState: 'active',
  keyIds: ['key_01j9z3v8k6e5t8m2n4p6q8r0s7'],
  keysEndAt: '2026-12-02T10:15:30.000Z',
  eventTypes: ['ticket.created'],
  serverIds: null,
  conditions: exampleConditions,
  schemaVersions: { 'ticket.created': 2 },
  description: 'The bridge in staging',
  headerNames: ['authorization'],
  ratePerSecond: 20,
  isOrdered: false,
  scheduleSpeed: 1,
  secretRotatedAt: null,
  previousSecretEndsAt: null,
  state: 'enabled',
  disabledReason: null,
  health: exampleHealth,
  createdBy: 'imke@example.org',
  createdAt: '2026-11-02T10:15:30.000Z',
};

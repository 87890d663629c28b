// A notice: a fact about a key, an endpoint or the upstream API that an organisation should learn without looking. It
// is written once and read in the Console. It is also mailed if a member can act on it.

import { AppId, KeyId, MAX_PAGE_ORIGIN, OrganisationId } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  describedObject,
  displayName,
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
import { EVENT_SCOPES_CHANGE } from '../deprecations/index.ts';

export const NoticeId = idSchema('ntc', "The notice's identifier.");

/** The days before a key's expiry on which a notice is written. */
export const DAYS_AHEAD = [7, 1] as const;
export type DaysAhead = (typeof DAYS_AHEAD)[number];
/** The days of continuous failures of an endpoint after which a notice is written. */
export type DaysFailing = 1 | 3;

/** The mailed kinds that the Console of release 0.1.0 knows. It refuses every notice of a batch that has another. */
const RELEASED_KINDS = ['key_expires', 'key_leaked', 'endpoint_failing', 'endpoint_disabled'] as const;
/** The other mailed kinds: a plane hands them over to a Console that names them. */
export const ANNOUNCED_KINDS = [
  'key_in_browser',
  'event_scopes',
  'endpoint_keys_end',
  'endpoint_recovered',
  'delivery_exhausted',
  'installation_paused',
  'installation_revoked',
  'deprecation_announced',
] as const;
const MAILED_KINDS = [...RELEASED_KINDS, ...ANNOUNCED_KINDS] as const;
export type MailedKind = (typeof MAILED_KINDS)[number];
/** The kinds that members and destinations receive: those of planes, and a decision of a reviewer, which the Console stores. */
export const SENT_KINDS = [...MAILED_KINDS, 'live_access_decided'] as const;
export type SentKind = (typeof SENT_KINDS)[number];

/** The text about a notice for members and destinations. */
export interface NoticeMessage {
  subject: string;
  text: string;
  /** The address of the cause in the Console. */
  link: string;
}

/** Returns true if the kind is mailed. A notice that no member can act on is not mailed. */
export const isMailed = (kind: NoticeRow['kind']): kind is MailedKind => MAILED_KINDS.some((one) => one === kind);
export const isAnnouncedKind = (kind: NoticeRow['kind']): boolean => ANNOUNCED_KINDS.some((one) => one === kind);

/**
 * Returns the kinds that a Console can mail; `named` is the header in which it names those beyond the released ones.
 */
export function kindsFor(named: unknown): readonly MailedKind[] {
  const names = typeof named === 'string' ? named.split(',').map((name) => name.trim()) : [];
  return [...RELEASED_KINDS, ...ANNOUNCED_KINDS.filter((kind) => names.includes(kind))];
}

const fields = {
  id: NoticeId,
  kind: oneOf(
    [...MAILED_KINDS, 'platform_failing'],
    '`key_expires`: the key is about to expire. `key_leaked`: a holder of the key reported it, and it was revoked immediately. `endpoint_failing`: every attempt at the endpoint has failed for days. `endpoint_recovered`: an attempt succeeded after such a notice, or a member enabled the endpoint after a notice of a failure. `endpoint_disabled`: the endpoint was disabled, but not by a member. `delivery_exhausted`: the last attempt of a delivery failed; written once an hour for each endpoint. `installation_paused`, `installation_revoked`: in production, the upstream API reported that a server paused or revoked the app; written once an hour for each kind and server. `endpoint_keys_end`: the last valid key of the endpoint expires within 7 days. `key_in_browser`: a page in a browser used the key and was refused. `event_scopes`: from `enforcedFrom` on, the rule about event scopes withholds events that the app receives today. `deprecation_announced`: the app uses a deprecated part of the API, at the announcement and 90, 30 and 7 days before the end. `platform_failing`: in production, a response of the upstream API to a call of the app did not fit the contract.',
  ),
  daysAhead: nullable(
    integer('Days before the expiry at which the notice is created, 7 or 1; null for other kinds.', 1, 7),
  ),
  appId: AppId,
  appName: displayName('Name of the app when the notice was created.'),
  keyId: {
    ...KeyId,
    description:
      'The key. For an endpoint: the key through which it delivers, or its last valid key. For `platform_failing`: the key of the request. For `event_scopes`: the newest key that reads events. For an installation or a deprecation: the newest key of the app.',
  },
  keyName: displayName('Name of the key when the notice was created.'),
  kid: text('The public part of the key.', { minLength: 12, maxLength: 12 }),
  expiresAt: dateTime('When the key expires.'),
  endpointId: nullable(idSchema('whe', 'The endpoint that the notice is about.')),
  endpointHost: nullable(text('The host in the URL of the endpoint.', { maxLength: 300 })),
  daysFailing: nullable(integer('Days for which the endpoint has failed, 1 or 3. After 5 days it is disabled.', 1, 3)),
  disabledReason: nullable(text('Why the endpoint was disabled.', { maxLength: 200 })),
  createdAt: dateTime('When it was written.'),
};

const LeakUrl = nullable(
  text('The address at which a leaked key was found, if the report contains it.', { maxLength: 2048 }),
);

const PageOrigin = text(
  'The origin of the page that used the key, as the browser sent it; null if it cannot be shown. A client that holds the key can send any origin.',
  { maxLength: MAX_PAGE_ORIGIN },
);

const DeliveryId = idSchema('dlv', 'The first delivery of that hour whose last attempt failed.');

const NoticedServer = describedObject('The server whose installation changed.', {
  id: idSchema('srv', 'The server.'),
  // The upstream API chooses the name, so the pattern of a name does not apply.
  name: text('Name of the server when the notice was created.', { minLength: 1, maxLength: 100 }),
});

// The columns are integers of four bytes.
const MAX_WITHHELD = 2_147_483_647;
const Withheld = {
  events: integer('Number of the newest events that the rule would withhold.', 1, MAX_WITHHELD),
  deliveries: integer('Number of the newest deliveries that belong to such events.', 0, MAX_WITHHELD),
  enforcedFrom: Type.String({
    format: 'date',
    minLength: 10,
    maxLength: 10,
    description: 'The day from which the rule is enforced.',
  }),
};
const WithheldByScopes = describedObject(
  'Numbers of events and deliveries that the rule about event scopes would have withheld from the app when the notice was created.',
  Withheld,
);

const DAY = { format: 'date', minLength: 10, maxLength: 10 } as const;
const MAX_NAMED = 5;
const DeprecationNotice = describedObject('The deprecation, and the uses of the app when the notice was created.', {
  id: text('Identifies the deprecation.', { maxLength: 60 }),
  title: text('The deprecated part of the API.', { maxLength: 200 }),
  replacement: text('The action that replaces it.', { maxLength: 1000 }),
  ends: Type.String({ ...DAY, description: 'The day on which it ends.' }),
  daysAhead: nullable(integer('Days before the end, 90, 30 or 7; null for the announcement.', 7, 90)),
  requests: integer('Number of requests of the last 30 days that use it.', 0, Number.MAX_SAFE_INTEGER),
  requestIds: Type.Array(idSchema('req', 'A request.'), {
    maxItems: MAX_NAMED,
    description: 'The newest of these requests.',
  }),
  endpoints: integer('Number of endpoints that receive the deprecated events.', 0, 2_147_483_647),
  endpointIds: Type.Array(idSchema('whe', 'An endpoint.'), {
    maxItems: MAX_NAMED,
    description: 'The newest of these endpoints.',
  }),
});
export type DeprecationNotice = Static<typeof DeprecationNotice>;

export const Notice = namedObject(
  'Notice',
  'A notice to an organisation about a key, an endpoint or the upstream API.',
  {
    ...fields,
    leakUrl: LeakUrl,
    operationId: nullable(text('The operation of /v1 that the upstream API failed to answer.', { maxLength: 100 })),
    requestId: nullable(idSchema('req', 'The first affected request of that day.')),
    pageOrigin: nullable(PageOrigin),
    deliveryId: nullable(DeliveryId),
    server: nullable(NoticedServer),
    withheld: nullable(WithheldByScopes),
    deprecation: nullable(DeprecationNotice),
    readAt: nullable(dateTime('When a member marked the notice as read.')),
    readBy: nullable(text('The member who marked the notice as read.', { maxLength: 320 })),
  },
);
export type Notice = Static<typeof Notice>;

/** A notice in the form in which the Console's process gets it, to mail it. */
export const PendingNotice = strictObject({
  ...fields,
  kind: oneOf(MAILED_KINDS, 'The kind of the notice.'),
  organisationId: OrganisationId,
  keyCreatedBy: text('The member who generated the key or added the endpoint.', { maxLength: 320 }),
  foundAt: LeakUrl, // the name in release 0.1.0, with which this process may run
  // Only `key_in_browser` has this field: the Console of release 0.1.0 accepts no other field.
  pageOrigin: Type.Optional(nullable(PageOrigin)),
  // Only `event_scopes` has this field, for the same reason.
  withheld: Type.Optional(nullable(WithheldByScopes)),
  // Only `delivery_exhausted` has this field, for the same reason.
  deliveryId: Type.Optional(nullable(DeliveryId)),
  // Only notices about installations have this field, for the same reason.
  server: Type.Optional(nullable(NoticedServer)),
  // Only `deprecation_announced` has this field, for the same reason.
  deprecation: Type.Optional(nullable(DeprecationNotice)),
});
export type PendingNotice = Static<typeof PendingNotice>;

export interface NoticeRow {
  organisation_id: string;
  notice_id: string;
  app_id: string;
  key_id: string;
  kind: Notice['kind'];
  days_ahead: number | null;
  app_name: string;
  key_name: string;
  kid: string;
  key_created_by: string;
  expires_at: Date;
  found_at: string | null;
  endpoint_id: string | null;
  endpoint_host: string | null;
  days_failing: number | null;
  disabled_reason: string | null;
  operation_id: string | null;
  request_id: string | null;
  page_origin: string | null;
  delivery_id: string | null;
  server_id: string | null;
  server_name: string | null;
  withheld_events: number | null;
  withheld_deliveries: number | null;
  deprecation: DeprecationNotice | null;
  created_at: Date;
  read_at: Date | null;
  read_by: string | null;
}

function toFields(
  row: NoticeRow,
): Omit<
  Notice,
  | 'leakUrl'
  | 'operationId'
  | 'requestId'
  | 'pageOrigin'
  | 'deliveryId'
  | 'server'
  | 'withheld'
  | 'deprecation'
  | 'readAt'
  | 'readBy'
> {
  return {
    id: toId('ntc', row.notice_id),
    kind: row.kind,
    daysAhead: row.days_ahead,
    appId: toId('app', row.app_id),
    appName: row.app_name,
    keyId: toId('key', row.key_id),
    keyName: row.key_name,
    kid: row.kid,
    expiresAt: row.expires_at.toISOString(),
    endpointId: row.endpoint_id === null ? null : toId('whe', row.endpoint_id),
    endpointHost: row.endpoint_host,
    daysFailing: row.days_failing,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at.toISOString(),
  };
}

const withheldOf = ({ withheld_events, withheld_deliveries }: NoticeRow): Notice['withheld'] =>
  withheld_events === null || withheld_deliveries === null
    ? null
    : { events: withheld_events, deliveries: withheld_deliveries, enforcedFrom: EVENT_SCOPES_CHANGE.ends };

const deliveryIdOf = ({ delivery_id }: NoticeRow): string | null =>
  delivery_id === null ? null : toId('dlv', delivery_id);

const serverOf = ({ server_id, server_name }: NoticeRow): Notice['server'] =>
  server_id === null || server_name === null ? null : { id: toId('srv', server_id), name: server_name };

export function toNotice(row: NoticeRow): Notice {
  return {
    ...toFields(row),
    leakUrl: row.found_at,
    operationId: row.operation_id,
    requestId: row.request_id === null ? null : toId('req', row.request_id),
    pageOrigin: row.page_origin,
    deliveryId: deliveryIdOf(row),
    server: serverOf(row),
    withheld: withheldOf(row),
    deprecation: row.deprecation,
    readAt: row.read_at?.toISOString() ?? null,
    readBy: row.read_by,
  };
}

/** Returns the notice for the Console; none if its kind is not mailed. */
export function toPendingNotices(row: NoticeRow): PendingNotice[] {
  const { kind } = row;
  if (!isMailed(kind)) return [];
  return [
    {
      ...toFields(row),
      kind,
      organisationId: toId('org', row.organisation_id),
      keyCreatedBy: row.key_created_by,
      foundAt: row.found_at,
      ...(kind === 'key_in_browser' && { pageOrigin: row.page_origin }),
      ...(kind === 'delivery_exhausted' && { deliveryId: deliveryIdOf(row) }),
      ...(row.server_id !== null && { server: serverOf(row) }),
      ...(kind === 'deprecation_announced' && { deprecation: row.deprecation }),
      ...(kind === 'event_scopes' && { withheld: withheldOf(row) }),
    },
  ];
}

export const exampleNotice: Notice = {
  id: 'ntc_01ja4c8v8k6e5t8m2n4p6q8r0s',
  kind: 'key_expires',
  daysAhead: 7,
  appId: 'app_01j9z3v8k6e5t8m2n4p6q8r0s4',
  appName: 'Bridge',
  keyId: 'key_01j9z3v8k6e5t8m2n4p6q8r0s7',
  keyName: 'Staging bridge',
  kid: '7Qh2mXc04LpA',
  expiresAt: '2026-12-02T10:15:30.000Z',
  leakUrl: null,
  endpointId: null,
  endpointHost: null,
  daysFailing: null,
  disabledReason: null,
  operationId: null,
  requestId: null,
  pageOrigin: null,
  deliveryId: null,
  server: null,
  withheld: null,
  deprecation: null,
  createdAt: '2026-11-25T10:16:02.000Z',
  readAt: null,
  readBy: null,
};

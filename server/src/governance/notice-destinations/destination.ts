// A destination of an organisation's notices that is not a person. Its address is a secret: only the host is shown.
import { OrganisationId } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  displayName,
  idSchema,
  namedObject,
  nullable,
  oneOf,
  type Static,
  sensitive,
  strictObject,
  Type,
  text,
} from '../../kit/http/schema.ts';
import type { InvalidPart } from '../../kit/openapi/problems.ts';
import { SENT_KINDS } from '../../platform/notices/index.ts';

/** The number of destinations of one organisation. */
export const MAX_DESTINATIONS = 50;

export const DESTINATION_KINDS = ['webhook', 'slack', 'teams', 'pagerduty'] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

const NoticeDestinationId = idSchema('nds', "The destination's identifier.");
export const destinationParams = strictObject({ organisationId: OrganisationId, destinationId: NoticeDestinationId });

const kind = oneOf(
  DESTINATION_KINDS,
  '`webhook`: a request that is signed by Standard Webhooks. `slack`: an incoming webhook of Slack. `teams`: a workflow of Microsoft Teams that begins with a webhook request. `pagerduty`: the Events API v2 of PagerDuty.',
);
const name = displayName('The name of the destination.');
const environments = Type.Array(oneOf(['sandbox', 'production'], 'An environment.'), {
  minItems: 1,
  maxItems: 2,
  uniqueItems: true,
  description:
    'The environments whose notices the destination receives. Only a webhook receives notices of the sandbox, because a cause in the sandbox has no real effect.',
});
const mutedKinds = Type.Array(oneOf(SENT_KINDS, 'A kind of notice.'), {
  maxItems: SENT_KINDS.length,
  uniqueItems: true,
  description: 'The kinds of notices that the destination does not receive.',
});
const state = oneOf(['enabled', 'disabled'], 'A disabled destination receives nothing.');

export const NoticeDestinationInput = namedObject('NoticeDestinationInput', 'A destination to create.', {
  kind,
  name,
  url: sensitive(
    text('The address to which messages are sent, at most 2,048 characters. It cannot be read or changed later.', {
      minLength: 1,
      maxLength: 2048,
      examples: ['https://alerts.example.org/slipway'],
    }),
  ),
  routingKey: Type.Optional(
    sensitive(
      Type.String({
        pattern: '^[A-Za-z0-9]{32}$',
        minLength: 32,
        maxLength: 32,
        description: 'The integration key of PagerDuty; required for `pagerduty`, and not allowed for other kinds.',
      }),
    ),
  ),
  environments: Type.Optional(environments),
  mutedKinds: Type.Optional(mutedKinds),
});
export type NoticeDestinationInput = Static<typeof NoticeDestinationInput>;

export const NoticeDestinationChange = namedObject(
  'NoticeDestinationChange',
  'The changes to a destination. A property that is left out stays unchanged.',
  {
    name: Type.Optional(name),
    environments: Type.Optional(environments),
    mutedKinds: Type.Optional(mutedKinds),
    state: Type.Optional(state),
  },
);
export type NoticeDestinationChange = Static<typeof NoticeDestinationChange>;

const LastAttempt = namedObject('NoticeAttempt', 'The latest attempt to send a message to a destination.', {
  at: dateTime('When the attempt ended.'),
  outcome: oneOf(
    ['succeeded', 'waiting', 'failed'],
    '`succeeded`: the receiver accepted the message. `waiting`: the attempt failed, and another one follows. `failed`: the attempt failed, and none follows.',
  ),
  status: nullable(Type.Integer({ minimum: 100, maximum: 999, description: 'The HTTP status of the response.' })),
  detail: nullable(text('Why there was no response.', { maxLength: 500 })),
});

export const NoticeDestination = namedObject(
  'NoticeDestination',
  'A destination of notices, without its address and secret.',
  {
    id: NoticeDestinationId,
    kind,
    name,
    host: text('The host of the address.', { maxLength: 300 }),
    environments,
    mutedKinds,
    state,
    disabledReason: nullable(text('Why the destination is disabled.', { maxLength: 200 })),
    lastAttempt: nullable(LastAttempt),
    lastSuccessAt: nullable(dateTime('When the destination last accepted a message.')),
    createdBy: text('The member or token that created the destination.', { maxLength: 320 }),
    createdAt: dateTime('When the destination was created.'),
  },
);
export type NoticeDestination = Static<typeof NoticeDestination>;

export const CreatedNoticeDestination = namedObject(
  'CreatedNoticeDestination',
  'A new destination with its signing secret.',
  {
    destination: NoticeDestination,
    signingSecret: nullable(
      text('The secret that signs the messages of a webhook; null for other kinds.', { minLength: 40, maxLength: 60 }),
    ),
  },
);

export interface DestinationRow {
  destination_id: string;
  kind: DestinationKind;
  name: string;
  host: string;
  environments: NoticeDestination['environments'];
  muted_kinds: NoticeDestination['mutedKinds'];
  disabled_reason: string | null;
  last_attempt_at: Date | null;
  last_outcome: 'succeeded' | 'waiting' | 'failed' | null;
  last_status: number | null;
  last_detail: string | null;
  last_success_at: Date | null;
  created_by: string;
  created_at: Date;
}

export function toDestination(row: DestinationRow): NoticeDestination {
  const { last_attempt_at: at, last_outcome: outcome } = row;
  return {
    id: toId('nds', row.destination_id),
    kind: row.kind,
    name: row.name,
    host: row.host,
    environments: row.environments,
    mutedKinds: row.muted_kinds,
    state: row.disabled_reason === null ? 'enabled' : 'disabled',
    disabledReason: row.disabled_reason,
    lastAttempt:
      at === null || outcome === null
        ? null
        : { at: at.toISOString(), outcome, status: row.last_status, detail: row.last_detail },
    lastSuccessAt: row.last_success_at?.toISOString() ?? null,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
  };
}

/** Returns what binds a sealed value to the row and the column of a destination. */
export const bindingOf = (destinationId: string, column: 'url' | 'secret'): string =>
  `notice destination ${destinationId} ${column}`;

/** Returns the environments of a new destination. */
export const environmentsOf = ({ kind, environments }: NoticeDestinationInput): NoticeDestination['environments'] =>
  environments ?? (kind === 'webhook' ? ['sandbox', 'production'] : ['production']);

/** Refuses notices of the sandbox for chats and on-call services. */
export function validateEnvironments(
  kind: DestinationKind,
  environments: NoticeDestination['environments'],
): InvalidPart[] {
  if (kind === 'webhook' || !environments.includes('sandbox')) return [];
  return [{ pointer: '/environments', detail: `must be ["production"] for the kind ${kind}` }];
}

/** Refuses an address that must not be called, and a routing key that is missing or not used. */
export function validateDestination(
  input: NoticeDestinationInput,
  refuseUrl: (url: string) => string | undefined,
): InvalidPart[] {
  const { kind, url, routingKey } = input;
  const detail = refuseUrl(url);
  const errors = validateEnvironments(kind, environmentsOf(input));
  if (detail !== undefined) errors.push({ pointer: '/url', detail });
  if (kind === 'pagerduty' && routingKey === undefined)
    errors.push({ pointer: '/routingKey', detail: 'is required for the kind pagerduty' });
  if (kind !== 'pagerduty' && routingKey !== undefined)
    errors.push({ pointer: '/routingKey', detail: 'requires the kind pagerduty' });
  return errors;
}

export const exampleDestination: NoticeDestination = {
  id: 'nds_01j9z3v8k6e5t8m2n4p6q8r0s4',
  kind: 'webhook',
  name: 'Alerts',
  host: 'alerts.example.org',
  environments: ['production'],
  mutedKinds: ['key_expires'],
  state: 'enabled',
  disabledReason: null,
  lastAttempt: { at: '2026-11-27T05:00:00.000Z', outcome: 'succeeded', status: 204, detail: null },
  lastSuccessAt: '2026-11-27T05:00:00.000Z',
  createdBy: 'imke@example.org',
  createdAt: '2026-11-26T10:15:30.000Z',
};

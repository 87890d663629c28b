// Commands for endpoints, deliveries and redeliveries.
import type { AccessChangeInput } from '@slipway/sdk/management';
import {
  type CommandSpec,
  count,
  counts,
  jsonOf,
  list,
  names,
  number,
  option,
  pairs,
  required,
  timestamp,
  unvalidated,
} from '../command.ts';

const ENDPOINT_COLUMNS = ['id', 'url', 'state', 'eventTypes', 'health.successRate', 'description'];
const EVENT_TYPES = '--event-types <types>';

const CONDITIONS = option(
  '--conditions <json>',
  'conditions on the values of an event, as a JSON array; [] for none',
  jsonOf,
);
const SERVERS = option('--server-ids <serverIds>', 'only events of these servers (every server)', list);

const KEYS = option('--key-ids <keyIds>', 'keys in the order in which they are tried: key_...,key_...', list);

const MADE_WITH = [
  SERVERS,
  CONDITIONS,
  option(
    '--schema-versions <type=version>',
    'pinned schema version of an event type: ticket.created=1 (the newest when the type is added); can be repeated',
    counts,
  ),
  option('--headers <name=value>', 'header of each delivery; can be repeated', pairs),
  option('--description <text>', 'description'),
  option('--rate-per-second <number>', 'maximum deliveries per second', number),
  option('--is-ordered', 'deliver the events of a subject in order'),
  option('--no-is-ordered', 'deliver without ordering'),
  option('--schedule-speed <factor>', 'factor that shortens retry delays: 1, 60 or 3600', number),
];

/** A change without these settings takes no delivery away. */
function forecastEndpoint({ endpointId, state, eventTypes, serverIds, conditions }: Readonly<Record<string, unknown>>) {
  const isDisabled = state === 'disabled';
  if (!isDisabled && eventTypes === undefined && serverIds === undefined && conditions === undefined) return undefined;
  const settings = { ...(isDisabled && { state }), eventTypes, serverIds, conditions };
  return unvalidated<AccessChangeInput>({ endpoint: { endpointId, ...settings } });
}

export const endpoints: readonly CommandSpec[] = [
  {
    name: 'list',
    operation: 'listEndpoints',
    summary: 'list the endpoints of the app',
    example: 'endpoints list',
    columns: ENDPOINT_COLUMNS,
  },
  {
    name: 'show',
    args: '<endpointId>',
    operation: 'getEndpoint',
    summary: 'show an endpoint',
    example: 'endpoints show whe_...',
  },
  {
    name: 'create',
    operation: 'createEndpoint',
    summary: 'create an endpoint, and print its signing secret',
    example: 'endpoints create --url https://example.org/hook --key-id key_... --event-types ticket.created',
    body: [
      required('--url <url>', 'address that receives deliveries'),
      { ...required('--key-id <keyId>', 'key whose access decides about deliveries'), alternative: '--key-ids' },
      KEYS,
      required(EVENT_TYPES, "event types, such as ticket.created,ticket.closed, or '*' for every type", list),
      ...MADE_WITH,
    ],
  },
  {
    name: 'update',
    args: '<endpointId>',
    operation: 'updateEndpoint',
    summary: 'change an endpoint; omitted fields stay unchanged',
    example: 'endpoints update whe_... --event-types ticket.created,ticket.closed',
    body: [
      option('--url <url>', 'address that receives deliveries'),
      option('--key-id <keyId>', 'key that replaces the first one'),
      KEYS,
      option(EVENT_TYPES, "event types, or '*' for every type", list),
      ...MADE_WITH,
      option('--no-headers <names>', 'headers to remove: x-tenant,authorization', names),
      option('--no-rate-per-second', 'remove the limit'),
      option('--no-server-ids', 'receive events of every server'),
      option('--state <state>', 'enabled or disabled'),
      option('--disabled-reason <text>', 'reason for disabling it'),
    ],
    forecast: forecastEndpoint,
  },
  {
    name: 'delete',
    args: '<endpointId>',
    operation: 'deleteEndpoint',
    summary: 'delete an endpoint',
    example: 'endpoints delete whe_...',
    question: 'Delete {endpointId}, and cancel its waiting deliveries?',
    done: 'Deleted {endpointId}.',
  },
  {
    name: 'test',
    args: '<endpointId>',
    operation: 'sendTestEvent',
    summary: 'send an example event to an endpoint',
    example: 'endpoints test whe_... --type ticket.created',
    body: [required('--type <type>', 'event type, to which the endpoint must subscribe')],
  },
  {
    name: 'preview',
    args: '<endpointId>',
    operation: 'previewSchemaVersion',
    summary: 'show how a newer schema version changes the recent events of an endpoint',
    example: 'endpoints preview whe_... --type ticket.created',
    about: [
      'Prints at most ten events of the last 1,000 deliveries, newest first. --json prints each event in both versions.',
      'Test events, and skipped, cancelled and held deliveries are ignored. The list is empty if each type has its newest',
      'version. `slipway endpoints update --schema-versions` pins another version, also an earlier one.',
    ].join('\n'),
    query: [
      option('--type <type>', 'only this event type (every type with a newer version)'),
      option('--schema-version <version>', 'schema version of the type (the newest)', count),
    ],
    columns: ['type', 'schemaVersion', 'added', 'removed', 'changed', 'pinned.id'],
    // The API responds in the same way in both cases.
    nothing: [
      'No event to compare: either no recent delivery has a newer version, and `slipway trigger TYPE` triggers one in the',
      'sandbox, or the endpoint is pinned to the newest versions already.',
    ].join('\n'),
  },
  {
    name: 'preview-filter',
    operation: 'previewFilter',
    summary: 'count the recent events that a filter would keep',
    example: 'endpoints preview-filter --event-types ticket.created --server-ids srv_...',
    about: [
      'The count covers 30 days, or the time for which the environment stores events if that is shorter. `since` is its',
      'start. Only events that the app may read now are counted. Nothing is stored.',
    ].join('\n'),
    body: [
      required(EVENT_TYPES, "event types, or '*' for every type", list),
      SERVERS,
      CONDITIONS,
      option(
        '--schema-versions <type=version>',
        'schema version of an event type (the newest); can be repeated',
        counts,
      ),
    ],
  },
  {
    name: 'rotate-secret',
    args: '<endpointId>',
    operation: 'rotateSigningSecret',
    summary: 'generate a new signing secret, and print it',
    example: 'endpoints rotate-secret whe_... --overlap-hours 24',
    body: [option('--overlap-hours <hours>', 'hours for which both secrets sign (24)', number)],
    question: 'Rotate the signing secret of {endpointId}?',
  },
  {
    name: 'end-overlap',
    args: '<endpointId>',
    operation: 'endPreviousSecret',
    summary: 'erase the previous signing secret, so that only the current one signs',
    example: 'endpoints end-overlap whe_...',
    question: 'Erase the previous secret of {endpointId}? A receiver that has only this secret will refuse deliveries.',
    done: 'Erased the previous secret of {endpointId}.',
  },
];

const DELIVERY_COLUMNS = [
  'id',
  'createdAt',
  'eventType',
  'status',
  'reason',
  'attemptCount',
  'lastStatus',
  'endpointUrl',
];

export const deliveries: readonly CommandSpec[] = [
  {
    name: 'list',
    operation: 'listDeliveries',
    summary: 'list the deliveries of the app, newest first',
    example: 'deliveries list --status failed',
    query: [
      option('--endpoint-id <endpointId>', 'only this endpoint'),
      option('--status <status>', 'only this status: failed, pending, held, ...'),
      option('--redelivery-id <redeliveryId>', 'only deliveries of this job'),
      option('--event-type <type>', 'only this event type'),
      option('--event-id <eventId>', 'only this event'),
      option('--since <time>', 'start of the time range, such as 2h or 2026-11-02T10:15:30Z', timestamp),
      option('--until <time>', 'end of the time range, exclusive', timestamp),
    ],
    columns: DELIVERY_COLUMNS,
  },
  {
    name: 'show',
    args: '<deliveryId>',
    operation: 'getDelivery',
    summary: 'show a delivery with its body and attempts',
    example: 'deliveries show dlv_...',
  },
  {
    name: 'redeliver',
    args: '<deliveryId>',
    operation: 'redeliverDelivery',
    summary: 'send one delivery now',
    example: 'deliveries redeliver dlv_...',
    about: [
      'If the delivery waits, its next attempt becomes due now. If it has ended, a new delivery is created. The rate and',
      'order of the endpoint still apply. A delivery that is held, is being sent, or waits for an earlier event of its subject',
      'is refused.',
    ].join('\n'),
  },
  {
    name: 'redeliver-all',
    operation: 'createRedelivery',
    summary: 'redeliver many deliveries in a job; try --count-only first',
    example: 'deliveries redeliver-all --since 2h --statuses pending,failed --count-only',
    about: [
      'The status pending selects deliveries that wait for a retry: the retry becomes due now, for example after an outage of',
      'the receiver. The rate and order of the endpoint still apply.',
      'A delivery fails 75 hours or more after its event, or earlier with a faster schedule of its endpoint or after a response',
      'with 410. `slipway redeliveries` shows, pauses and cancels the job.',
    ].join('\n'),
    body: [
      required('--since <time>', 'start of the range of events, such as 7d or 2026-11-02T10:15:30Z', timestamp),
      option('--until <time>', 'end of the range of events, exclusive', timestamp),
      option('--endpoint-id <endpointId>', 'only this endpoint'),
      option('--event-type <type>', 'only this event type'),
      option(
        '--statuses <statuses>',
        'statuses to redeliver: pending,failed,skipped,cancelled (failed; with --reason: skipped,cancelled)',
        list,
      ),
      option('--reason <reason>', 'only deliveries that were skipped or cancelled for this reason'),
      option('--rate-per-second <number>', 'deliveries per second (100)', number),
      { ...option('--count-only', 'count the deliveries without redelivering them'), field: 'isDryRun' },
    ],
  },
];

export const redeliveries: readonly CommandSpec[] = [
  {
    name: 'list',
    operation: 'listRedeliveries',
    summary: 'list redelivery jobs, newest first',
    example: 'redeliveries list',
    columns: ['id', 'createdAt', 'state', 'done', 'total', 'isTotalExact', 'skipped', 'ratePerSecond', 'createdBy'],
  },
  {
    name: 'show',
    args: '<redeliveryId>',
    operation: 'getRedelivery',
    summary: 'show the progress of a redelivery job',
    example: 'redeliveries show rdl_...',
    about: '`slipway deliveries list --redelivery-id` lists its deliveries.',
  },
  {
    name: 'pause',
    args: '<redeliveryId>',
    operation: 'updateRedelivery',
    summary: 'pause a job; deliveries that it created continue',
    example: 'redeliveries pause rdl_...',
    fixed: { state: 'paused' },
  },
  {
    name: 'resume',
    args: '<redeliveryId>',
    operation: 'updateRedelivery',
    summary: 'resume a paused job',
    example: 'redeliveries resume rdl_...',
    fixed: { state: 'running' },
  },
  {
    name: 'set-rate',
    args: '<redeliveryId>',
    operation: 'updateRedelivery',
    summary: 'change the rate of a job',
    example: 'redeliveries set-rate rdl_... --rate-per-second 20',
    body: [required('--rate-per-second <number>', 'deliveries per second', number)],
  },
  {
    name: 'cancel',
    args: '<redeliveryId>',
    operation: 'updateRedelivery',
    summary: 'cancel a job permanently, with its waiting deliveries',
    example: 'redeliveries cancel rdl_...',
    fixed: { state: 'cancelled' },
    question: 'Cancel {redeliveryId} permanently, with its waiting deliveries?',
  },
];

// Commands for endpoints, deliveries and redeliveries.
import { type CommandSpec, count, counts, list, moment, names, number, option, pairs, required } from '../command.ts';

const ENDPOINT_COLUMNS = ['id', 'url', 'state', 'eventTypes', 'health.successRate', 'description'];
const EVENT_TYPES = '--event-types <types>';

const MADE_WITH = [
  option(
    '--schema-versions <type=version>',
    'the schema version of a type, which it keeps: ticket.created=1 (the newest when the type is added); as often as you like',
    counts,
  ),
  option('--headers <name=value>', 'a header to send with each delivery; as often as you like', pairs),
  option('--description <text>', 'what it is for'),
  option('--rate-per-second <number>', 'how many deliveries it takes a second', number),
  option('--is-ordered', 'one after another of a subject'),
  option('--no-is-ordered', 'or as they come'),
  option('--schedule-speed <factor>', 'how much faster retries come: 1, 60 or 3600', number),
];

export const endpoints: readonly CommandSpec[] = [
  { name: 'list', operation: 'listEndpoints', summary: 'list the endpoints of the app', columns: ENDPOINT_COLUMNS },
  { name: 'show', args: '<endpointId>', operation: 'getEndpoint', summary: 'show an endpoint' },
  {
    name: 'create',
    operation: 'createEndpoint',
    summary: 'add an endpoint; its signing secret is printed with it',
    body: [
      required('--url <url>', 'where deliveries are sent'),
      required('--key-id <keyId>', 'the key through which it receives'),
      required(EVENT_TYPES, 'what it receives: ticket.created,ticket.closed', list),
      ...MADE_WITH,
    ],
  },
  {
    name: 'update',
    args: '<endpointId>',
    operation: 'updateEndpoint',
    summary: 'change an endpoint; what is not named stays',
    body: [
      option('--url <url>', 'where deliveries are sent'),
      option('--key-id <keyId>', 'the key through which it receives'),
      option(EVENT_TYPES, 'what it receives', list),
      ...MADE_WITH,
      option('--no-headers <names>', 'headers to send no more: x-tenant,authorization', names),
      option('--no-rate-per-second', 'no limit of its own'),
      option('--state <state>', 'enabled or disabled'),
      option('--disabled-reason <text>', 'why it is disabled'),
    ],
  },
  {
    name: 'delete',
    args: '<endpointId>',
    operation: 'deleteEndpoint',
    summary: 'delete an endpoint',
    question: 'Delete {endpointId}, and cancel what waits for it?',
    done: 'Deleted {endpointId}.',
  },
  {
    name: 'test',
    args: '<endpointId>',
    operation: 'sendTestEvent',
    summary: 'send it an example of an event',
    body: [required('--type <type>', 'of this type, which it must receive')],
  },
  {
    name: 'preview',
    args: '<endpointId>',
    operation: 'previewSchemaVersion',
    summary: 'show what a newer schema version would change about its own events',
    about: [
      'At most ten events of its last 1,000 deliveries, the newest first; --json has each as it is delivered and as it would be.',
      'None where each type is pinned to its newest version, or where only test events and what was skipped, cancelled or held',
      'are among them. `slipway endpoints update` pins another version with --schema-versions, also an earlier one.',
    ].join('\n'),
    query: [
      option('--type <type>', 'only of this type (every one that has a newer version)'),
      option('--schema-version <version>', 'this version of that type (the newest)', count),
    ],
    columns: ['type', 'schemaVersion', 'added', 'removed', 'changed', 'pinned.id'],
    // The API responds in the same way in both cases.
    nothing: [
      'No event to show a change on: either none that a newer version would change was delivered lately, and `slipway trigger TYPE`',
      'brings one about in the sandbox, or what it receives is pinned to the newest versions already.',
    ].join('\n'),
  },
  {
    name: 'rotate-secret',
    args: '<endpointId>',
    operation: 'rotateSigningSecret',
    summary: 'draw a new signing secret, and print it',
    body: [option('--overlap-hours <hours>', 'how long both sign (24)', number)],
    question: 'Rotate the signing secret of {endpointId}?',
  },
  {
    name: 'end-overlap',
    args: '<endpointId>',
    operation: 'endPreviousSecret',
    summary: 'erase the signing secret before the present one, which alone signs from now on',
    question:
      'Erase the secret before the present one of {endpointId}? A receiver that has it alone refuses what comes.',
    done: 'Erased the secret before the present one of {endpointId}.',
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
    query: [
      option('--endpoint-id <endpointId>', 'only to this endpoint'),
      option('--status <status>', 'only in this status: failed, pending, held, ...'),
      option('--redelivery-id <redeliveryId>', 'only those of this redelivery'),
    ],
    columns: DELIVERY_COLUMNS,
  },
  { name: 'show', args: '<deliveryId>', operation: 'getDelivery', summary: 'show what was sent, and every attempt' },
  { name: 'redeliver', args: '<deliveryId>', operation: 'redeliverDelivery', summary: 'send one again' },
  {
    name: 'redeliver-all',
    operation: 'createRedelivery',
    summary: 'send many again, a few at a time; try --is-dry-run first',
    about: '`slipway redeliveries` says how far it has come, pauses it and cancels it.',
    body: [
      required('--since <moment>', 'of events from this moment on: 2h, or 2026-11-02T10:15:30Z', moment),
      option('--until <moment>', 'of events before this moment', moment),
      option('--endpoint-id <endpointId>', 'only to this endpoint'),
      option('--event-type <type>', 'only of this type'),
      option(
        '--statuses <statuses>',
        'what they ended in: failed,skipped,cancelled (failed; with --reason the others)',
        list,
      ),
      option('--reason <reason>', 'only those skipped or cancelled for this reason'),
      option('--rate-per-second <number>', 'how many a second (100)', number),
      option('--is-dry-run', 'ask the API how many it would be'),
    ],
  },
];

export const redeliveries: readonly CommandSpec[] = [
  {
    name: 'list',
    operation: 'listRedeliveries',
    summary: 'list what was started with `deliveries redeliver-all`, newest first',
    columns: ['id', 'createdAt', 'state', 'done', 'total', 'isTotalExact', 'skipped', 'ratePerSecond', 'createdBy'],
  },
  {
    name: 'show',
    args: '<redeliveryId>',
    operation: 'getRedelivery',
    summary: 'show how far it has come, and what has become of its deliveries',
    about: '`slipway deliveries list --redelivery-id` shows them one by one.',
  },
  {
    name: 'pause',
    args: '<redeliveryId>',
    operation: 'updateRedelivery',
    summary: 'make no more deliveries; what it made before goes on',
    fixed: { state: 'paused' },
  },
  {
    name: 'resume',
    args: '<redeliveryId>',
    operation: 'updateRedelivery',
    summary: 'go on with one that is paused',
    fixed: { state: 'running' },
  },
  {
    name: 'set-rate',
    args: '<redeliveryId>',
    operation: 'updateRedelivery',
    summary: 'make it faster or slower',
    body: [required('--rate-per-second <number>', 'how many deliveries it makes a second', number)],
  },
  {
    name: 'cancel',
    args: '<redeliveryId>',
    operation: 'updateRedelivery',
    summary: 'end it for good, and cancel what of it waits',
    fixed: { state: 'cancelled' },
    question: 'Cancel {redeliveryId} for good, with what of it waits?',
  },
];

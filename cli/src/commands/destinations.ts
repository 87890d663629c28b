// Commands for destinations of notices, and for answers to deprecations.
import { type CommandSpec, list, option, required } from '../command.ts';

const ENVIRONMENTS = '--environments <environments>';
const MUTED_KINDS = option(
  '--muted-kinds <kinds>',
  'kinds of notices that the destination does not receive, such as key_expires,event_scopes',
  list,
);

export const destinations: readonly CommandSpec[] = [
  {
    name: 'list',
    operation: 'listNoticeDestinations',
    summary: 'list destinations with the result of their latest attempt',
    example: 'destinations list',
    columns: ['id', 'kind', 'name', 'host', 'state', 'lastAttempt.outcome', 'lastAttempt.at', 'mutedKinds'],
  },
  {
    name: 'create',
    operation: 'createNoticeDestination',
    summary: 'create a destination; for a webhook, print its signing secret',
    example: 'destinations create --kind webhook --name Alerts --url https://alerts.example.org/slipway',
    about: 'Slack, Microsoft Teams and PagerDuty receive notices of production only. The address cannot be read later.',
    body: [
      required('--kind <kind>', 'webhook, slack, teams or pagerduty'),
      required('--name <name>', 'name of the destination'),
      required('--url <url>', 'address that receives messages'),
      option('--routing-key <key>', 'integration key of PagerDuty'),
      option(ENVIRONMENTS, 'environments: sandbox,production (both for a webhook, otherwise production)', list),
      MUTED_KINDS,
    ],
  },
  {
    name: 'update',
    args: '<destinationId>',
    operation: 'updateNoticeDestination',
    summary: 'change a destination; omitted fields stay unchanged',
    example: 'destinations update nds_... --muted-kinds key_expires',
    body: [
      option('--name <name>', 'name of the destination'),
      option(ENVIRONMENTS, 'environments: sandbox,production', list),
      MUTED_KINDS,
      option('--state <state>', 'enabled or disabled; disabling cancels its waiting messages'),
    ],
  },
  {
    name: 'test',
    args: '<destinationId>',
    operation: 'testNoticeDestination',
    summary: 'send a test message in one attempt',
    example: 'destinations test nds_...',
    about: '`slipway destinations list` shows the result of the attempt.',
    done: 'A test message to {destinationId} is queued.',
  },
  {
    name: 'delete',
    args: '<destinationId>',
    operation: 'deleteNoticeDestination',
    summary: 'delete a destination with its waiting messages',
    example: 'destinations delete nds_...',
    question: 'Delete {destinationId}, with its address, its secret and its waiting messages?',
    done: 'Deleted {destinationId}.',
  },
];

export const deprecations: readonly CommandSpec[] = [
  {
    name: 'acknowledge',
    args: '<deprecationId>',
    operation: 'answerDeprecation',
    summary: 'end the notices about a deprecation to the app',
    example: 'deprecations acknowledge ticket-requester-external-id',
    about: '`slipway requests deprecated` lists the deprecations with their ids.',
    fixed: { status: 'acknowledged', snoozedUntil: null },
  },
  {
    name: 'snooze',
    args: '<deprecationId>',
    operation: 'answerDeprecation',
    summary: 'pause the notices about a deprecation to the app until a day',
    example: 'deprecations snooze ticket-requester-external-id --until 2027-01-31',
    body: [
      { ...required('--until <date>', 'day from which notices are written again, in UTC'), field: 'snoozedUntil' },
    ],
    fixed: { status: 'snoozed' },
  },
  {
    name: 'reopen',
    args: '<deprecationId>',
    operation: 'answerDeprecation',
    summary: 'remove the answer to a deprecation, so that notices are written again',
    example: 'deprecations reopen ticket-requester-external-id',
    fixed: { status: 'unanswered', snoozedUntil: null },
  },
];

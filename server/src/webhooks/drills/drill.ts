// The schemas and row type of a receiver drill: how an endpoint's receiver responds to correct and faulty messages, and
// what to change.

import { AppId, OrganisationId } from '../../access/authority/index.ts';
import { readStoredFix } from '../../access/problems/index.ts';
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
import { ATTEMPT_OUTCOMES, EndpointId } from '../webhooks/index.ts';
import { DRILL_STEPS, STEP_NAMES } from './drill-steps.ts';

const DrillId = idSchema('drl', "The drill's identifier.");
export const drillParams = strictObject({ organisationId: OrganisationId, appId: AppId, drillId: DrillId });

export const MAX_ANSWER_LENGTH = 500;
const MAX_PROCESSED = 999_999_999;

const count = (description: string) => integer(description, 0, 100);
const reportedCount = (description: string) => nullable(integer(description, 0, MAX_PROCESSED));

const DrillRequest = namedObject('DrillRequest', 'One message of a drill, with its result.', {
  webhookId: idSchema('evt', 'The `webhook-id` of the message. Events of a drill appear in no feed.'),
  sequence: integer('The event’s sequence on its subject.', 1, 100),
  sentAt: dateTime('When the message was sent.'),
  durationMs: Type.Number({
    minimum: 0,
    maximum: 86_400_000,
    description: 'The duration of the request, in milliseconds.',
  }),
  outcome: oneOf(ATTEMPT_OUTCOMES, '`response`, or the kind of failure.'),
  status: nullable(integer('The HTTP status of the response.', 100, 599)),
  detail: nullable(text('The failure, as a sentence.', { maxLength: 500 })),
  answer: nullable(text('The beginning of the response’s body.', { maxLength: MAX_ANSWER_LENGTH })),
  processedCount: reportedCount(
    'How many events of the subject the receiver has processed, as reported in `Slipway-Drill`.',
  ),
  stateSequence: reportedCount(
    'The sequence that the receiver’s state of the subject shows, as reported in `Slipway-Drill`.',
  ),
});
type DrillRequest = Static<typeof DrillRequest>;

export const DrillStep = namedObject('DrillStep', 'A step of a drill.', {
  name: oneOf(STEP_NAMES, 'The name of the step.'),
  sends: text('The messages that the step sends.', { maxLength: 300 }),
  expects: oneOf(
    ['accepted', 'refused'],
    '`accepted`: the receiver should respond with 2xx. `refused`: with 400 or 401.',
  ),
  verdict: nullable(
    oneOf(
      ['passed', 'failed', 'unseen', 'not_sent'],
      'The result of the step. `unseen`: the responses are correct, but the receiver does not report its effect. `not_sent`: the receiver refused the correct message of the first step, so the other steps could not be judged.',
    ),
  ),
  fix: nullable(text('The change that the receiver needs.', { maxLength: 600 })),
  requests: Type.Array(DrillRequest, {
    maxItems: 10,
    description: 'The messages, in the order in which they were sent.',
  }),
});

/** A message as rows store it: the last two fields have the names of release 0.1.0. */
export interface StoredDrillRequest extends Omit<DrillRequest, 'processedCount' | 'stateSequence'> {
  processed: number | null;
  shownSequence: number | null;
}
export interface StoredDrillStep extends Omit<Static<typeof DrillStep>, 'requests'> {
  requests: StoredDrillRequest[];
}

const fields = {
  id: DrillId,
  endpointId: EndpointId,
  status: oneOf(
    ['running', 'completed', 'stopped'],
    'A drill is stopped when deliveries to its endpoint are no longer allowed.',
  ),
  reason: nullable(text('Why the drill was stopped.', { maxLength: 50 })),
  progress: describedObject('The progress of the drill.', {
    done: count('The number of steps that have ended.'),
    total: count('The number of steps.'),
  }),
  summary: describedObject('The results of the steps so far.', {
    passed: count('The number of steps that the receiver passed.'),
    failed: count('The number of steps that the receiver failed.'),
    unseen: count('The number of steps whose effect the receiver does not report.'),
    notSent: count('The number of steps that were not sent.'),
  }),
  createdBy: text('The member or token that started the drill.', { maxLength: 320 }),
  createdAt: dateTime('When the drill was started.'),
  finishedAt: nullable(dateTime('When the drill ended; null while it is running.')),
};

export const Drill = namedObject('Drill', 'A drill of an endpoint’s receiver.', fields);
export type Drill = Static<typeof Drill>;

export const DrillDetail = namedObject(
  'DrillDetail',
  'A drill with its report: each step with the responses, their durations, and the change that the receiver needs.',
  {
    ...fields,
    steps: Type.Array(DrillStep, { maxItems: 50, description: 'The steps, in the order in which they run.' }),
  },
);
export type DrillDetail = Static<typeof DrillDetail>;

export interface DrillRow {
  drill_id: string;
  endpoint_id: string;
  status: Drill['status'];
  reason: string | null;
  steps: StoredDrillStep[];
  created_by: string;
  created_at: Date;
  finished_at: Date | null;
}

/**
 * Returns the steps of a new drill. Each step contains its plan, so a later version shows the report as it was meant.
 */
export const newSteps = (): StoredDrillStep[] =>
  DRILL_STEPS.map(({ name, sends, expects }) => ({ name, sends, expects, verdict: null, fix: null, requests: [] }));

export function toDrill(row: DrillRow): Drill {
  const { steps } = row;
  const countOf = (verdict: StoredDrillStep['verdict']): number =>
    steps.filter((step) => step.verdict === verdict).length;
  return {
    id: toId('drl', row.drill_id),
    endpointId: toId('whe', row.endpoint_id),
    status: row.status,
    reason: row.reason,
    progress: { done: steps.length - countOf(null), total: steps.length },
    summary: {
      passed: countOf('passed'),
      failed: countOf('failed'),
      unseen: countOf('unseen'),
      notSent: countOf('not_sent'),
    },
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

export const toDrillDetail = (row: DrillRow): DrillDetail => ({
  ...toDrill(row),
  steps: row.steps.map((step) => ({ ...readStoredFix(step), requests: step.requests.map(toDrillRequest) })),
});

const toDrillRequest = ({ processed, shownSequence, ...request }: StoredDrillRequest): DrillRequest => ({
  ...request,
  processedCount: processed,
  stateSequence: shownSequence,
});

const exampleRequest: DrillRequest = {
  webhookId: 'evt_01j9z3v8k6e5t8m2n4p6q8r0sf',
  sequence: 1,
  sentAt: '2026-11-02T10:15:30.250Z',
  durationMs: 12.4,
  outcome: 'response',
  status: 204,
  detail: null,
  answer: '',
  processedCount: 1,
  stateSequence: 1,
};

export const exampleDrillDetail: DrillDetail = {
  id: 'drl_01j9z3v8k6e5t8m2n4p6q8r0sd',
  endpointId: 'whe_01j9z3v8k6e5t8m2n4p6q8r0s8',
  status: 'running',
  reason: null,
  progress: { done: 1, total: 2 },
  summary: { passed: 1, failed: 0, unseen: 0, notSent: 0 },
  createdBy: 'imke@example.org',
  createdAt: '2026-11-02T10:15:30.000Z',
  finishedAt: null,
  steps: [
    {
      name: 'correct',
      sends: DRILL_STEPS[0].sends,
      expects: 'accepted',
      verdict: 'passed',
      fix: null,
      requests: [exampleRequest],
    },
    {
      name: 'wrong_signature',
      sends: 'An event that is signed with another secret.',
      expects: 'refused',
      verdict: null,
      fix: null,
      requests: [],
    },
  ],
};

const { steps: _steps, ...exampleOfList } = exampleDrillDetail;
export const exampleDrill: Drill = exampleOfList;

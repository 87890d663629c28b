// The schemas and row type of a receiver drill: how an endpoint's receiver responds to correct and faulty messages, and
// what to change.

import { AppId, OrganisationId } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { closed, idSchema, moment, named, nullable, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';
import { ATTEMPT_OUTCOMES, EndpointId } from '../webhooks/index.ts';
import { DRILL_STEPS, STEP_NAMES } from './drill-steps.ts';

export const DrillId = idSchema('drl', "The drill's identifier.");
export const drillParams = closed({ organisationId: OrganisationId, appId: AppId, drillId: DrillId });

export const MAX_ANSWER_LENGTH = 500;
const MOST_PROCESSED = 999_999_999;

const count = (description: string) => Type.Integer({ minimum: 0, maximum: 100, description });
const told = (description: string) => nullable(Type.Integer({ minimum: 0, maximum: MOST_PROCESSED, description }));

const DrillRequest = named(
  'DrillRequest',
  closed(
    {
      webhookId: idSchema('evt', 'Its `webhook-id`. It is the drill’s own: no feed has such an event.'),
      sequence: Type.Integer({ minimum: 1, maximum: 100, description: 'Of the event, on its subject.' }),
      sentAt: moment('When it was sent.'),
      durationMs: Type.Number({ minimum: 0, maximum: 86_400_000, description: 'How long it took, in milliseconds.' }),
      outcome: oneOf(ATTEMPT_OUTCOMES, 'Whether there was a response, or the kind of failure.'),
      status: nullable(Type.Integer({ minimum: 100, maximum: 599, description: 'The HTTP status of the response.' })),
      detail: nullable(text('What went wrong, in words.', { maxLength: 500 })),
      answer: nullable(text('The beginning of what the receiver answered.', { maxLength: MAX_ANSWER_LENGTH })),
      processed: told('How many events of the subject it says that it has processed (`Slipway-Drill`).'),
      shownSequence: told('Which sequence of the subject it says that its state shows (`Slipway-Drill`).'),
    },
    { description: 'One message of a drill, and what became of it.' },
  ),
);
export type DrillRequest = Static<typeof DrillRequest>;

export const DrillStep = named(
  'DrillStep',
  closed(
    {
      name: oneOf(STEP_NAMES, 'Which step.'),
      sends: text('What is sent.', { maxLength: 300 }),
      expects: oneOf(['accepted', 'refused'], 'Whether the receiver should answer 2xx, or 400 or 401.'),
      verdict: nullable(
        oneOf(
          ['passed', 'failed', 'unseen', 'not_sent'],
          'What came of it. `unseen`: the answers are right, and the receiver does not tell whether it did the right thing. `not_sent`: the receiver did not accept what is correct, so that nothing else can be judged.',
        ),
      ),
      mend: nullable(text('What to change in the receiver.', { maxLength: 600 })),
      requests: Type.Array(DrillRequest, { maxItems: 10, description: 'What was sent, in its order.' }),
    },
    { description: 'A step of a drill.' },
  ),
);
export type DrillStep = Static<typeof DrillStep>;

const fields = {
  id: DrillId,
  endpointId: EndpointId,
  status: oneOf(['running', 'completed', 'stopped'], 'A drill is stopped when its endpoint may no longer be sent to.'),
  reason: nullable(text('Why it was stopped.', { maxLength: 50 })),
  progress: closed(
    { done: count('How many steps are over.'), total: count('How many there are.') },
    { description: 'How far it has come.' },
  ),
  summary: closed(
    {
      passed: count('Steps that the receiver handles.'),
      failed: count('Steps that it does not.'),
      unseen: count('Steps whose effect it does not tell.'),
      notSent: count('Steps that were left out.'),
    },
    { description: 'What came of its steps so far.' },
  ),
  createdBy: text('Who asked for it.', { maxLength: 320 }),
  createdAt: moment('When it was asked for.'),
  finishedAt: nullable(moment('When it ended, or null.')),
};

export const Drill = named('Drill', closed(fields, { description: 'A drill of an endpoint’s receiver.' }));
export type Drill = Static<typeof Drill>;

export const DrillDetail = named(
  'DrillDetail',
  closed(
    { ...fields, steps: Type.Array(DrillStep, { maxItems: 50, description: 'In the order in which they are taken.' }) },
    { description: 'A drill with its report: each step, what was answered, in what time, and what to mend.' },
  ),
);
export type DrillDetail = Static<typeof DrillDetail>;

export interface DrillRow {
  drill_id: string;
  endpoint_id: string;
  status: Drill['status'];
  reason: string | null;
  steps: DrillStep[];
  created_by: string;
  created_at: Date;
  finished_at: Date | null;
}

/**
 * Returns the steps of a new drill. Each step contains its plan, so a later version shows the report as it was meant.
 */
export const newSteps = (): DrillStep[] =>
  DRILL_STEPS.map(({ name, sends, expects }) => ({ name, sends, expects, verdict: null, mend: null, requests: [] }));

export function toDrill(row: DrillRow): Drill {
  const { steps } = row;
  const countOf = (verdict: DrillStep['verdict']): number => steps.filter((step) => step.verdict === verdict).length;
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

export const toDrillDetail = (row: DrillRow): DrillDetail => ({ ...toDrill(row), steps: row.steps });

const exampleRequest: DrillRequest = {
  webhookId: 'evt_01j9z3v8k6e5t8m2n4p6q8r0sf',
  sequence: 1,
  sentAt: '2026-11-02T10:15:30.250Z',
  durationMs: 12.4,
  outcome: 'response',
  status: 204,
  detail: null,
  answer: '',
  processed: 1,
  shownSequence: 1,
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
      mend: null,
      requests: [exampleRequest],
    },
    {
      name: 'wrong_signature',
      sends: 'An event that is signed with another secret.',
      expects: 'refused',
      verdict: null,
      mend: null,
      requests: [],
    },
  ],
};

const { steps: _steps, ...exampleOfList } = exampleDrillDetail;
export const exampleDrill: Drill = exampleOfList;

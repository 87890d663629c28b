// A run of a workflow: queued, then step by step until it succeeds or fails. In the sandbox, steps have no effect.
import { toId } from '../../kit/crypto/ids.ts';
import {
  dateTime,
  idSchema,
  namedObject,
  namedSchema,
  nullable,
  oneOf,
  type Static,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { ServerId } from '../servers/index.ts';
import { WorkflowId } from './workflow.ts';

export const RUN_STATUSES = ['queued', 'running', 'succeeded', 'failed'] as const;
const STEP_STATUSES = ['waiting', 'running', 'succeeded', 'failed', 'skipped'] as const;

export const WorkflowRunId = idSchema('wfr', 'The identifier of the run.');

// Named, because ogen would call the field of `WorkflowRun` like the schema `WorkflowRunInput`.
export const RunInput = namedSchema(
  'WorkflowInput',
  Type.Object(
    {},
    {
      additionalProperties: true,
      maxProperties: 50,
      description: 'The input of the run. It must match the workflow’s schema.',
    },
  ),
);

const RunStep = namedObject('WorkflowRunStep', 'A step of a run.', {
  name: text('The name.', { maxLength: 100 }),
  status: oneOf(STEP_STATUSES, 'The status. The steps after a failed step are skipped.'),
  startedAt: nullable(dateTime('The start time, or null before the start.')),
  finishedAt: nullable(dateTime('The end time, or null before the end.')),
});
export type RunStep = Static<typeof RunStep>;

export const WorkflowRunInput = namedObject('WorkflowRunInput', 'A run to begin.', { input: RunInput });

export const WorkflowRun = namedObject('WorkflowRun', 'A run of a workflow.', {
  id: WorkflowRunId,
  workflowId: WorkflowId,
  serverId: ServerId,
  status: oneOf(RUN_STATUSES, 'The status.'),
  input: RunInput,
  output: nullable(
    Type.Object({}, { additionalProperties: true, description: 'The output of a succeeded run, or null.' }),
  ),
  steps: Type.Array(RunStep, { maxItems: 20, description: 'The steps, in the order of execution.' }),
  createdAt: dateTime('The creation time.'),
  finishedAt: nullable(dateTime('The end time, or null before the end.')),
});
export type WorkflowRun = Static<typeof WorkflowRun>;

export interface WorkflowRunRow {
  workflow_run_id: string;
  workflow_id: string;
  server_id: string;
  status: (typeof RUN_STATUSES)[number];
  input: Record<string, unknown>;
  output: Record<string, unknown> | null;
  steps: RunStep[];
  /** Null for a run that was triggered from the Console. */
  request_id: string | null;
  event_sequence: number;
  created_at: Date;
  finished_at: Date | null;
}

export function toWorkflowRun(row: WorkflowRunRow): WorkflowRun {
  return {
    id: toId('wfr', row.workflow_run_id),
    workflowId: toId('wfl', row.workflow_id),
    serverId: toId('srv', row.server_id),
    status: row.status,
    input: row.input,
    output: row.output,
    steps: row.steps,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

export const exampleNewRun: Static<typeof WorkflowRunInput> = { input: { memberName: 'Imke' } };

export const exampleRun: WorkflowRun = {
  id: 'wfr_01j9z3v8k6e5t8m2n4p6q8r0sd',
  workflowId: 'wfl_01j9z3v8k6e5t8m2n4p6q8r0sc',
  serverId: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2',
  status: 'queued',
  input: { memberName: 'Imke' },
  output: null,
  steps: [
    { name: 'greet', status: 'waiting', startedAt: null, finishedAt: null },
    { name: 'assign roles', status: 'waiting', startedAt: null, finishedAt: null },
  ],
  createdAt: '2026-11-02T10:15:30.000Z',
  finishedAt: null,
};

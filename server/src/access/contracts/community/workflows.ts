// A workflow: a procedure that the team of a community has prepared and allows apps to run. A run goes through its steps
// until it succeeds or fails. In the sandbox, steps have no effect.

import { memo } from '../../../kit/flow/memo.ts';
import { linkOfFirst } from '../../../kit/http/page.ts';
import {
  dateTime,
  integer,
  namedObject,
  namedSchema,
  nullable,
  oneOf,
  schemaErrors,
  type TSchema,
  Type,
  text,
} from '../../../kit/http/schema.ts';
import type { InvalidPart } from '../../../kit/openapi/problems.ts';
import { resource } from '../contract.ts';
import { nextTransition, type RunState } from './run-transition.ts';
import { servers } from './servers.ts';

const object = (properties: Record<string, unknown>, required: string[]): Record<string, unknown> => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const line = (maxLength: number): Record<string, unknown> => ({ type: 'string', minLength: 1, maxLength });

const KINDS = [
  {
    name: 'Welcome a member',
    description: 'Greets a new member and gives them the roles that they asked for.',
    inputSchema: object({ memberName: line(100), roles: { type: 'array', items: line(50), maxItems: 10 } }, [
      'memberName',
    ]),
    steps: ['greet', 'assign roles'],
    failingStep: null,
    enabled: true,
  },
  {
    name: 'Announce an event',
    description: 'Drafts an announcement, has it checked, and posts it in the channel.',
    inputSchema: object(
      { title: line(200), channel: line(100), seats: { type: 'integer', minimum: 1, maximum: 10_000 } },
      ['title', 'channel'],
    ),
    steps: ['draft', 'check', 'post'],
    failingStep: null,
    enabled: true,
  },
  {
    name: 'Rehearse a failure',
    description: 'Always fails at its second step, so that you can see how your integration takes it.',
    inputSchema: object({ note: line(500) }, []),
    steps: ['prepare', 'fail', 'clean up'],
    failingStep: 2,
    enabled: true,
  },
  {
    name: 'Close the season',
    description: 'Archives what is past. Its team has switched it off for now.',
    inputSchema: object({ year: { type: 'integer', minimum: 2020, maximum: 2100 } }, ['year']),
    steps: ['collect', 'archive'],
    failingStep: null,
    enabled: false,
  },
];

const DISABLED = { named: 'The workflow is disabled.', any: 'Every workflow is disabled.' };

export const workflows = resource({
  file: import.meta.url,
  name: 'Workflow',
  kind: 'workflow',
  plural: 'workflows',
  noun: 'workflow',
  description: 'A procedure that a community’s team has prepared and allows apps to run.',
  path: 'workflows',
  tag: 'Workflows',
  idPrefix: 'wfl',
  parent: servers,
  scope: 'workflows:run',
  origin: 'seeded',
  fields: {
    name: text('The name.', { maxLength: 100 }),
    description: text('The effect of a run.', { maxLength: 1_000 }),
    inputSchema: Type.Object(
      {},
      { additionalProperties: true, description: 'The JSON Schema (2020-12) of a run’s input.' },
    ),
    enabled: Type.Boolean({ description: 'True if the workflow can be run.' }),
    createdAt: dateTime('The creation time.'),
  },
  hidden: {
    steps: Type.Array(text('The name of a step.', { maxLength: 100 }), { minItems: 1, maxItems: 20 }),
    failingStep: nullable(integer('The number of the step that fails, from 1; null if none does.', 1, 20)),
  },
  example: {
    id: 'wfl_01j9z3v8k6e5t8m2n4p6q8r0sc',
    serverId: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s2',
    name: 'Welcome a member',
    description: 'Greets a new member and gives them the roles that they asked for.',
    inputSchema: {
      type: 'object',
      properties: { memberName: { type: 'string', minLength: 1, maxLength: 100 } },
      required: ['memberName'],
      additionalProperties: false,
    },
    enabled: true,
    createdAt: '2026-08-03T12:00:00.000Z',
  },
  list: {
    id: 'listWorkflows',
    summary: 'List the workflows of a server',
    description: 'Lists the workflows of a server that has authorised this app with `workflows:run`, newest first.',
    links: { aRun: linkOfFirst('createWorkflowRun', 'workflowId', 'A run of a workflow of the page.') },
  },
  events: {},
  // One of each kind. One of them fails, so that clients can test failures.
  sandbox: {
    segment: 'workflow',
    halfTimeCount: 40,
    count: KINDS.length,
    synthesise: ({ index }) => ({ ...KINDS[index] }),
  },
});

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
  status: oneOf(
    ['waiting', 'running', 'succeeded', 'failed', 'skipped'],
    'The status. The steps after a failed step are skipped.',
  ),
  startedAt: nullable(dateTime('The start time, or null before the start.')),
  finishedAt: nullable(dateTime('The end time, or null before the end.')),
});

/** The delay between the creation of a run and its first step. */
const FIRST_STEP_AFTER_MS = 500;
/** The duration of each step. */
const STEP_MS = 1_000;
const MAX_SCHEMAS = 200;
// The schema is parsed into a new object on each read, so the cache uses its text as the key and compiles each
// validator once.
const schemaOf = memo((text) => JSON.parse(text) as TSchema, MAX_SCHEMAS); // TypeBox takes any JSON Schema

interface StoredWorkflow {
  enabled: boolean;
  inputSchema: object;
  steps: readonly string[];
  failingStep: number | null;
}

/** Returns the steps of a new run. */
export const waitingSteps = ({ steps }: Pick<StoredWorkflow, 'steps'>): RunState['steps'] =>
  steps.map((name) => ({ name, status: 'waiting', startedAt: null, finishedAt: null }));

/** Returns the invalid parts of the input of a run. `root` is the JSON pointer of the input in the request. */
export const inputErrors = (
  { inputSchema }: Pick<StoredWorkflow, 'inputSchema'>,
  input: unknown,
  root: string,
): InvalidPart[] => schemaErrors(schemaOf(JSON.stringify(inputSchema)), input, root);

export const workflowRuns = resource({
  file: import.meta.url,
  name: 'WorkflowRun',
  kind: 'workflow_run',
  plural: 'workflowRuns',
  noun: 'run',
  description: 'A run of a workflow.',
  path: 'workflow-runs',
  tag: 'Workflows',
  idPrefix: 'wfr',
  parent: workflows,
  scope: 'workflows:run',
  origin: 'made',
  fields: {
    status: oneOf(['queued', 'running', 'succeeded', 'failed'], 'The status.'),
    input: RunInput,
    output: nullable(
      Type.Object({}, { additionalProperties: true, description: 'The output of a succeeded run, or null.' }),
    ),
    steps: Type.Array(RunStep, { maxItems: 20, description: 'The steps, in the order of execution.' }),
    createdAt: dateTime('The creation time.'),
    finishedAt: nullable(dateTime('The end time, or null before the end.')),
  },
  states: { queued: ['running'], running: ['succeeded', 'failed'], succeeded: [], failed: [] },
  example: {
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
  },
  get: {
    description: 'Returns the current state of a run that this app created.',
    exampleName: 'aRun',
  },
  events: {
    'workflow_run.started': { meaning: 'A workflow run started.', creates: true, refusal: DISABLED },
    'workflow_run.succeeded': { meaning: 'A workflow run succeeded.', creates: true, refusal: DISABLED },
    'workflow_run.failed': { meaning: 'A workflow run failed.', creates: true, refusal: DISABLED },
  },
  onCreate({ input: { input }, parent }: { input: { input: object }; parent: StoredWorkflow }) {
    if (!parent.enabled) return { problem: 'conflict' as const, extra: { detail: DISABLED.named } };
    const errors = inputErrors(parent, input, '/input');
    if (errors.length > 0) return { problem: 'workflow_input_invalid' as const, extra: { errors } };
    return { set: { input, steps: waitingSteps(parent) }, dueInMs: FIRST_STEP_AFTER_MS };
  },
  onDue({ object, parent, now }: { object: RunState; parent: Pick<StoredWorkflow, 'failingStep'>; now: Date }) {
    const { event, ...set } = nextTransition(object, parent.failingStep, now);
    const isOver = set.status === 'succeeded' || set.status === 'failed';
    return { set, event, dueInMs: isOver ? undefined : STEP_MS };
  },
});

// A workflow: a procedure that the team of a community has prepared and allows apps to run. A run goes through its steps
// until it succeeds or fails. In the sandbox, steps have no effect.
import { linkOfFirst } from '../../../kit/http/page.ts';
import { dateTime, namedObject, namedSchema, nullable, oneOf, Type, text } from '../../../kit/http/schema.ts';
import { resource } from '../contract.ts';
import { servers } from './servers.ts';

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

export const RunStep = namedObject('WorkflowRunStep', 'A step of a run.', {
  name: text('The name.', { maxLength: 100 }),
  status: oneOf(
    ['waiting', 'running', 'succeeded', 'failed', 'skipped'],
    'The status. The steps after a failed step are skipped.',
  ),
  startedAt: nullable(dateTime('The start time, or null before the start.')),
  finishedAt: nullable(dateTime('The end time, or null before the end.')),
});

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
});

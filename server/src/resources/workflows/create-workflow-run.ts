import { allowKeyWriteOnServer, type TenantReader } from '../../access/authority/index.ts';
import { workflowRuns, workflows } from '../../access/contracts/index.ts';
import { newUuid, toId, toUuid } from '../../kit/crypto/ids.ts';
import { accepted, type Inputs, operation } from '../../kit/http/operation.ts';
import { linkOfObject } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findWorkflow, insertRun } from './store.ts';
import { toStoredWorkflow, type WorkflowRow } from './workflow.ts';
import { exampleNewRun, toWorkflowRun, WorkflowRun, WorkflowRunInput } from './workflow-run.ts';

const findRequestedWorkflow = async (
  tenant: TenantReader,
  { workflowId }: Inputs['ids'],
): Promise<WorkflowRow | undefined> => (workflowId === undefined ? undefined : findWorkflow(tenant, workflowId));

export const createWorkflowRun = operation({
  id: 'createWorkflowRun',
  route: 'POST /v1/workflows/{workflowId}/runs',
  tag: 'Workflows',
  summary: 'Run a workflow',
  description:
    'Creates a run of a workflow on a server that has authorised this app with `workflows:run`. The run is queued: read its status, or wait for `workflow_run.succeeded` or `workflow_run.failed`. In the sandbox the steps of a run have no effect. Accepts an `Idempotency-Key`.',
  // Reads the workflow twice, because a reset can remove it before the app and its server are locked.
  access: allowKeyWriteOnServer('workflows:run', {
    serverOf: async (tenant, ids) => (await findRequestedWorkflow(tenant, ids))?.server_id,
    prepare: (tenant, { ids }) => findRequestedWorkflow(tenant, ids),
  }),
  params: strictObject({ workflowId: workflows.id }),
  body: WorkflowRunInput,
  examples: { aRun: exampleNewRun },
  replies: accepted(
    'The queued run.',
    WorkflowRun,
    { aRun: workflowRuns.example },
    {
      headers: ['Location'],
      links: {
        theRun: linkOfObject('getWorkflowRun', 'workflowRunId', 'The current state of the run.'),
      },
    },
  ),
  problems: ['conflict', 'workflow_input_invalid'],
  async run({ plane, tenant, requestId, prepared: workflow }, { body }) {
    if (!workflow) throw problem('not_found');
    const decision = workflowRuns.onCreate({ input: body, parent: toStoredWorkflow(workflow) });
    if ('problem' in decision) throw problem(decision.problem, decision.extra);
    const { set, dueInMs } = decision;
    const requestUuid = toUuid('req', requestId);
    const row = await insertRun(tenant, { runId: newUuid(), workflow, ...set, requestUuid, dueInMs });
    const location = `${plane.urls.public}/v1/workflow-runs/${toId('wfr', row.workflow_run_id)}`;
    return { status: 202, body: toWorkflowRun(row), headers: { location } };
  },
});

import { allowKeyRead, requireGrant } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findRun } from './store.ts';
import { exampleRun, toWorkflowRun, WorkflowRun, WorkflowRunId } from './workflow-run.ts';

export const getWorkflowRun = operation({
  id: 'getWorkflowRun',
  route: 'GET /v1/workflow-runs/{workflowRunId}',
  tag: 'Workflows',
  summary: 'Get a run',
  description: 'Returns the current state of a run that this app created.',
  access: allowKeyRead('workflows:run', { serverParam: true }),
  params: strictObject({ workflowRunId: WorkflowRunId }),
  replies: ok('The run.', WorkflowRun, { aRun: exampleRun }),
  run(context, { ids }) {
    return context.page('activity', async (tenant) => {
      const { revision, row } = await findRun(tenant, ids.workflowRunId);
      if (!row) throw problem('not_found');
      await requireGrant(tenant, row.server_id, 'workflows:run');
      return { revision, subjectId: row.server_id, json: JSON.stringify(toWorkflowRun(row)) };
    });
  },
});

import { allowKeyRead, listPage } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { linkOfFirst, listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { ServerId } from '../servers/index.ts';
import { listWorkflowRows } from './store.ts';
import { exampleWorkflow, toWorkflow, Workflow } from './workflow.ts';

export const listWorkflows = operation({
  id: 'listWorkflows',
  route: 'GET /v1/servers/{serverId}/workflows',
  tag: 'Workflows',
  summary: 'List the workflows of a server',
  description: 'Lists the workflows of a server that has authorised this app with `workflows:run`, newest first.',
  access: allowKeyRead('workflows:run', { serverParam: true }),
  params: strictObject({ serverId: ServerId }),
  query: strictObject(listQuery),
  replies: listReplies('WorkflowList', Workflow, 'A page of workflows.', exampleWorkflow, {
    headers: ['Link'],
    links: { aRun: linkOfFirst('createWorkflowRun', 'workflowId', 'A run of a workflow of the page.') },
  }),
  run: (context, { ids: { serverId } }) =>
    listPage(context, {
      collection: 'workflows',
      prefix: 'wfl',
      idOf: (row) => row.workflow_id,
      toItem: toWorkflow,
      granted: { serverId, scope: 'workflows:run' },
      load: (tenant, after, limit) => listWorkflowRows(tenant, serverId, after, limit),
    }),
});

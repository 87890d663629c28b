// The mutations of the default contract: tickets, and runs of workflows.
import { workflows } from '../../access/contracts/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import type { ForwardContext } from './forward-read.ts';
import type { MutationForm } from './forward-write.ts';
import { get, headersFor } from './gateway.ts';
import { fieldsOf, readAnswer, requireMatch, toValidJson } from './upstream-response.ts';

/** Paths of the created objects. */
const PLACES: Readonly<Record<string, string>> = {
  createTicket: '/v1/tickets',
  createWorkflowRun: '/v1/workflow-runs',
};

const serverOf = (object: Record<string, unknown>): string | undefined => fromId('srv', String(object.serverId));

export const communityMutations: MutationForm = {
  findServerId: async (forwarded) => forwarded.inputs.ids.serverId ?? readServerIdUpstream(forwarded),
  serverIn: (body) => serverOf(fieldsOf(JSON.parse(body))),
  read({ operation, plane, inputs }, result, { serverId, isRepeat }) {
    const status = Number(Object.keys(operation.replies)[0]);
    const made = fieldsOf(readAnswer(result, status, { operation, isRepeat }));
    const json = toValidJson(operation.replies[status]?.schema, made);
    const { workflowId = made.workflowId } = inputs.params;
    requireMatch(serverOf(made) === serverId, made.workflowId === workflowId);
    return { status, json, headers: { location: `${plane.urls.public}${PLACES[operation.id]}/${made.id}` } };
  },
};

/** Returns the server of the workflow in the path. */
async function readServerIdUpstream(forwarded: ForwardContext): Promise<string> {
  const { gateway, operation, caller, plane, incoming, inputs } = forwarded;
  const { workflowId } = inputs.params;
  const headers = await headersFor(gateway, { caller, plane, incoming, serverId: undefined });
  const path = `/v1/workflows/${encodeURIComponent(workflowId ?? '')}`;
  const workflow = fieldsOf(
    readAnswer(await get(gateway, incoming, path, headers), 200, { operation, isRepeat: false }),
  );
  toValidJson(workflows.schema, workflow);
  requireMatch(workflow.id === workflowId);
  return serverOf(workflow) ?? '';
}

import { allowAppManagement } from '../../access/authority/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { accepted, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { authoriseEndpoint } from '../dispatch/index.ts';
import { endpointParams } from '../webhooks/index.ts';
import { DrillDetail, exampleDrillDetail, newSteps, toDrillDetail } from './drill.ts';
import { deleteOldDrills, insertDrill, listDrilledEndpoints } from './store.ts';

/** Maximum number of running drills per app, because drills share the workers with the deliveries of all apps. */
const MAX_RUNNING_PER_APP = 5;
const MAX_STORED = 20;

export const createDrill = operation({
  id: 'createDrill',
  route: 'POST /organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/drills',
  tag: 'Webhooks',
  summary: 'Start a drill',
  description:
    'Tests how the endpoint’s receiver handles correct and faulty messages. The drill sends a correct event, duplicates, a delayed event, events out of order, two signatures, a stale timestamp, a wrong signature, no signature, and a body that was changed after it was signed. These events have the `type` `drill` and appear in no feed. For each step the report says whether the receiver passed, and what to change. Only the receiver knows whether it processed a duplicate twice: it can report that in the response header `Slipway-Drill: processed=N, sequence=S`. An endpoint has at most one running drill.',
  access: allowAppManagement('endpoints.change'),
  params: endpointParams,
  replies: accepted('The drill. A worker runs it.', DrillDetail, { aDrill: exampleDrillDetail }),
  problems: ['conflict', 'quota_exceeded'],
  async run({ actor, tenant, audit }, { ids: { endpointId }, params }) {
    const decision = await authoriseEndpoint(tenant, endpointId);
    if (!decision) throw problem('not_found');
    if (decision.verdict !== 'allow') {
      throw problem('conflict', { detail: `Nothing can be sent to the endpoint now: ${decision.reason}.` });
    }
    const drilled = await listDrilledEndpoints(tenant);
    if (drilled.includes(endpointId))
      throw problem('conflict', { detail: 'A drill of the endpoint is already running. Wait until it ends.' });
    if (drilled.length >= MAX_RUNNING_PER_APP) {
      throw problem('quota_exceeded', { detail: `An app can have at most ${MAX_RUNNING_PER_APP} running drills.` });
    }
    await deleteOldDrills(tenant, endpointId, MAX_STORED - 1);
    const row = await insertDrill(tenant, {
      drillId: newUuid(),
      endpointId,
      steps: newSteps(),
      createdBy: actor.name,
    });
    const drill = toDrillDetail(row);
    audit('endpoint.drill', params.endpointId, { drillId: drill.id });
    return { status: 202, body: drill };
  },
});

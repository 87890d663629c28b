import { managesApp } from '../../access/authority/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { judgeEndpoint } from '../dispatch/index.ts';
import { endpointParams } from '../webhooks/index.ts';
import { DrillDetail, exampleDrillDetail, newSteps, toDrillDetail } from './drill.ts';
import { deleteOldDrills, insertDrill, listDrilled } from './store.ts';

/** Maximum number of running drills per app, because drills share the workers with the deliveries of all apps. */
const MOST_AT_ONCE = 5;
const KEPT = 20;

export const createDrill = operation({
  id: 'createDrill',
  method: 'POST',
  path: '/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/drills',
  tag: 'Webhooks',
  summary: 'Start a drill',
  description:
    'Sends the endpoint what really happens to webhooks, with events of the drill’s own (their `type` is `drill`, and no feed has them): a correct one, duplicates, a delayed one, a shuffled order, two signatures, a stale timestamp, a wrong signature, none, and a body that was changed after it was signed. The report says of each step whether the receiver handles it, and what to change. Whether a duplicate was processed twice only the receiver knows: it may tell, by answering such messages with the header `Slipway-Drill: processed=N, sequence=S`. One at a time for each endpoint.',
  access: managesApp('endpoints.change'),
  params: endpointParams,
  replies: {
    202: {
      description: 'The drill, which a worker carries out.',
      schema: DrillDetail,
      examples: { aDrill: exampleDrillDetail },
    },
  },
  problems: ['conflict', 'quota_exceeded'],
  async run({ actor, tenant, audit }, { ids: { endpointId }, params }) {
    const judgement = await judgeEndpoint(tenant, endpointId);
    if (!judgement) throw problem('not_found');
    if (judgement.verdict !== 'allow') {
      throw problem('conflict', { detail: `Nothing may be sent to the endpoint now: ${judgement.reason}.` });
    }
    const drilled = await listDrilled(tenant);
    if (drilled.includes(endpointId)) throw problem('conflict', { detail: 'A drill of the endpoint is running.' });
    if (drilled.length >= MOST_AT_ONCE) {
      throw problem('quota_exceeded', { detail: `An app has at most ${MOST_AT_ONCE} drills at a time.` });
    }
    await deleteOldDrills(tenant, endpointId, KEPT - 1);
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

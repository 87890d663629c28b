import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { MAX_WAITING } from './plan-redelivery.ts';
import { exampleRedelivery, Redelivery, RedeliveryChange, redeliveryParams, toRedelivery } from './redelivery.ts';
import { lockRedelivery, updateRedeliveryRow } from './store.ts';

export const updateRedelivery = operation({
  id: 'updateRedelivery',
  route: 'PATCH /organisations/{organisationId}/apps/{appId}/redeliveries/{redeliveryId}',
  tag: 'Webhooks',
  summary: 'Pause, resume or cancel a redelivery job',
  description: `Pauses, resumes or cancels a redelivery job, or changes its rate. After this call returns, a paused job creates no delivery. Deliveries that it created before continue; at most ${MAX_WAITING} of them were not attempted yet. A cancelled job cannot be resumed. Its deliveries that wait, for a first attempt or for a retry, are cancelled within seconds with the reason \`redelivery_cancelled\`. Another job can select them by that reason.`,
  access: allowAppManagement('deliveries.redeliver'),
  params: redeliveryParams,
  body: RedeliveryChange,
  examples: { pause: { state: 'paused' }, cancel: { state: 'cancelled' }, slower: { ratePerSecond: 5 } },
  replies: ok('The updated redelivery job.', Redelivery, { paused: { ...exampleRedelivery, state: 'paused' } }),
  problems: ['conflict'],
  async run({ actor, tenant, audit }, { ids: { redeliveryId }, params, body }) {
    const row = await lockRedelivery(tenant, redeliveryId);
    if (!row) throw problem('not_found');
    const { state = row.state, ratePerSecond = row.rate_per_second } = body;
    if (state === row.state && ratePerSecond === row.rate_per_second) return { status: 200, body: toRedelivery(row) };
    if (row.state === 'cancelled' || row.state === 'finished') {
      throw problem('conflict', { detail: `The redelivery job has ended: ${row.state}.` });
    }
    const changed = await updateRedeliveryRow(tenant, redeliveryId, { state, ratePerSecond, by: actor.name });
    audit('redelivery.update', params.redeliveryId, body);
    return { status: 200, body: toRedelivery(changed ?? row) };
  },
});

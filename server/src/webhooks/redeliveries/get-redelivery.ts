import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { listOutcomes } from './list-outcomes.ts';
import { exampleRedelivery, RedeliveryDetail, redeliveryParams, toRedelivery } from './redelivery.ts';
import { findRedeliveryRow } from './store.ts';

export const getRedelivery = operation({
  id: 'getRedelivery',
  route: 'GET /organisations/{organisationId}/apps/{appId}/redeliveries/{redeliveryId}',
  tag: 'Webhooks',
  summary: 'Get a redelivery job',
  description:
    'Returns the progress of a redelivery job and the outcomes of its deliveries so far. `listDeliveries` lists the deliveries themselves.',
  access: allowAppManagement('deliveries.read'),
  params: redeliveryParams,
  replies: ok('The redelivery job.', RedeliveryDetail, {
    running: {
      ...exampleRedelivery,
      deliveries: [
        { status: 'pending', reason: null, count: 12 },
        { status: 'succeeded', reason: null, count: 388 },
      ],
      isCountComplete: true,
    },
  }),
  async run({ tenant }, { ids: { redeliveryId } }) {
    const row = await findRedeliveryRow(tenant, redeliveryId);
    if (!row) throw problem('not_found');
    const { outcomes, isExact } = await listOutcomes(tenant, redeliveryId);
    return { status: 200, body: { ...toRedelivery(row), deliveries: outcomes, isCountComplete: isExact } };
  },
});

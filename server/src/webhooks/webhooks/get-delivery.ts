import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { toAttempt } from './attempt.ts';
import { DeliveryDetail, deliveryParams, exampleDelivery, toDelivery } from './delivery.ts';
import { exampleEndpoint } from './endpoint.ts';
import { findDeliveryRow, listAttemptRows } from './store.ts';

export const getDelivery = operation({
  id: 'getDelivery',
  route: 'GET /organisations/{organisationId}/apps/{appId}/deliveries/{deliveryId}',
  tag: 'Webhooks',
  summary: 'Get a delivery',
  description: 'Returns a delivery with the exact body that is sent and all attempts.',
  access: allowAppManagement('deliveries.read'),
  params: deliveryParams,
  replies: ok('The delivery.', DeliveryDetail, {
    aDelivery: {
      ...exampleDelivery,
      body: '{"id":"evt_01j9z3v8k6e5t8m2n4p6q8r0sa","type":"ticket.created"}',
      attempts: [
        {
          number: 1,
          startedAt: '2026-11-02T10:15:30.020Z',
          durationMs: 41.7,
          outcome: 'response',
          status: 204,
          detail: null,
          responseHeaders: { date: 'Mon, 02 Nov 2026 10:15:30 GMT' },
          responseBody: '',
          isBodyTruncated: false,
          url: 'https://bridge.example.org/hooks/slipway',
          keyId: exampleEndpoint.keyId,
        },
      ],
    },
  }),
  async run({ tenant }, { ids: { deliveryId } }) {
    const row = await findDeliveryRow(tenant, deliveryId);
    if (!row) throw problem('not_found');
    const attempts = await listAttemptRows(tenant, deliveryId);
    return { status: 200, body: { ...toDelivery(row), body: row.body, attempts: attempts.map(toAttempt) } };
  },
});

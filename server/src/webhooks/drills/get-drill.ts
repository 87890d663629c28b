import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { DrillDetail, drillParams, exampleDrillDetail, toDrillDetail } from './drill.ts';
import { findDrillRow } from './store.ts';

export const getDrill = operation({
  id: 'getDrill',
  route: 'GET /organisations/{organisationId}/apps/{appId}/drills/{drillId}',
  tag: 'Webhooks',
  summary: 'Get a drill',
  description: 'Returns a drill with its report so far.',
  access: allowAppManagement('endpoints.read'),
  params: drillParams,
  replies: ok('The drill.', DrillDetail, { aDrill: exampleDrillDetail }),
  async run({ tenant }, { ids }) {
    const row = await findDrillRow(tenant, ids.drillId);
    if (!row) throw problem('not_found');
    return { status: 200, body: toDrillDetail(row) };
  },
});

import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { listGapRows } from './gap-store.ts';
import { MAX_GAPS, RecordGapList, toGapList } from './record-gap.ts';

export const listRecordGaps = operation({
  id: 'listRecordGaps',
  route: 'GET /organisations/{organisationId}/apps/{appId}/record-gaps',
  tag: 'Requests',
  summary: 'List gaps of the records',
  description:
    'Lists the minutes in which requests of the app were answered without a record, newest first. A record is lost if the database does not commit it within 500 ms: a response waits no longer. Gaps are kept as long as records.',
  access: allowAppManagement('requests.read'),
  params: appParams,
  replies: ok('The gaps.', RecordGapList, {
    aGap: { data: [{ minute: '2026-11-02T10:15:00.000Z', lost: 12 }], lost: 12 },
    none: { data: [], lost: 0 },
  }),
  async run({ tenant }) {
    return { status: 200, body: toGapList(await listGapRows(tenant, MAX_GAPS)) };
  },
});

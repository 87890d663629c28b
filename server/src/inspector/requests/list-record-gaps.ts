import { appParams, managesApp } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listGapRows } from './gap-store.ts';
import { MAX_GAPS, RecordGapList, toGapList } from './record-gap.ts';

export const listRecordGaps = operation({
  id: 'listRecordGaps',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/record-gaps',
  tag: 'Requests',
  summary: 'List gaps of the records',
  description:
    'When requests of the app were answered whose records could not be kept, because the database did not take them within half a second: the minutes, newest first. An answer is not held up for longer than that. Kept as long as records are.',
  access: managesApp('requests.read'),
  params: appParams,
  replies: {
    200: {
      description: 'The gaps.',
      schema: RecordGapList,
      examples: {
        aGap: { data: [{ minute: '2026-11-02T10:15:00.000Z', lost: 12 }], lost: 12 },
        none: { data: [], lost: 0 },
      },
    },
  },
  async run({ tenant }) {
    return { status: 200, body: toGapList(await listGapRows(tenant, MAX_GAPS)) };
  },
});

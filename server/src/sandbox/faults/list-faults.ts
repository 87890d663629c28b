import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { exampleFault, Fault, toFault } from './fault.ts';
import { listFaultRows } from './store.ts';

export const listFaults = operation({
  id: 'listFaults',
  route: 'GET /organisations/{organisationId}/apps/{appId}/faults',
  tag: 'Faults',
  summary: 'List fault rules',
  description: 'Lists the rules that simulate faults for the app’s calls, newest first.',
  access: allowAppManagement('faults.read'),
  params: appParams,
  query: strictObject(listQuery),
  replies: listReplies('FaultList', Fault, 'A page of fault rules.', exampleFault),
  run: ({ tenant, paged }) =>
    paged({
      prefix: 'flt',
      load: (after, limit) => listFaultRows(tenant, after, limit),
      toItem: toFault,
      idOf: (row) => row.fault_id,
    }),
});

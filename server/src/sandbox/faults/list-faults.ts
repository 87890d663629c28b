import { appParams, cursorBinding, managesApp } from '../../access/authority/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT, listOf, listQuery, openCursor, sealCursor, toList } from '../../kit/http/page.ts';
import { closed, named } from '../../kit/http/schema.ts';
import { exampleFault, Fault, toFault } from './fault.ts';
import { listFaultRows } from './store.ts';

export const listFaults = operation({
  id: 'listFaults',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/faults',
  tag: 'Faults',
  summary: 'List fault rules',
  description: "The rules by which the app's calls meet faults, newest first.",
  access: managesApp('faults.read'),
  params: appParams,
  query: closed(listQuery),
  replies: {
    200: {
      description: 'A page of rules.',
      schema: named('FaultList', listOf(Fault, 'A page of fault rules.')),
      examples: { aPage: { data: [exampleFault], nextCursor: null } },
    },
  },
  async run({ plane, tenant }, { query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const binding = cursorBinding(tenant.appId, 'listFaults', query);
    const position = openCursor(query.cursor, binding, plane.cursorKey);
    const after = position === undefined ? undefined : fromId('flt', position);
    const rows = await listFaultRows(tenant, after, limit + 1);
    const body = toList(rows, limit, toFault, (row) => sealCursor(toId('flt', row.fault_id), binding, plane.cursorKey));
    return { status: 200, body };
  },
});

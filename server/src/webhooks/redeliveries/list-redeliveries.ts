import { appParams, cursorBinding, managesApp } from '../../access/authority/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT, listOf, listQuery, openCursor, sealCursor, toList } from '../../kit/http/page.ts';
import { closed, named } from '../../kit/http/schema.ts';
import { exampleRedelivery, Redelivery, toRedelivery } from './redelivery.ts';
import { listRedeliveryRows } from './store.ts';

export const listRedeliveries = operation({
  id: 'listRedeliveries',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/redeliveries',
  tag: 'Webhooks',
  summary: 'List redeliveries',
  description: 'The redeliveries of many that were started, newest first, with how far they have come.',
  access: managesApp('deliveries.read'),
  params: appParams,
  query: closed(listQuery),
  replies: {
    200: {
      description: 'A page of redeliveries.',
      schema: named('RedeliveryList', listOf(Redelivery, 'A page of redeliveries.')),
      examples: { aPage: { data: [exampleRedelivery], nextCursor: null } },
    },
  },
  async run({ plane, tenant }, { query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const binding = cursorBinding(tenant.appId, 'listRedeliveries', query);
    const position = openCursor(query.cursor, binding, plane.cursorKey);
    const after = position === undefined ? undefined : fromId('rdl', position);
    const rows = await listRedeliveryRows(tenant, after, limit + 1);
    const body = toList(rows, limit, toRedelivery, (row) =>
      sealCursor(toId('rdl', row.redelivery_id), binding, plane.cursorKey),
    );
    return { status: 200, body };
  },
});

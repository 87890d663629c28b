import { appParams, cursorBinding, managesApp } from '../../access/authority/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT, listOf, listQuery, openCursor, sealCursor, toList } from '../../kit/http/page.ts';
import { closed, named } from '../../kit/http/schema.ts';
import { exampleKey, Key, toKey } from './key.ts';
import { listKeyRows } from './store.ts';

export const listKeys = operation({
  id: 'listKeys',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/keys',
  tag: 'Keys',
  summary: 'List keys',
  description: "The app's keys, newest first, without their secrets.",
  access: managesApp('keys.read'),
  params: appParams,
  query: closed(listQuery),
  replies: {
    200: {
      description: 'A page of keys.',
      schema: named('KeyList', listOf(Key, 'A page of keys.')),
      examples: { aPage: { data: [exampleKey], nextCursor: null } },
    },
  },
  async run({ plane, tenant }, { query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const binding = cursorBinding(tenant.appId, 'listKeys', query);
    const position = openCursor(query.cursor, binding, plane.cursorKey);
    const rows = await listKeyRows(tenant, position === undefined ? undefined : fromId('key', position), limit + 1);
    const body = toList(rows, limit, toKey, (row) => sealCursor(toId('key', row.key_id), binding, plane.cursorKey));
    return { status: 200, body };
  },
});

import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { exampleKey, Key, toKey } from './key.ts';
import { listKeyRows } from './store.ts';

export const listKeys = operation({
  id: 'listKeys',
  route: 'GET /organisations/{organisationId}/apps/{appId}/keys',
  tag: 'Keys',
  summary: 'List keys',
  description: "Lists the app's keys without their secrets, newest first.",
  access: allowAppManagement('keys.read'),
  params: appParams,
  query: strictObject(listQuery),
  replies: listReplies('KeyList', Key, 'A page of keys.', exampleKey),
  run: ({ tenant, paged }) =>
    paged({
      prefix: 'key',
      load: (after, limit) => listKeyRows(tenant, after, limit),
      toItem: toKey,
      idOf: (row) => row.key_id,
    }),
});

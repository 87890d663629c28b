import { fromId, toId } from '../../kit/ids.ts';
import { operation } from '../../kit/operation.ts';
import { DEFAULT_LIMIT, listOf, listQuery, openCursor, sealCursor, toList } from '../../kit/page.ts';
import { PROBLEM_CODES } from '../../kit/problems.ts';
import { closed, named, oneOf, Type } from '../../kit/schema.ts';
import { appParams, cursorBinding, KeyId, managesApp } from '../authority/index.ts';
import { exampleRequest, METHODS, RequestRecord, toRequestRecord } from './request-record.ts';
import { listRequestRows } from './store.ts';

export const listRequests = operation({
  id: 'listRequests',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/requests',
  tag: 'Requests',
  summary: 'List requests',
  description: 'The calls that the app made with its keys, newest first, accepted and refused.',
  access: managesApp('requests.read'),
  params: appParams,
  query: closed({
    ...listQuery,
    statusClass: Type.Optional(Type.Integer({ minimum: 1, maximum: 5, description: '4 for every 4xx, and so on.' })),
    code: Type.Optional(oneOf(PROBLEM_CODES, 'Only requests that ended in this problem.')),
    method: Type.Optional(oneOf(METHODS, 'Only requests with this method.')),
    keyId: Type.Optional(KeyId),
  }),
  replies: {
    200: {
      description: 'A page of requests.',
      schema: named('RequestList', listOf(RequestRecord, 'A page of requests.')),
      examples: { aPage: { data: [exampleRequest], nextCursor: null } },
    },
  },
  async run({ plane, tenant }, { query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const binding = cursorBinding(tenant.appId, 'listRequests', query);
    const position = openCursor(query.cursor, binding, plane.cursorKey);
    const after = position === undefined ? undefined : fromId('req', position);
    const { statusClass, code, method } = query;
    const keyId = query.keyId === undefined ? undefined : fromId('key', query.keyId);
    const rows = await listRequestRows(tenant, { statusClass, code, method, keyId }, after, limit + 1);
    const body = toList(rows, limit, toRequestRecord, (row) =>
      sealCursor(toId('req', row.request_id), binding, plane.cursorKey),
    );
    return { status: 200, body };
  },
});

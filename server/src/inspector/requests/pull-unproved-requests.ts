import { asConsole } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { closed, Type } from '../../kit/http/schema.ts';
import { RequestId } from './request-record.ts';
import { exampleUnproved, MAX_COUNTS, toUnprovedList, UnprovedRequestList } from './unproved-request.ts';
import { listUnprovedCounts, listUnprovedRows } from './unproved-store.ts';

/** Serves an operator whom the Console has authenticated. No organisation sees these requests. */
export const pullUnprovedRequests = operation({
  id: 'pullUnprovedRequests',
  method: 'GET',
  path: '/console/unproved-requests',
  tag: 'Requests',
  summary: 'Pull unauthenticated requests',
  description:
    'Returns the newest requests that are stored individually, and the numbers of those that were only counted.',
  access: asConsole(),
  query: closed({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Maximum number of requests to return.' }),
    ),
    before: Type.Optional(RequestId),
  }),
  replies: {
    200: { description: 'Requests.', schema: UnprovedRequestList, examples: { some: exampleUnproved } },
  },
  async run({ tx }, { ids: { before }, query }) {
    const rows = await listUnprovedRows(tx, before, query.limit ?? 25);
    const counts = await listUnprovedCounts(tx, MAX_COUNTS);
    return { status: 200, body: toUnprovedList(rows, counts) };
  },
});

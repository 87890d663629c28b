import { allowConsoleProcess } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { strictObject, Type } from '../../kit/http/schema.ts';
import { RequestId } from './request-record.ts';
import {
  exampleUnauthenticated,
  MAX_COUNTS,
  toUnauthenticatedList,
  UnauthenticatedRequestList,
} from './unauthenticated-request.ts';
import {
  findUnauthenticatedPeriod,
  listUnauthenticatedCounts,
  listUnauthenticatedRows,
} from './unauthenticated-store.ts';

/** Serves an operator whom the Console has authenticated. No organisation sees these requests. */
export const pullUnauthenticatedRequests = operation({
  id: 'pullUnauthenticatedRequests',
  route: 'GET /console/unproved-requests',
  tag: 'Requests',
  summary: 'Pull unauthenticated requests',
  description:
    'Returns the newest requests that are stored individually, and the numbers of those that were only counted.',
  access: allowConsoleProcess(),
  query: strictObject({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Maximum number of requests to return.' }),
    ),
    before: Type.Optional(RequestId),
  }),
  replies: ok('Requests.', UnauthenticatedRequestList, { some: exampleUnauthenticated }),
  async run({ tx }, { ids: { before }, query }) {
    const rows = await listUnauthenticatedRows(tx, before, query.limit ?? 25);
    const counts = await listUnauthenticatedCounts(tx, MAX_COUNTS);
    const period = await findUnauthenticatedPeriod(tx);
    return { status: 200, body: toUnauthenticatedList(period, rows, counts) };
  },
});

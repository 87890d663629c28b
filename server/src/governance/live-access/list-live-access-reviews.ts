import { operation } from '../../kit/http/operation.ts';
import { oneOf, strictObject, Type } from '../../kit/http/schema.ts';
import { newestReplies, operator, pageQuery } from '../operators/index.ts';
import { LiveAccessRequestId, REQUEST_STATES } from './live-access.ts';
import { exampleRequest, LiveAccessRequest, toRequest } from './live-access-views.ts';
import { toSubmittedVersion } from './review.ts';
import { listSubmittedRows } from './store.ts';

export const listLiveAccessReviews = operation({
  id: 'listLiveAccessReviews',
  route: 'GET /api/operator/live-access-requests',
  tag: 'Live access',
  summary: 'List requests to review',
  description:
    'Lists the requests for live access of all organisations, newest first. By default it lists the submitted requests, which wait for a decision. It never returns a request that was not submitted. To get the next page, send the last identifier as `before`.',
  access: operator(),
  query: strictObject({
    ...pageQuery(LiveAccessRequestId),
    state: Type.Optional(oneOf(REQUEST_STATES, 'State of the requests. The default is `submitted`.')),
  }),
  replies: newestReplies('LiveAccessReviewList', LiveAccessRequest, 'The requests.', exampleRequest),
  async run({ tx }, { ids: { before }, query }) {
    const rows = await listSubmittedRows(tx, { state: query.state ?? 'submitted', before, limit: query.limit ?? 25 });
    return { status: 200, body: { data: rows.map((row) => toRequest(toSubmittedVersion(row))) } };
  },
});

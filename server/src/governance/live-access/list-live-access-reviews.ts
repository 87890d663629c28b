import { operation } from '../../kit/http/operation.ts';
import { closed, named, oneOf, Type } from '../../kit/http/schema.ts';
import { operator, pageQuery } from '../operators/index.ts';
import { LiveAccessRequestId, STATES } from './live-access.ts';
import { asSubmitted } from './review.ts';
import { exampleRequest, LiveAccessRequest, toRequest } from './shown.ts';
import { listSubmittedRows } from './store.ts';

export const listLiveAccessReviews = operation({
  id: 'listLiveAccessReviews',
  method: 'GET',
  path: '/api/operator/live-access-requests',
  tag: 'Live access',
  summary: 'List requests to review',
  description:
    'Requests for live access of all organisations, newest first: those that wait for a decision, unless another state is asked for. `before` goes on where a list ended. What was never submitted is not among them.',
  access: operator(),
  query: closed({
    ...pageQuery(LiveAccessRequestId).properties,
    state: Type.Optional(oneOf(STATES, 'In which state; `submitted` unless another is named.')),
  }),
  replies: {
    200: {
      description: 'The requests.',
      schema: named(
        'LiveAccessReviewList',
        closed({ data: Type.Array(LiveAccessRequest, { maxItems: 100, description: 'Newest first.' }) }),
      ),
      examples: { one: { data: [exampleRequest] } },
    },
  },
  async run({ tx }, { ids: { before }, query }) {
    const rows = await listSubmittedRows(tx, { state: query.state ?? 'submitted', before, limit: query.limit ?? 25 });
    return { status: 200, body: { data: rows.map((row) => toRequest(asSubmitted(row))) } };
  },
});

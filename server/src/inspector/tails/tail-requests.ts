import { appParams, type Environment } from '../../access/authority/index.ts';
import { memberFollows } from '../../identity/sessions/index.ts';
import { eventStream, eventStreamReply } from '../../kit/http/event-stream.ts';
import { operation } from '../../kit/http/operation.ts';
import { closed } from '../../kit/http/schema.ts';
import { ProblemError, problem } from '../../kit/openapi/problems.ts';
import { type TailPage, TailPosition, tailQuery } from './tail.ts';

const PAUSE_MS = 100;

export const tailRequests = (environment: Environment) =>
  operation({
    id: 'tailRequests',
    method: 'GET',
    path: `/api/${environment}/organisations/{organisationId}/apps/{appId}/request-tail`,
    tag: 'Requests',
    summary: 'Tail requests',
    description: [
      'The requests of the app as they are answered, accepted and refused, as server-sent events, with the filter of the list. The event `requests` has `{ data, missed }`: records as the list has them, and null or, where whoever reads was too far behind, `{ count, since, until }`: how many are left out, and between which moments the list shows them (`count` is null for what is longer ago than ten minutes).',
      'The `id` of an event is the place behind it. Sent again, as `Last-Event-ID` or as `after`, with the same filter, the stream goes on from there: nothing twice, and nothing left out in silence. A request that takes longer than three seconds comes up to two seconds late, and one that takes longer than 90 is not shown.',
      'Who may read is asked anew every second; the stream ends when they may not any more.',
    ].join('\n\n'),
    access: memberFollows('requests.read', { 'Last-Event-ID': TailPosition }),
    params: appParams,
    query: closed(tailQuery),
    replies: { 200: eventStreamReply('The events, without an end.') },
    problems: ['invalid_request'],
    async run(context, { params, query }) {
      const { after, ...wish } = query;
      const path = `/organisations/${params.organisationId}/apps/${params.appId}/request-tail`;
      const { lastEventId } = context;
      async function read(from: string | undefined) {
        const page = await context.read<TailPage>(environment, path, { ...wish, after: from });
        if (!page) return undefined;
        const { data, missed, position, isMore } = page;
        return { data: { data, missed }, isNews: data.length > 0 || missed !== null, position, isMore };
      }
      const source = { event: 'requests', from: lastEventId ?? after, pauseMs: PAUSE_MS, read };
      return eventStream(context.open('records'), source).catch((error: unknown) => {
        throw lastEventId === undefined ? error : inHeader(error);
      });
    },
  });

/**
 * Moves the pointer of a refused position to the header. The environment always receives the position as a parameter.
 */
function inHeader(error: unknown): unknown {
  if (!(error instanceof ProblemError) || !error.extra.errors) return error;
  const errors = error.extra.errors.map((part) =>
    part.pointer === '/query/after' ? { ...part, pointer: '/header/Last-Event-ID' } : part,
  );
  return problem(error.code, { ...error.extra, errors });
}

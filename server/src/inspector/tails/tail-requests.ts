import { appParams, type Environment } from '../../access/authority/index.ts';
import { allowMemberStream } from '../../identity/sessions/index.ts';
import { eventStream, eventStreamReply } from '../../kit/http/event-stream.ts';
import { operation } from '../../kit/http/operation.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { ProblemError, problem } from '../../kit/openapi/problems.ts';
import { type TailPage, TailPosition, tailQuery } from './tail.ts';

const PAUSE_MS = 100;

export const tailRequests = (environment: Environment) =>
  operation({
    id: 'tailRequests',
    route: `GET /api/${environment}/organisations/{organisationId}/apps/{appId}/request-tail`,
    tag: 'Requests',
    summary: 'Tail requests',
    description: [
      'Streams the requests of the app as they are answered, accepted and refused, as server-sent events, with the filter of the list. The event `requests` has `{ data, missed }`. `data` are records as in the list. `missed` is null or, if the reader fell too far behind, `{ count, since, until }`: the number of omitted requests and the period in which the list returns them. `count` is null if the period began more than ten minutes ago.',
      'The `id` of an event is a resume position. Send it as `Last-Event-ID` or as `after`, with the same filter, to resume: no request is repeated, and every omission is reported in `missed`. A request that takes longer than three seconds appears up to two seconds late. A request that takes longer than 90 seconds does not appear.',
      'The permission to read is checked every second; the stream ends when it is revoked.',
    ].join('\n\n'),
    access: allowMemberStream('requests.read', { 'Last-Event-ID': TailPosition }),
    params: appParams,
    query: strictObject(tailQuery),
    replies: { 200: eventStreamReply('The events; the stream does not end by itself.') },
    problems: ['invalid_request'],
    async run(context, { params, query }) {
      const { after, ...filterQuery } = query;
      const path = `/organisations/${params.organisationId}/apps/${params.appId}/request-tail`;
      const { lastEventId } = context;
      async function read(from: string | undefined) {
        const page = await context.read<TailPage>(environment, path, { ...filterQuery, after: from });
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

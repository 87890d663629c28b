import { monotonicMs } from '../../kit/clock.ts';
import type { OpenStream } from '../../kit/open-streams.ts';
import { operation } from '../../kit/operation.ts';
import { primed } from '../../kit/primed.ts';
import { ProblemError, problem } from '../../kit/problems.ts';
import { closed, text } from '../../kit/schema.ts';
import { appParams, type Environment } from '../authority/index.ts';
import { memberFollows } from '../sessions/index.ts';
import { beatText, eventText } from './event-text.ts';
import { type TailPage, TailPosition, tailQuery } from './tail.ts';

const PAUSE_MS = 100;
const OUTAGE_PAUSE_MS = 1_000;
/** Before a proxy thinks that nobody is there any more. */
const BEAT_MS = 10_000;

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
    replies: {
      200: {
        description: 'The events, without an end.',
        contentType: 'text/event-stream',
        schema: text('Server-sent events.', { maxLength: 1_000_000_000 }),
        headers: ['X-Accel-Buffering'],
      },
    },
    problems: ['invalid_request'],
    async run(context, { params, query }) {
      const { after, ...wish } = query;
      const path = `/organisations/${params.organisationId}/apps/${params.appId}/request-tail`;
      const read: Read = (from) => context.read<TailPage>(environment, path, { ...wish, after: from });
      const { lastEventId } = context;
      const open = context.open();
      const stream = await primed(events(open, lastEventId ?? after, read), open.close).catch((error: unknown) => {
        throw lastEventId === undefined ? error : inHeader(error);
      });
      return { status: 200, stream, headers: { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' } };
    },
  });

/** Where the position stood that was refused: the environment is asked for it as a parameter in any case. */
function inHeader(error: unknown): unknown {
  if (!(error instanceof ProblemError) || !error.extra.errors) return error;
  const errors = error.extra.errors.map((part) =>
    part.pointer === '/query/after' ? { ...part, pointer: '/header/Last-Event-ID' } : part,
  );
  return problem(error.code, { ...error.extra, errors });
}

type Read = (from: string | undefined) => Promise<TailPage | undefined>;

async function* events(open: OpenStream, from: string | undefined, read: Read): AsyncGenerator<string> {
  try {
    const first = await read(from);
    if (!first) throw problem('unavailable');
    yield eventText(first);
    yield* rest(open, first.position, read);
  } finally {
    open.close();
  }
}

async function* rest(open: OpenStream, from: string, read: Read): AsyncGenerator<string> {
  let position = from;
  let toldAtMs = monotonicMs();
  while (!open.hasEnded()) {
    // Who may not read any more is told when they come again: a stream that has begun has no status left.
    const page = await read(position).catch(() => null);
    if (page === null) return;
    position = page?.position ?? position;
    const isSomething = page !== undefined && (page.data.length > 0 || page.missed !== null);
    if (isSomething || monotonicMs() - toldAtMs >= BEAT_MS) {
      toldAtMs = monotonicMs();
      yield isSomething ? eventText(page) : beatText(position);
    }
    if (!page?.isMore) await open.pause(page ? PAUSE_MS : OUTAGE_PAUSE_MS);
  }
}

import { appParams, type Environment } from '../../access/authority/index.ts';
import { allowMemberStream, type PlaneReader, toConsoleProblem } from '../../identity/sessions/index.ts';
import { eventStream, eventStreamReply, type StreamPart } from '../../kit/http/event-stream.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import {
  ChangePosition,
  changeQuery,
  DEFAULT_READS,
  findChangedReads,
  formatChangePosition,
  parseChangePosition,
  parseReads,
  type ReadDigests,
  toDigestEntry,
} from './change.ts';

/**
 * Milliseconds between two comparisons. Less than one second, the limit within which an end of access takes effect
 * here.
 */
const PAUSE_MS = 600;

export const followChanges = (environment: Environment) =>
  operation({
    id: 'followChanges',
    route: `GET /api/${environment}/organisations/{organisationId}/apps/{appId}/changes`,
    tag: 'Apps',
    summary: 'Follow changes',
    description: [
      'Streams, as server-sent events, which reads of the app have a new result. The event `changed` has `{ reads }`: the reads to fetch again. The first event names all reads.',
      'The `id` of an event is a resume position. Send it as `Last-Event-ID` or as `after` to resume: the stream reports the changes since then. You can change the reads when you resume; a new read counts as changed. A change that is reverted before the next check is not reported. For a list, only the requested page is compared.',
      'The permission to read is checked every second; the stream ends when it is revoked. You can follow a read whose resource does not exist, as long as the app exists.',
    ].join('\n\n'),
    access: allowMemberStream('apps.read', { 'Last-Event-ID': ChangePosition }),
    params: appParams,
    query: changeQuery,
    replies: { 200: eventStreamReply('The events; the stream does not end by itself.') },
    problems: ['invalid_request'],
    run(context, { params, query }) {
      const app = `/organisations/${params.organisationId}/apps/${params.appId}`;
      const reads = parseReads(query.reads ?? DEFAULT_READS);
      async function read(from: string | undefined): Promise<StreamPart | undefined> {
        const now = await readDigests(await context.reauthenticate(), environment, app, reads);
        if (!now) return undefined;
        const changed = findChangedReads(reads, parseChangePosition(from), now);
        return {
          data: { reads: changed },
          isNews: changed.length > 0,
          position: formatChangePosition(now),
          isMore: false,
        };
      }
      const from = context.lastEventId ?? query.after;
      return eventStream(context.open('changes'), { event: 'changed', from, pauseMs: PAUSE_MS, read });
    },
  });

/**
 * Returns the current responses of the reads. Reads them one after the other, so that a reader of many uses no more
 * connections than a reader of one. Returns undefined if the environment cannot be reached. Throws if the member can no
 * longer read the app.
 */
async function readDigests(
  ask: PlaneReader,
  environment: Environment,
  app: string,
  reads: readonly string[],
): Promise<ReadDigests | undefined> {
  const now = new Map<string, string>();
  for (const read of reads) {
    const answer = await ask(environment, `${app}/${read}`);
    if (!answer) return undefined;
    if (answer.status === 400) {
      const detail = `contains ${read.slice(0, 100)}, which is refused as a separate request`;
      throw problem('invalid_request', { errors: [{ pointer: '/query/reads', detail }] });
    }
    // A part of an existing app may be missing. Any other refusal applies to the caller.
    const refused = answer.status === 404 ? await ask(environment, app) : answer;
    if (refused && refused.status !== 200) throw toConsoleProblem(refused);
    now.set(...toDigestEntry(read, answer));
  }
  return now;
}

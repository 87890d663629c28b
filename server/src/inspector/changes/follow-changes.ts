import { appParams, type Environment } from '../../access/authority/index.ts';
import { type Ask, memberFollows, refusalOf } from '../../identity/sessions/index.ts';
import { eventStream, eventStreamReply, type Part } from '../../kit/http/event-stream.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import {
  type Answers,
  answersOf,
  ChangePosition,
  changedOf,
  changeQuery,
  DEFAULT_READS,
  entryOf,
  readsOf,
  toPosition,
} from './change.ts';

/**
 * Milliseconds between two comparisons. Less than one second, the limit within which an end of access takes effect
 * here.
 */
const PAUSE_MS = 600;

export const followChanges = (environment: Environment) =>
  operation({
    id: 'followChanges',
    method: 'GET',
    path: `/api/${environment}/organisations/{organisationId}/apps/{appId}/changes`,
    tag: 'Apps',
    summary: 'Follow changes',
    description: [
      'Says, as server-sent events, which reads of the app are no longer answered as before: the event `changed` has `{ reads }`, those to be read again. The first one tells of all of them.',
      'The `id` of an event is the place behind it. Sent again, as `Last-Event-ID` or as `after`, the stream goes on from there, and tells of what has changed meanwhile; also with other reads, of which those that are new have changed. A change that was taken back before anybody looked is none. Of a list it is the page that is asked for that counts.',
      'Who may read is asked anew every second; the stream ends when they may not any more. A read of what is not there may be followed too, as long as the app is.',
    ].join('\n\n'),
    access: memberFollows('apps.read', { 'Last-Event-ID': ChangePosition }),
    params: appParams,
    query: changeQuery,
    replies: { 200: eventStreamReply('The events, without an end.') },
    problems: ['invalid_request'],
    run(context, { params, query }) {
      const app = `/organisations/${params.organisationId}/apps/${params.appId}`;
      const reads = readsOf(query.reads ?? DEFAULT_READS);
      async function read(from: string | undefined): Promise<Part | undefined> {
        const now = await look(await context.prove(), environment, app, reads);
        if (!now) return undefined;
        const changed = changedOf(reads, answersOf(from), now);
        return { data: { reads: changed }, isNews: changed.length > 0, position: toPosition(now), isMore: false };
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
async function look(
  ask: Ask,
  environment: Environment,
  app: string,
  reads: readonly string[],
): Promise<Answers | undefined> {
  const now = new Map<string, string>();
  for (const read of reads) {
    const answer = await ask(environment, `${app}/${read}`);
    if (!answer) return undefined;
    if (answer.status === 400) {
      const detail = `has ${read.slice(0, 100)}, which is refused by itself`;
      throw problem('invalid_request', { errors: [{ pointer: '/query/reads', detail }] });
    }
    // A part of an existing app may be missing. Any other refusal applies to the caller.
    const refused = answer.status === 404 ? await ask(environment, app) : answer;
    if (refused && refused.status !== 200) throw refusalOf(refused);
    now.set(...entryOf(read, answer));
  }
  return now;
}

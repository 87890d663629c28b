import { managesApp, requireAction } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findRequestRow, requestParams } from '../requests/index.ts';
import { exampleCall, Replay } from './call.ts';
import { makeCall } from './make-call.ts';
import { leftOutOfReplay, NewReplay, toCall } from './replay.ts';

/** `words` are the words of the paths of /v1. */
export const replayRequest = (words: ReadonlySet<string>) =>
  operation({
    id: 'replayRequest',
    method: 'POST',
    path: '/organisations/{organisationId}/apps/{appId}/requests/{requestId}/replay',
    tag: 'Requests',
    summary: 'Replay a request',
    description:
      'Makes the request again as a new one, with the same key by its id or with another. Everything is judged as of now: the key, its scopes, what the server allows. The record of the new request names the person, and the request that it replays. A body is not kept and has to be given again; one in which a mask of the record is left is refused, with the pointer of each; a query of which the record masks a parameter has to be given again, too; a path of which something was taken out cannot be replayed. A fault that was simulated is not asked for again, unless `Sandbox-Simulate` is among the headers. `leftOut` says what was not sent again.',
    access: managesApp('keys.use'),
    params: requestParams,
    body: NewReplay,
    examples: { aTicket: { body: '{"subject":"Hello","body":"From the Console."}' }, aRead: {} },
    replies: {
      200: {
        description: 'The request was made again; this is what it came to.',
        schema: Replay,
        examples: { aRefusal: { ...exampleCall, leftOut: ['Idempotency-Key'] } },
      },
    },
    problems: ['conflict'],
    async run(context, { ids, body }) {
      requireAction(context.actor.role, 'requests.read');
      const record = await findRequestRow(context.tenant, ids.requestId);
      if (!record) throw problem('not_found');
      const replayed = { uuid: record.request_id, leftOut: leftOutOfReplay(record, body) };
      return makeCall(context, toCall(record, body), words, replayed);
    },
  });

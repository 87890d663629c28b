import { allowAppManagement, type ManagedAppContext, requireAction } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { findRequestRow, type RequestRow, requestParams } from '../requests/index.ts';
import { exampleCall, Replay } from './call.ts';
import { makeCall } from './make-call.ts';
import { omittedFromReplay, ReplayInput, toReplayCall } from './replay.ts';

/** Creates the operation. `words` are the words of the paths of /v1. */
export const replayRequest = (words: ReadonlySet<string>) =>
  operation({
    id: 'replayRequest',
    route: 'POST /organisations/{organisationId}/apps/{appId}/requests/{requestId}/replay',
    tag: 'Requests',
    summary: 'Replay a request',
    description:
      'Sends the request again as a new one, with the same key or with another key. The key, its scopes and the grants of the server are checked as of now. The record of the new request names the member and the replayed request. A stored body is sent again if its capture has it whole and unmasked; otherwise include the body in the replay. A body that still contains a mask of the record is refused with the JSON Pointer of each mask. If the record masks a query parameter, include the query. A request whose path is not stored completely cannot be replayed. A simulated fault is not repeated, unless the headers contain `Sandbox-Simulate`. `omittedParts` lists the parts that were not sent again.',
    access: allowAppManagement('keys.use'),
    params: requestParams,
    body: ReplayInput,
    examples: { aTicket: { body: '{"subject":"Hello","body":"From the Console."}' }, aRead: {} },
    replies: ok('The request was sent again; the body holds its response.', Replay, {
      aRefusal: { ...exampleCall, omittedParts: ['Idempotency-Key'] },
    }),
    problems: ['conflict'],
    async run(context, { ids, body }) {
      requireAction(context.actor.role, 'requests.read');
      const record = await findRequestRow(context.tenant, ids.requestId);
      if (!record) throw problem('not_found');
      const captured = body.body === undefined ? await findCapturedBody(context, record) : undefined;
      const given = captured === undefined ? body : { ...body, body: captured };
      const replayed = { uuid: record.request_id, omittedParts: omittedFromReplay(record, given), captured };
      return makeCall(context, toReplayCall(record, given), words, replayed);
    },
  });

/** Returns the body of the request as it was sent, if its capture stores it whole and unmasked. */
async function findCapturedBody(
  { plane: { captures }, tenant, actor }: ManagedAppContext,
  { request_id: requestId, at, method }: RequestRow,
): Promise<string | undefined> {
  if (!captures || method === 'GET' || method === 'HEAD') return undefined;
  const status = await captures.findStatus(tenant, { requestId, at });
  if (status.requestBody !== 'whole') return undefined;
  requireAction(actor.role, 'requests.reveal');
  return (await captures.open(tenant, requestId))?.request.body ?? undefined;
}

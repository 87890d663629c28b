import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { Call, CallInput, exampleCall, exampleNewCall } from './call.ts';
import { makeCall } from './make-call.ts';

/** Creates the operation. `words` are the words of the paths of /v1. */
export const createCall = (words: ReadonlySet<string>) =>
  operation({
    id: 'createCall',
    route: 'POST /organisations/{organisationId}/apps/{appId}/calls',
    tag: 'Reference',
    summary: 'Make a call with a key',
    description:
      'Calls /v1 with one of the app’s keys, named by its identifier. The key is checked at the time of the call, as if the key itself were sent: a refusal is the response that the caller would receive. The record of the request names the member who made the call. A retry makes another call, unless the headers contain `Idempotency-Key`.',
    access: allowAppManagement('keys.use'),
    params: appParams,
    body: CallInput,
    examples: { aTicket: exampleNewCall },
    replies: ok('The call was made; the body holds its response.', Call, { aRefusal: exampleCall }),
    // The response to a simulated reset.
    problems: ['conflict'],
    run: (context, { body }) => makeCall(context, body, words),
  });

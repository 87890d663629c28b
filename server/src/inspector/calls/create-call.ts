import { appParams, managesApp } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { Call, exampleCall, exampleNewCall, NewCall } from './call.ts';
import { makeCall } from './make-call.ts';

/** `words` are the words of the paths of /v1. */
export const createCall = (words: ReadonlySet<string>) =>
  operation({
    id: 'createCall',
    method: 'POST',
    path: '/organisations/{organisationId}/apps/{appId}/calls',
    tag: 'Reference',
    summary: 'Make a call with a key',
    description:
      'Makes a call of /v1 with one of the app’s keys, named by its id. The key is judged as of now, as it is when it is sent: a refusal is the answer that the caller would have had. The record of the request names the person who made it. A repeat makes another call, unless `Idempotency-Key` is among its headers.',
    access: managesApp('keys.use'),
    params: appParams,
    body: NewCall,
    examples: { aTicket: exampleNewCall },
    replies: {
      200: {
        description: 'The call was made; this is what it came to.',
        schema: Call,
        examples: { aRefusal: exampleCall },
      },
    },
    // The response to a simulated reset.
    problems: ['conflict'],
    run: (context, { body }) => makeCall(context, body, words),
  });

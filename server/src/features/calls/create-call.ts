import { monotonicMs } from '../../kit/clock.ts';
import { fromId } from '../../kit/ids.ts';
import { operation } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import { appParams, managesApp, redactKeys } from '../authority/index.ts';
import { Call, exampleCall, exampleNewCall, isMutation, isPlainPath, NewCall } from './call.ts';
import { findKid } from './store.ts';

export const createCall = operation({
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
  // A simulated reset.
  problems: ['conflict'],
  async run({ plane, actor, app, tenant, audit, answerAfterCommit }, { body: call }) {
    const { callApi } = plane;
    if (!callApi) throw problem('not_found');
    if (!isPlainPath(call.path)) {
      throw problem('invalid_request', { errors: [{ pointer: '/path', detail: 'must not lead out of /v1' }] });
    }
    const keyId = fromId('key', call.keyId) ?? '';
    const kid = await findKid(tenant, keyId);
    if (kid === undefined) {
      throw problem('invalid_request', { errors: [{ pointer: '/keyId', detail: 'is not a key of this app' }] });
    }
    if (isMutation(call.method)) {
      const path = redactKeys(call.path.replace(/\?.*$/, ''));
      audit('key.use', call.keyId, { kid, method: call.method, path }, app.app_id);
    }
    const key = { kid, keyId, appId: app.app_id, person: actor.name };
    return answerAfterCommit(async () => {
      const startedAtMs = monotonicMs();
      const { method, path, headers = {}, body } = call;
      const answer = await callApi({ key, method, path, headers, body });
      const requestId = answer.headers['request-id'];
      return { status: 200, body: { requestId, durationMs: monotonicMs() - startedAtMs, ...answer } };
    });
  },
});

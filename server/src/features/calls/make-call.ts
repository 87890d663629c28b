// Makes a call with a key that is named by its id, once the transaction is over that has let it.
import { monotonicMs } from '../../kit/clock.ts';
import { fromId, isId } from '../../kit/ids.ts';
import type { Reply } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import type { AppContext } from '../authority/index.ts';
import { isMutation, isPlainPath, type NewCall } from './call.ts';
import { findKid } from './store.ts';

const WORD = /^[a-z][a-z0-9-]{0,19}$/;

/** As the audit log has it: a short word or an identifier is what a path is made of, any other part may be anything. */
const toldPath = (path: string): string =>
  path
    .replace(/\?.*$/, '')
    .split('/')
    .map((part) => (part === '' || WORD.test(part) || isId(part) ? part : '*'))
    .join('/');

/** `replays`: the uuid of the request that it repeats. */
export async function makeCall(
  { plane, actor, app, tenant, audit, answerAfterCommit }: AppContext,
  call: NewCall,
  replays?: string,
): Promise<Reply> {
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
    audit('key.use', call.keyId, { kid, method: call.method, path: toldPath(call.path) }, app.app_id);
  }
  const { name: person } = actor;
  const tokenId = fromId('pat', actor.tokenId ?? '');
  const key = { kid, keyId, appId: app.app_id, person, tokenId, ...(replays !== undefined && { replays }) };
  return answerAfterCommit(async () => {
    const startedAtMs = monotonicMs();
    const { method, path, headers = {}, body } = call;
    const answer = await callApi({ key, method, path, headers, body });
    const requestId = answer.headers['request-id'];
    return { status: 200, body: { requestId, durationMs: monotonicMs() - startedAtMs, ...answer } };
  });
}

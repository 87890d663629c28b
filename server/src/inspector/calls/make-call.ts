// Makes a call with a key that is named by its id, after the transaction that authorised the call has ended.

import type { ManagedAppContext } from '../../access/authority/index.ts';
import { fromId, toUuid } from '../../kit/crypto/ids.ts';
import { microsecondsSince, monotonicMs } from '../../kit/flow/clock.ts';
import type { Reply } from '../../kit/http/operation.ts';
import { maskPath } from '../../kit/http/paths.ts';
import { problem } from '../../kit/openapi/problems.ts';
import type { OmittedPart } from '../requests/index.ts';
import { type CallInput, isMutation, isPlainPath } from './call.ts';
import { rejectMasks } from './reject-masks.ts';
import { findKid } from './store.ts';

/** The request that a call repeats, and the parts of it that are not sent again. */
interface ReplaySource {
  uuid: string;
  omittedParts: readonly OmittedPart[];
  /** The body of the capture, which the call sends unchanged. */
  captured: string | undefined;
}

/**
 * Makes the call. `words` are the words of the paths of /v1; the audit log keeps only these words and identifiers of a
 * path.
 */
export async function makeCall(
  { plane, actor, app, tenant, audit, afterCommit }: ManagedAppContext,
  call: CallInput,
  words: ReadonlySet<string>,
  replay?: ReplaySource,
): Promise<Reply> {
  const { callApi } = plane;
  if (!callApi) throw problem('not_found');
  if (!isPlainPath(call.path)) {
    throw problem('invalid_request', { errors: [{ pointer: '/path', detail: 'must stay below /v1' }] });
  }
  // A captured body has no masks: text that looks like one was sent in the first place.
  const { body: _, ...rest } = call;
  rejectMasks(replay?.captured === undefined ? call : rest);
  const keyId = toUuid('key', call.keyId);
  const kid = await findKid(tenant, keyId);
  if (kid === undefined) {
    throw problem('invalid_request', { errors: [{ pointer: '/keyId', detail: 'must be a key of this app' }] });
  }
  if (isMutation(call.method)) {
    audit('key.use', call.keyId, { kid, method: call.method, path: maskPath(call.path, words) });
  }
  const { name: person } = actor;
  const tokenId = actor.tokenId === undefined ? undefined : fromId('pat', actor.tokenId);
  const key = { kid, keyId, appId: app.app_id, person, tokenId, ...(replay && { repeatsRequestId: replay.uuid }) };
  return afterCommit(async () => {
    const startedAtMs = monotonicMs();
    const { method, path, headers = {}, body } = call;
    const answer = await callApi({ key, method, path, headers, body });
    const requestId = answer.headers['request-id'];
    const omittedParts = replay && { omittedParts: replay.omittedParts };
    return {
      status: 200,
      body: { requestId, durationMs: microsecondsSince(startedAtMs) / 1000, ...answer, ...omittedParts },
    };
  });
}

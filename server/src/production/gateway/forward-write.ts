// Mutations that the upstream API carries out. Nothing is sent after a revocation was answered, and no mutation is
// carried out twice. A mutation with an Idempotency-Key is stored before it is sent, and the upstream API gets a key
// for each. A mutation with an unknown outcome stays stored until a repeat under the same key has a response. A mutation
// whose response is too large to be stored stays stored for 24 hours, and a repeat asks the upstream API again.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  claimIdempotencyKey,
  decodeStoredBody,
  lockAllowedAccess,
  readIdempotencyKey,
  replayStoredReply,
  runAsTenant,
  type SerialisedReply,
  storeFirstReply,
  type TenantTransaction,
} from '../../access/authority/index.ts';
import { OBJECT_LIMITS } from '../../access/contracts/index.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import type { Reply } from '../../kit/http/operation.ts';
import { fillPath } from '../../kit/http/paths.ts';
import { problem } from '../../kit/openapi/problems.ts';
import type { OriginAttempt, OriginRequest, OriginResult } from '../../kit/outbound/outbound-origin.ts';
import { type ForwardContext, queryOf, scopesOf } from './forward-read.ts';
import { acceptOf, headersFor, sendTraced } from './gateway.ts';
import { beginMutation, endMutation, keepForRepeat, type MutationLease } from './mutation-store.ts';
import { UpstreamFailureError, UpstreamRefusalError } from './upstream-response.ts';

/**
 * Milliseconds within which a mutation may be sent after its access was read. A revocation waits at most this long. A
 * node that was suspended for longer sends nothing.
 */
const MAX_SEND_DELAY_MS = 1_000;
/** Milliseconds of lease beyond the request itself, because its node may be about to record the outcome. */
const LEASE_MARGIN_MS = 5_000;
/** Milliseconds until a mutation with an unknown outcome may be repeated. */
const PAUSE_MS = 1_000;
/**
 * Bytes of a response that is stored for repeats. Responses of 24 hours are kept, so without a limit the files of one
 * caller could fill the database.
 */
const MAX_STORED_BYTES = OBJECT_LIMITS.objectBytes;

/** The parts of a mutation that depend on its contract. */
export interface MutationForm {
  /** Returns the server whose grant decides. */
  findServerId(forwarded: ForwardContext): Promise<string>;
  /** Returns the server that the JSON body of a stored response names. */
  serverIn(body: string): string | undefined;
  /** Returns the reply for a response of the upstream API. Throws if the response does not fit the request. */
  read(
    forwarded: ForwardContext,
    result: OriginResult,
    expected: { serverId: string; isRepeat: boolean },
  ): SerialisedReply;
}

export async function forwardWrite(forwarded: ForwardContext, form: MutationForm): Promise<Reply> {
  const { incoming } = forwarded;
  const key = readIdempotencyKey(incoming);
  const serverId = await findServerId(forwarded, form);
  incoming.exchange.grantorId = serverId;
  if (key === undefined)
    return sentReply(await send(forwarded, form, serverId, { key: `slw_${incoming.exchange.id}`, isRepeat: false }));
  const begun = await startForward(forwarded, serverId);
  if ('reply' in begun) return begun.reply;
  return sentReply(await completeForward(forwarded, form, serverId, key, begun));
}

/** An empty text stands for no body, as in stored replies. */
const sentReply = ({ json, ...reply }: SerialisedReply): Reply => ({ ...reply, ...(json !== '' && { json }) });

/** Returns the server whose grant decides. */
async function findServerId(forwarded: ForwardContext, form: MutationForm): Promise<string> {
  try {
    return await form.findServerId(forwarded);
  } catch (error) {
    // A stored response is returned again, even if the upstream API or the named object is gone.
    const known = await findStoredServerId(forwarded, form);
    if (known === undefined) throw error;
    return known;
  }
}

/** Returns the server of the stored response to the same request. */
async function findStoredServerId(
  { operation, caller, plane, incoming, inputs }: ForwardContext,
  form: MutationForm,
): Promise<string | undefined> {
  const claimed = await runAsTenant(plane.db.api, caller.appId, (tenant) =>
    claimIdempotencyKey(tenant, { incoming, inputs, operation }),
  );
  const { stored, requestHash } = claimed ?? {};
  if (!stored || !requestHash?.equals(stored.request_hash)) return undefined;
  const { json } = decodeStoredBody(stored);
  return typeof json === 'string' && json !== '' ? form.serverIn(json) : undefined;
}

/** Locks the access to the server, for each scope of the operation. */
const lockScopes = (tenant: TenantTransaction, { caller, operation }: ForwardContext, serverId: string) =>
  Promise.all(scopesOf(operation).map((scope) => lockAllowedAccess(tenant, { keyId: caller.keyId, serverId, scope })));

/** Checks access, and returns the stored response or stores the mutation, in one transaction. */
function startForward(forwarded: ForwardContext, serverId: string): Promise<MutationLease | { reply: Reply }> {
  const { gateway, operation, caller, plane, incoming, inputs } = forwarded;
  return plane.mutations.runAlone(caller.appId, async (tenant) => {
    const [claimed] = await Promise.all([
      claimIdempotencyKey(tenant, { incoming, inputs, operation }),
      lockScopes(tenant, forwarded, serverId),
    ]);
    if (!claimed) throw new Error('The request has no authenticated key.');
    if (claimed.stored) return { reply: replayStoredReply(claimed.stored, claimed) };
    const begun = claimed.isHeld ? await beginMutation(tenant, claimed, gateway.deadlineMs + LEASE_MARGIN_MS) : 'busy';
    if (begun === 'other') throw problem('idempotency_key_reused');
    if (begun === 'busy') throw problem('idempotency_in_progress', { headers: { 'retry-after': '1' } });
    return begun;
  });
}

async function completeForward(
  forwarded: ForwardContext,
  form: MutationForm,
  serverId: string,
  key: string,
  lease: MutationLease,
): Promise<SerialisedReply> {
  const { gateway, caller, plane, incoming } = forwarded;
  const { claimed, isRepeat } = lease;
  // If this fails, the outcome counts as unknown: a repeat asks the upstream API again and gets the same response.
  const storeOutcome = (write: Parameters<typeof runAsTenant<void>>[2]): Promise<void> =>
    runAsTenant(plane.db.api, caller.appId, write).catch((error: unknown) =>
      gateway.reportUnstoredOutcome(error, incoming),
    );
  try {
    // Two apps that choose the same key have two different keys at the upstream API.
    const upstreamKey = createHash('sha256').update(`${caller.appId}\n${key}`).digest('base64url');
    const reply = await send(forwarded, form, serverId, { key: upstreamKey, isRepeat });
    await storeOutcome(async (tenant) => {
      if (Buffer.byteLength(reply.json) > MAX_STORED_BYTES) return keepForRepeat(tenant, lease, 0);
      storeFirstReply(tenant, claimed, reply);
      endMutation(tenant, lease);
    });
    return reply;
  } catch (error) {
    // An earlier attempt may have been carried out even if this one was not sent. A 429 says nothing about the earlier
    // attempt.
    const isUnknown = isRepeat
      ? !(error instanceof UpstreamRefusalError) || error.problem.code === 'rate_limited'
      : error instanceof UpstreamFailureError && error.isUnknown;
    await storeOutcome(async (tenant) => {
      if (isUnknown) keepForRepeat(tenant, lease, PAUSE_MS);
      else endMutation(tenant, lease);
    });
    throw error;
  }
}

/** Sends the mutation once while its access is held, and reads the response. */
async function send(
  forwarded: ForwardContext,
  form: MutationForm,
  serverId: string,
  { key, isRepeat }: { key: string; isRepeat: boolean },
): Promise<SerialisedReply> {
  const { gateway, operation, caller, plane, incoming, inputs } = forwarded;
  const accept = acceptOf(operation, incoming);
  const headers = await headersFor(gateway, { caller, plane, incoming, serverId, accept });
  // A body that no schema has checked is not sent.
  const body =
    operation.body && inputs.body !== undefined && inputs.body !== null ? JSON.stringify(inputs.body) : undefined;
  const result = await sendWithAccessHeld(forwarded, serverId, {
    method: operation.method,
    path: fillPath(operation.path, inputs.params) + queryOf(inputs.query),
    headers: {
      ...headers,
      ...(body !== undefined && { 'content-type': operation.bodyType ?? 'application/json' }),
      'idempotency-key': key,
    },
    ...(body !== undefined && { body }),
  });
  return form.read(forwarded, result, { serverId, isRepeat });
}

async function sendWithAccessHeld(
  forwarded: ForwardContext,
  serverId: string,
  request: OriginRequest,
): Promise<OriginResult> {
  const { gateway, caller, plane, incoming } = forwarded;
  const sending: { isSent: boolean; attempt?: OriginAttempt } = { isSent: false };
  // The request is sent once: the upstream API may have carried it out.
  const sendHoldingAccess = async (tenant: TenantTransaction): Promise<void> => {
    const heldAtMs = monotonicMs(); // before access is held, so that a node that was suspended notices
    let isWithdrawn = false;
    await lockScopes(tenant, forwarded, serverId);
    const preSendCheck = (): boolean => {
      // A lost connection no longer holds the access.
      sending.isSent = !isWithdrawn && !tenant.isLost() && monotonicMs() - heldAtMs < MAX_SEND_DELAY_MS;
      return sending.isSent;
    };
    const attempt = sendTraced(gateway, incoming, { ...request, preSendCheck });
    sending.attempt = attempt;
    const timer = new AbortController();
    const late = pause(MAX_SEND_DELAY_MS, false, { signal: timer.signal }).catch(() => false);
    await Promise.race([attempt.begun, late]);
    timer.abort();
    isWithdrawn = true;
  };
  await plane.mutations.runAlone(caller.appId, sendHoldingAccess, { isOnce: true }).catch((error: unknown) => {
    // The transaction only holds the access. If it fails after the request was sent, the response still counts.
    if (!sending.isSent) throw error;
  });
  if (!sending.attempt) throw new Error('The request was not sent, although its access was held.');
  return sending.attempt.result;
}

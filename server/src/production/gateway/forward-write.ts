// Mutations that the upstream API carries out. Nothing is sent after a revocation was answered, and no mutation is
// carried out twice. A mutation with an Idempotency-Key is stored before it is sent, and the upstream API gets a key
// for each. A mutation with an unknown outcome stays stored until a repeat under the same key has a response.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  claimIdempotencyKey,
  lockAllowedAccess,
  readIdempotencyKey,
  replayStoredReply,
  runAsTenant,
  storeFirstReply,
  type TenantTransaction,
} from '../../access/authority/index.ts';
import { workflows } from '../../access/contracts/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import type { Reply } from '../../kit/http/operation.ts';
import { fillPath } from '../../kit/http/paths.ts';
import { problem } from '../../kit/openapi/problems.ts';
import type { OriginAttempt, OriginRequest, OriginResult } from '../../kit/outbound/outbound-origin.ts';
import { type ForwardContext, scopeOf } from './forward-read.ts';
import { get, headersFor, sendTraced } from './gateway.ts';
import { beginMutation, endMutation, type MutationLease, markOutcomeUnknown } from './mutation-store.ts';
import {
  fieldsOf,
  readAnswer,
  requireMatch,
  toValidJson,
  UpstreamFailureError,
  UpstreamRefusalError,
} from './upstream-response.ts';

/**
 * Milliseconds within which a mutation may be sent after its access was read. A revocation waits at most this long. A
 * node that was suspended for longer sends nothing.
 */
const MAX_SEND_DELAY_MS = 1_000;
/** Milliseconds of lease beyond the request itself, because its node may be about to record the outcome. */
const LEASE_MARGIN_MS = 5_000;
/** Milliseconds until a mutation with an unknown outcome may be repeated. */
const PAUSE_MS = 1_000;

/** Paths of the created objects. */
const PLACES: Readonly<Record<string, string>> = {
  createTicket: '/v1/tickets',
  createWorkflowRun: '/v1/workflow-runs',
};

export async function forwardWrite(forwarded: ForwardContext): Promise<Reply> {
  const { incoming } = forwarded;
  const key = readIdempotencyKey(incoming);
  const serverId = await findServerId(forwarded);
  incoming.exchange.subjectId = serverId;
  if (key === undefined) return send(forwarded, serverId, { key: `slw_${incoming.exchange.id}`, isRepeat: false });
  const begun = await startForward(forwarded, serverId);
  if ('reply' in begun) return begun.reply;
  return completeForward(forwarded, serverId, key, begun);
}

/** Returns the server whose grant decides: the server of the path or of the workflow. */
async function findServerId(forwarded: ForwardContext): Promise<string> {
  const { serverId } = forwarded.inputs.ids;
  if (serverId !== undefined) return serverId;
  try {
    return await readServerIdUpstream(forwarded);
  } catch (error) {
    // A stored response is returned again, even if the upstream API or the workflow is gone.
    const known = await findStoredServerId(forwarded);
    if (known === undefined) throw error;
    return known;
  }
}

async function readServerIdUpstream({
  gateway,
  operation,
  caller,
  plane,
  incoming,
  inputs,
}: ForwardContext): Promise<string> {
  const { workflowId } = inputs.params;
  const headers = await headersFor(gateway, { caller, plane, incoming, serverId: undefined });
  const path = `/v1/workflows/${encodeURIComponent(workflowId ?? '')}`;
  const workflow = fieldsOf(
    readAnswer(await get(gateway, incoming, path, headers), 200, { operation, isRepeat: false }),
  );
  toValidJson(workflows.schema, workflow);
  requireMatch(workflow.id === workflowId);
  return fromId('srv', String(workflow.serverId)) ?? '';
}

/** Returns the server of the stored response to the same request. */
async function findStoredServerId({
  operation,
  caller,
  plane,
  incoming,
  inputs,
}: ForwardContext): Promise<string | undefined> {
  const claimed = await runAsTenant(plane.db.api, caller.appId, (tenant) =>
    claimIdempotencyKey(tenant, { incoming, inputs, operation }),
  );
  const { stored, requestHash } = claimed ?? {};
  if (!stored || !requestHash?.equals(stored.request_hash)) return undefined;
  return fromId('srv', String(fieldsOf(JSON.parse(stored.body)).serverId));
}

/** Checks access, and returns the stored response or stores the mutation, in one transaction. */
function startForward(forwarded: ForwardContext, serverId: string): Promise<MutationLease | { reply: Reply }> {
  const { gateway, operation, caller, plane, incoming, inputs } = forwarded;
  return plane.mutations.runAlone(caller.appId, async (tenant) => {
    const [claimed] = await Promise.all([
      claimIdempotencyKey(tenant, { incoming, inputs, operation }),
      lockAllowedAccess(tenant, { keyId: caller.keyId, serverId, scope: scopeOf(operation) }),
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
  serverId: string,
  key: string,
  lease: MutationLease,
): Promise<Reply> {
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
    const reply = await send(forwarded, serverId, { key: upstreamKey, isRepeat });
    await storeOutcome(async (tenant) => {
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
      if (isUnknown) markOutcomeUnknown(tenant, lease, PAUSE_MS);
      else endMutation(tenant, lease);
    });
    throw error;
  }
}

/** Sends the mutation once while its access is held, and reads the response. */
async function send(
  forwarded: ForwardContext,
  serverId: string,
  { key, isRepeat }: { key: string; isRepeat: boolean },
): Promise<Reply & { json: string }> {
  const { gateway, operation, caller, plane, incoming, inputs } = forwarded;
  const headers = await headersFor(gateway, { caller, plane, incoming, serverId });
  const result = await sendWithAccessHeld(forwarded, serverId, {
    method: 'POST',
    path: fillPath(operation.path, inputs.params),
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(inputs.body),
  });
  const status = Number(Object.keys(operation.replies)[0]);
  const made = fieldsOf(readAnswer(result, status, { operation, isRepeat }));
  const json = toValidJson(operation.replies[status]?.schema, made);
  const { workflowId = made.workflowId } = inputs.params;
  requireMatch(fromId('srv', String(made.serverId)) === serverId, made.workflowId === workflowId);
  return { status, json, headers: { location: `${plane.urls.public}${PLACES[operation.id]}/${made.id}` } };
}

async function sendWithAccessHeld(
  { gateway, operation, caller, plane, incoming }: ForwardContext,
  serverId: string,
  request: OriginRequest,
): Promise<OriginResult> {
  const sending: { isSent: boolean; attempt?: OriginAttempt } = { isSent: false };
  // The request is sent once: the upstream API may have carried it out.
  const sendHoldingAccess = async (tenant: TenantTransaction): Promise<void> => {
    const heldAtMs = monotonicMs(); // before access is held, so that a node that was suspended notices
    let isWithdrawn = false;
    await lockAllowedAccess(tenant, { keyId: caller.keyId, serverId, scope: scopeOf(operation) });
    const permit = (): boolean => {
      // A lost connection no longer holds the access.
      sending.isSent = !isWithdrawn && !tenant.isLost() && monotonicMs() - heldAtMs < MAX_SEND_DELAY_MS;
      return sending.isSent;
    };
    const attempt = sendTraced(gateway, incoming, { ...request, permit });
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

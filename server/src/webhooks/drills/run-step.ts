// Runs one step of a drill: sends its messages in sequence or concurrently, and collects the responses.

import { newUuid } from '../../kit/crypto/ids.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import type { Probe, ProbeResult } from '../dispatch/index.ts';
import { MAX_ANSWER_LENGTH, type StoredDrillRequest } from './drill.ts';
import { buildDrillEvent, buildDrillHeaders, type DrillEvent, type DrillOrigin } from './drill-message.ts';
import type { DrillMessage, DrillStepPlan } from './drill-steps.ts';
import { parseEffectHeader } from './evaluate-step.ts';

export type ProbeSender = (probe: Probe) => Promise<ProbeResult>;

type StepRun =
  | { kind: 'taken'; requests: StoredDrillRequest[] }
  /** No request may be sent to the endpoint. */
  | { kind: 'refused'; reason: string }
  /** This worker could not send, or was stopped during the step. The step is run again. */
  | { kind: 'unsent' };

function toRequest(
  event: DrillEvent,
  { sequence }: DrillMessage,
  probed: ProbeResult & { kind: 'sent' },
): StoredDrillRequest {
  const { record } = probed;
  const answer = 'status' in record ? record : undefined;
  return {
    webhookId: event.id,
    sequence,
    sentAt: new Date(probed.startedAtMs).toISOString(),
    durationMs: probed.durationMs,
    outcome: record.outcome,
    status: answer?.status ?? null,
    detail: record.detail,
    // Cutting may split a surrogate pair.
    answer: answer?.body.slice(0, MAX_ANSWER_LENGTH).toWellFormed() ?? null,
    ...parseEffectHeader(answer?.headers['slipway-drill']),
  };
}

export async function runStep(
  target: DrillOrigin & { endpointId: string },
  plan: DrillStepPlan,
  send: ProbeSender,
): Promise<StepRun> {
  const subjectId = newUuid();
  const events = new Map<number, DrillEvent>();
  const requests: StoredDrillRequest[] = [];

  /** Sends a message. Returns why the step cannot be completed; undefined if the message was sent. */
  async function sendOne(message: DrillMessage): Promise<Exclude<StepRun, { kind: 'taken' }> | undefined> {
    const event = events.get(message.sequence) ?? buildDrillEvent(target, plan.name, subjectId, message, nowMs());
    events.set(message.sequence, event);
    const probed = await send({
      appId: target.appId,
      endpointId: target.endpointId,
      buildRequest: (secrets) => ({
        headers: buildDrillHeaders(target, message, event, secrets, nowMs()),
        body: event.sent,
      }),
    });
    if (probed.kind !== 'sent') return probed;
    requests.push(toRequest(event, message, probed));
    return undefined;
  }

  if (plan.isConcurrent) {
    const ends = await Promise.all(plan.messages.map(sendOne));
    return ends.find((end) => end !== undefined) ?? { kind: 'taken', requests };
  }
  for (const message of plan.messages) {
    const end = await sendOne(message);
    if (end) return end;
    // A receiver that does not respond gets no further message: the step has failed.
    if (requests.at(-1)?.outcome !== 'response') break;
  }
  return { kind: 'taken', requests };
}

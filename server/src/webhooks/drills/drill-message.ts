// Creates the messages of a drill, which cannot be misused. The signed bytes say that the message is a drill. Its id
// belongs to no real event, so no receiver takes a real event for a duplicate of it. Its subject is not real, so no
// real sequence advances.
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import { createSigningSecret, sign } from '../../kit/crypto/standard-webhooks.ts';
import type { DrillMessage } from './drill-steps.ts';

export interface DrillOrigin {
  drillId: string;
  appId: string;
  environment: string;
}

/** An event with its signed and its sent bytes. The two differ only if the step changes the body. */
export interface DrillEvent {
  id: string;
  signed: Buffer;
  sent: Buffer;
}

const MS = 1_000;
const TEXT = 'as it was signed';
const LETTER = 'é';

/** Returns an envelope with the fields of every event, so that a receiver can parse it. */
function envelopeOf(origin: DrillOrigin, step: string, subjectId: string, message: DrillMessage, atMs: number) {
  const drillId = toId('drl', origin.drillId);
  return {
    id: toId('evt', newUuid()),
    type: 'drill',
    schemaVersion: 1,
    occurredAt: new Date(atMs - (message.happenedAgoS ?? 0) * MS).toISOString(),
    environment: origin.environment,
    appId: toId('app', origin.appId),
    // Well-formed, but of no server.
    serverId: toId('srv', subjectId),
    subject: { type: 'drill', id: toId('drs', subjectId) },
    sequence: message.sequence,
    requestId: null,
    data: { drillId, step, letter: LETTER, text: TEXT },
  };
}

export function buildDrillEvent(
  origin: DrillOrigin,
  step: string,
  subjectId: string,
  message: DrillMessage,
  atMs: number,
): DrillEvent {
  const envelope = envelopeOf(origin, step, subjectId, message, atMs);
  const signed = message.isSpaced
    ? JSON.stringify(envelope, null, 2).replace(LETTER, '\\u00e9')
    : JSON.stringify(envelope);
  const sent = message.isChanged ? signed.replace(TEXT, 'as it was changed') : signed;
  return { id: envelope.id, signed: Buffer.from(signed), sent: Buffer.from(sent) };
}

function chooseSigners({ signedBy }: DrillMessage, own: readonly Secret[]): readonly Secret[] {
  if (signedBy === undefined) return own;
  if (signedBy === 'none') return [];
  const otherSecret = createSigningSecret();
  if (signedBy === 'other') return [otherSecret];
  return signedBy === 'other_then_own' ? [otherSecret, ...own] : [...own, otherSecret];
}

/** Returns the headers of a drill's message. */
export function buildDrillHeaders(
  origin: DrillOrigin,
  message: DrillMessage,
  event: DrillEvent,
  own: readonly Secret[],
  atMs: number,
): Record<string, string> {
  const timestamp = Math.floor(atMs / MS) - (message.signedAgoS ?? 0);
  const signers = chooseSigners(message, own);
  return {
    'webhook-id': event.id,
    'webhook-timestamp': String(timestamp),
    ...(signers.length > 0 && { 'webhook-signature': sign(signers, event.id, timestamp, event.signed) }),
    'slipway-trigger': 'drill',
    'slipway-drill-id': toId('drl', origin.drillId),
    'slipway-schema-version': '1',
    'slipway-environment': origin.environment,
  };
}

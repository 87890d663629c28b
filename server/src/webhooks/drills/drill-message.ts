// The messages of a drill. Whoever gets hold of one can do nothing with it: what is signed with the endpoint's secret says,
// in the signed bytes, that it is a drill; its identifier is no real event's, so that no receiver takes a real one for a
// duplicate of it; and its subject is no real one, so that no sequence that matters moves.
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import { createSigningSecret, sign } from '../../kit/crypto/standard-webhooks.ts';
import type { DrillMessage } from './drill-steps.ts';

export interface DrillOrigin {
  drillId: string;
  appId: string;
  environment: string;
}

/** One event, as it is signed and as it is sent: the same but where a body is changed on its way. */
export interface DrillEvent {
  id: string;
  signed: Buffer;
  sent: Buffer;
}

const MS = 1_000;
const TEXT = 'as it was signed';
const LETTER = 'é';

/** In the form of every event, so that a receiver that parses it has all that it looks for. */
function envelopeOf(origin: DrillOrigin, step: string, subjectId: string, message: DrillMessage, atMs: number) {
  const drillId = toId('drl', origin.drillId);
  return {
    id: toId('evt', newUuid()),
    type: 'drill',
    schemaVersion: 1,
    occurredAt: new Date(atMs - (message.happenedAgoS ?? 0) * MS).toISOString(),
    environment: origin.environment,
    appId: toId('app', origin.appId),
    // Well-formed, and nobody's.
    serverId: toId('srv', subjectId),
    subject: { type: 'drill', id: toId('drs', subjectId) },
    sequence: message.sequence,
    requestId: null,
    data: { drillId, step, letter: LETTER, text: TEXT },
  };
}

export function makeEvent(
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
  const sent = message.isChanged ? signed.replace(TEXT, 'as somebody changed it') : signed;
  return { id: envelope.id, signed: Buffer.from(signed), sent: Buffer.from(sent) };
}

function signersOf({ signedBy }: DrillMessage, own: readonly Secret[]): readonly Secret[] {
  if (signedBy === undefined) return own;
  if (signedBy === 'nobody') return [];
  const stranger = createSigningSecret();
  if (signedBy === 'stranger') return [stranger];
  return signedBy === 'stranger_then_own' ? [stranger, ...own] : [...own, stranger];
}

/** The headers that a drill's message has of its own. */
export function headersOf(
  origin: DrillOrigin,
  message: DrillMessage,
  event: DrillEvent,
  own: readonly Secret[],
  atMs: number,
): Record<string, string> {
  const timestamp = Math.floor(atMs / MS) - (message.signedAgoS ?? 0);
  const signers = signersOf(message, own);
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

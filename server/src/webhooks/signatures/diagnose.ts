// Explains why a message does not verify: a pure function of the received message and the known data of its endpoint.
// The function computes the signature with each possible mistake in turn, and reports the mistake that matches.
import { bodyMistake, reverseMistakes, unsignedBodyMistake } from './body-mistakes.ts';
import { explainComputed } from './computed-signature.ts';
import type { Mistake, SignatureFinding } from './diagnosis.ts';
import { readMessageHeaders } from './message-headers.ts';
import { isAmong, type KnownSecrets, macOf, type Signer, signersOf, toSignerFindings } from './signers.ts';

export interface DiagnosedMessage {
  body: Buffer;
  headers: Readonly<Record<string, string>>;
  /** Time by the receiver's clock; undefined if unknown. */
  receivedAtMs: number | undefined;
  /** The signature that the receiver's code computed. */
  computed: string | undefined;
}

export interface DiagnosisContext extends KnownSecrets {
  /** The bytes of the event in each schema version; empty if the event is unknown. */
  sent: readonly Buffer[];
}

interface SignatureExplanation {
  /** The body as it was signed. */
  body: Buffer;
  mistake: Mistake | undefined;
  signer: Signer;
}

/**
 * Generates possible bodies and signers of the message, the likeliest first. Derived bodies are tried only with the
 * endpoint's own secrets.
 */
function* bodyCandidates(
  { body }: DiagnosedMessage,
  { sent }: DiagnosisContext,
  signers: readonly Signer[],
): Generator<SignatureExplanation> {
  const others = sent.filter((original) => !original.equals(body));
  const bodies = [
    { body, mistake: undefined },
    ...others.map((one) => ({ body: one, mistake: bodyMistake(body, one) })),
  ];
  for (const one of bodies) for (const signer of signers) yield { ...one, signer };
  const own = signers.filter(({ endpointId }) => endpointId === undefined);
  for (const one of reverseMistakes(body)) for (const signer of own) yield { ...one, signer };
}

function explain(
  message: DiagnosedMessage,
  known: DiagnosisContext,
  signers: readonly Signer[],
  of: { id: string; timestamp: number; signatures: readonly Buffer[] },
): SignatureExplanation | undefined {
  for (const candidate of bodyCandidates(message, known, signers)) {
    const mac = macOf(candidate.signer.key, `${of.id}.${of.timestamp}.`, candidate.body);
    if (isAmong(mac, of.signatures)) return candidate;
  }
  return undefined;
}

export function diagnose(message: DiagnosedMessage, known: DiagnosisContext): SignatureFinding[] {
  const { headers, findings } = readMessageHeaders(message);
  const { id, timestamp, signatures } = headers;
  if (id === undefined || timestamp === undefined || signatures === undefined) return findings;
  const signers = signersOf(known);
  const explanation = explain(message, known, signers, { id, timestamp, signatures });
  if (explanation) findings.push(...toExplainedFindings(explanation));
  else if (signatures.length > 0) findings.push(...toUnexplainedFindings(message, known));
  if (message.computed !== undefined) {
    const bodies = [...new Set([explanation?.body ?? message.body, message.body])];
    const from = { headers: message.headers, id, timestamp, bodies, signers, signatures };
    findings.push(...explainComputed(message.computed, from));
  }
  return findings.filter((one, at) => findings.findIndex(({ mistake }) => mistake === one.mistake) === at);
}

function toExplainedFindings({ mistake, signer }: SignatureExplanation): SignatureFinding[] {
  const detail = 'The signature is correct for the body that was sent. Your body differs from it.';
  return [...(mistake ? [{ mistake, detail }] : []), ...toSignerFindings(signer, 'The message is signed')];
}

/**
 * Returns the findings for a signature that no known secret explains. Reports the body too if it differs from the sent
 * one.
 */
function toUnexplainedFindings({ body }: DiagnosedMessage, { sent }: DiagnosisContext): SignatureFinding[] {
  const [original] = sent;
  const isOther = original !== undefined && !sent.some((one) => one.equals(body));
  const secret = 'No active secret of this app gives this signature for this body.';
  return [
    ...(isOther ? [{ mistake: unsignedBodyMistake(body, original), detail: OTHER_BODY }] : []),
    { mistake: 'unknown_secret', detail: secret },
  ];
}

const OTHER_BODY =
  'The body differs from the body that was sent. Correct the secret first: a truncated or reserialised body is recognised only with a valid signature.';

// Why a message does not verify: a pure function of what the receiver got and what is known of its endpoint. It computes what
// a receiver would, with each mistake in turn, and says which of them explains what came.
import { bodyMistake, undone, unsignedBodyMistake } from './body-mistakes.ts';
import { explainComputed } from './computed-signature.ts';
import type { Finding, Mistake } from './diagnosis.ts';
import { readMessageHeaders } from './message-headers.ts';
import { findingOf, isAmong, type KnownSecrets, macOf, type Signer, signersOf } from './signer.ts';

export interface Message {
  body: Buffer;
  headers: Readonly<Record<string, string>>;
  /** By the receiver's clock; undefined where it is not known. */
  receivedAtMs: number | undefined;
  /** What the receiver's code computed. */
  computed: string | undefined;
}

export interface Known extends KnownSecrets {
  /** The bytes of the event, in each schema version; none when it is not known. */
  sent: readonly Buffer[];
}

interface Explanation {
  /** As it was signed. */
  body: Buffer;
  mistake: Mistake | undefined;
  signer: Signer;
}

interface Signed {
  id: string;
  timestamp: number;
  signatures: readonly Buffer[];
}

/** What the message may have been and who may have signed it, the likeliest first: guesses are for its own endpoint alone. */
function* candidates({ body }: Message, { sent }: Known, signers: readonly Signer[]): Generator<Explanation> {
  const others = sent.filter((original) => !original.equals(body));
  const bodies = [
    { body, mistake: undefined },
    ...others.map((one) => ({ body: one, mistake: bodyMistake(body, one) })),
  ];
  for (const one of bodies) for (const signer of signers) yield { ...one, signer };
  const own = signers.filter(({ endpointId }) => endpointId === undefined);
  for (const one of undone(body)) for (const signer of own) yield { ...one, signer };
}

function explain(message: Message, known: Known, signers: readonly Signer[], of: Signed): Explanation | undefined {
  for (const candidate of candidates(message, known, signers)) {
    const mac = macOf(candidate.signer.key, `${of.id}.${of.timestamp}.`, candidate.body);
    if (isAmong(mac, of.signatures)) return candidate;
  }
  return undefined;
}

export function diagnose(message: Message, known: Known): Finding[] {
  const { headers, findings } = readMessageHeaders(message);
  const { id, timestamp, signatures } = headers;
  if (id === undefined || timestamp === undefined || signatures === undefined) return findings;
  const signers = signersOf(known);
  const explanation = explain(message, known, signers, { id, timestamp, signatures });
  if (explanation) findings.push(...told(explanation));
  else if (signatures.length > 0) findings.push(...unexplained(message, known));
  if (message.computed !== undefined) {
    const bodies = [...new Set([explanation?.body ?? message.body, message.body])];
    const from = { headers: message.headers, id, timestamp, bodies, signers, signatures };
    findings.push(...explainComputed(message.computed, from));
  }
  return findings.filter((one, at) => findings.findIndex(({ mistake }) => mistake === one.mistake) === at);
}

function told({ mistake, signer }: Explanation): Finding[] {
  const detail = 'The signature is right over the body that was sent, and this is not the same.';
  return [...(mistake ? [{ mistake, detail }] : []), ...findingOf(signer, 'It is signed')];
}

/** For a signature that no known secret explains. Reports the body too if it is not the one that was sent. */
function unexplained({ body }: Message, { sent }: Known): Finding[] {
  const [original] = sent;
  const isOther = original !== undefined && !sent.some((one) => one.equals(body));
  const secret = 'No secret of this app that is in use made this signature over this body.';
  return [
    ...(isOther ? [{ mistake: unsignedBodyMistake(body, original), detail: OTHER_BODY }] : []),
    { mistake: 'unknown_secret', detail: secret },
  ];
}

const OTHER_BODY =
  'The body is not the one that was sent. Correct the secret first: a body that was cut or written again is recognised only with a valid signature.';

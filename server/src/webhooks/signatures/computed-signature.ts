// Explains the signature that a receiver's own code computed: finds the mistake in computing that leads to it.
import type { Mistake, SignatureFinding } from './diagnosis.ts';
import { readSignature } from './message-headers.ts';
import { isAmong, macOf, type Signer, toSignerFindings } from './signers.ts';

interface ComputationInput {
  headers: Readonly<Record<string, string>>;
  id: string;
  timestamp: number;
  /** The body as it was sent, if that is known, and as the receiver has it. */
  bodies: readonly Buffer[];
  signers: readonly Signer[];
  /** The signatures in webhook-signature. */
  signatures: readonly Buffer[];
}

const DETAILS: Partial<Record<Mistake, string>> = {
  secret_as_text: 'Your code used the text of the secret as the key.',
  secret_prefix_kept: 'Your code used a key that includes the prefix `whsec_`.',
  content_wrong: 'Your code did not sign the id, the timestamp and the body.',
  signature_in_hex: 'Your code encoded the signature in hex.',
  version_prefix_missing: 'Your code computed the correct signature, without the `v1,` of the header.',
  signatures_not_split: 'Your code computed one of the several signatures in the header.',
};
const toFindings = (mistakes: readonly Mistake[]): SignatureFinding[] =>
  mistakes.map((mistake) => ({ mistake, detail: DETAILS[mistake] ?? '' }));

/** Returns the keys that can be derived from a secret, the correct one first. */
function keyCandidates({ key, secret, endpointId }: Signer): { key: Buffer; mistakes: Mistake[] }[] {
  const right = { key, mistakes: [] };
  if (endpointId !== undefined) return [right];
  const secretText = secret.reveal();
  const encoded = secretText.slice('whsec_'.length);
  return [
    right,
    { key: Buffer.from(encoded), mistakes: ['secret_as_text'] },
    { key: Buffer.from(secretText), mistakes: ['secret_prefix_kept', 'secret_as_text'] },
    // Decoders treat the underscore as a slash or ignore it.
    { key: Buffer.from(secretText, 'base64'), mistakes: ['secret_prefix_kept'] },
    { key: Buffer.from(secretText.replace('_', ''), 'base64'), mistakes: ['secret_prefix_kept'] },
  ];
}

/** Returns the texts that may precede the body, the correct one first. */
function prefixCandidates({ id, timestamp, headers }: ComputationInput): { text: string; mistakes: Mistake[] }[] {
  const deliveryId = Object.entries(headers).find(([name]) => name.toLowerCase() === 'slipway-delivery-id')?.[1];
  const wrong = ['', `${timestamp}.`, `${id}.`, `${id}${timestamp}`, `${timestamp}.${id}.`, `${id}.${timestamp}`];
  if (deliveryId !== undefined) wrong.push(`${deliveryId}.${timestamp}.`);
  return [
    { text: `${id}.${timestamp}.`, mistakes: [] },
    ...wrong.map((text) => ({ text, mistakes: ['content_wrong' as const] })),
  ];
}

/** Generates every signature that a receiver might compute, those with the fewest mistakes first. */
function* signatureCandidates(
  from: ComputationInput,
): Generator<{ bytes: Buffer; mistakes: Mistake[]; signer: Signer }> {
  for (const { text, mistakes: ofContent } of prefixCandidates(from)) {
    for (const signer of from.signers) {
      if (signer.endpointId !== undefined && ofContent.length > 0) continue;
      for (const { key, mistakes: ofKey } of keyCandidates(signer)) {
        for (const body of from.bodies) {
          yield { bytes: macOf(key, text, body), mistakes: [...ofKey, ...ofContent], signer };
        }
      }
    }
  }
}

export function explainComputed(text: string, from: ComputationInput): SignatureFinding[] {
  const read = readSignature(text.trim());
  if (!read) {
    return [
      { mistake: 'malformed_signature', detail: 'The computed signature must be an HMAC-SHA-256 in base64 or hex.' },
    ];
  }
  if (isAmong(read.bytes, from.signatures)) {
    return toFindings([...read.mistakes, ...(from.signatures.length > 1 ? ['signatures_not_split' as const] : [])]);
  }
  const inHex = read.mistakes.filter((mistake) => mistake === 'signature_in_hex');
  for (const { bytes, mistakes, signer } of signatureCandidates(from)) {
    if (!isAmong(bytes, [read.bytes])) continue;
    return [...toSignerFindings(signer, 'Your code computed the signature'), ...toFindings([...mistakes, ...inHex])];
  }
  const detail = 'No active secret of this app gives the computed signature.';
  return [{ mistake: 'unknown_secret', detail }, ...toFindings(inHex)];
}

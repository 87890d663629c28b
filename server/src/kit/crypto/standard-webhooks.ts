// Signs webhooks by the Standard Webhooks specification, so that receivers can verify with existing libraries.
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
import { createHmac, randomBytes } from 'node:crypto';
import { type Secret, secret } from './secret.ts';

const PREFIX = 'whsec_';

// The specification's limits for a symmetric secret.
const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;

export const createSigningSecret = (): Secret => secret(PREFIX + randomBytes(32).toString('base64'));

/** Returns the bytes of the signing key. */
export const signingKeyOf = (signingSecret: Secret): Buffer => {
  const text = signingSecret.reveal();
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '';
  const key = Buffer.from(encoded, 'base64');
  // Buffer.from ignores characters that are not base64. A verifying library would derive another key, so such a secret
  // is refused.
  if (key.length < MIN_KEY_BYTES || key.length > MAX_KEY_BYTES || key.toString('base64') !== encoded) {
    throw new Error(`A signing secret is ${PREFIX} and base64 of ${MIN_KEY_BYTES} to ${MAX_KEY_BYTES} bytes.`);
  }
  return key;
};

/**
 * Returns the webhook-signature header with one `v1,` signature per live secret. `timestamp` is in whole Unix seconds.
 */
export const sign = (secrets: readonly Secret[], id: string, timestamp: number, body: string | Buffer): string => {
  if (secrets.length === 0) throw new Error('A webhook is signed with at least one secret.');
  if (!Number.isSafeInteger(timestamp)) throw new Error('The timestamp is in whole seconds.');
  // With a dot, the boundary between id and timestamp would be ambiguous, and two messages could have the same
  // signature.
  if (id === '' || id.includes('.')) throw new Error('A webhook id is not empty and has no dot.');
  const signatures = secrets.map((each) =>
    createHmac('sha256', signingKeyOf(each)).update(`${id}.${timestamp}.`).update(body).digest('base64'),
  );
  return signatures.map((signature) => `v1,${signature}`).join(' ');
};

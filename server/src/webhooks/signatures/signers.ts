// The secrets that may have made a signature, and how signatures are computed and compared.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../kit/crypto/secret.ts';
import { signingKeyOf } from '../../kit/crypto/standard-webhooks.ts';
import type { Mistake, SignatureFinding } from './diagnosis.ts';

export interface Signer {
  key: Buffer;
  secret: Secret;
  /** Undefined for the current secret of the endpoint. */
  mistake: Mistake | undefined;
  /** The endpoint of the secret, if it is another endpoint. */
  endpointId?: string;
}

export interface KnownSecrets {
  secret: Secret;
  /** The previous secret while it still signs. */
  previous: Secret | undefined;
  /** Secrets of the app's other endpoints. */
  others: readonly { endpointId: string; secret: Secret }[];
}

export const macOf = (key: Buffer, beginning: string, body: Buffer): Buffer =>
  createHmac('sha256', key).update(beginning).update(body).digest();

const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
export const isAmong = (computed: Buffer, given: readonly Buffer[]): boolean =>
  given.filter((one) => isSame(one, computed)).length > 0;

/** Returns the possible signers, the likeliest first. */
export function signersOf({ secret, previous, others }: KnownSecrets): Signer[] {
  const own: Signer[] = [{ key: signingKeyOf(secret), secret, mistake: undefined }];
  if (previous) own.push({ key: signingKeyOf(previous), secret: previous, mistake: 'older_secret' });
  const rest = others.map(({ endpointId, secret: theirs }): Signer => {
    return { key: signingKeyOf(theirs), secret: theirs, mistake: 'another_endpoints_secret', endpointId };
  });
  return [...own, ...rest];
}

export function toSignerFindings({ mistake, endpointId }: Signer, what: string): SignatureFinding[] {
  if (mistake === undefined) return [];
  const whose = mistake === 'older_secret' ? 'the secret before the last rotation' : 'the secret of another endpoint';
  return [{ mistake, detail: `${what} with ${whose}.`, ...(endpointId !== undefined && { endpointId }) }];
}

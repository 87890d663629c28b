// The signing secrets of an endpoint: the current one and, during the overlap of a rotation, the previous one. Never
// more than these two.

import { type MasterKeys, unseal } from '../../kit/crypto/seal.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import { dateTime, integer, namedObject, nullable, type Static, Type, text } from '../../kit/http/schema.ts';
import { secretBinding } from './endpoint.ts';

export const MAX_OVERLAP_HOURS = 7 * 24;
export const DEFAULT_OVERLAP_HOURS = 24;

export const SecretRotation = namedObject('SecretRotation', 'How to rotate a signing secret.', {
  overlapHours: Type.Optional(
    integer(
      'For how many hours the previous secret still signs deliveries too. 0 ends the previous secret immediately.',
      0,
      MAX_OVERLAP_HOURS,
      { default: DEFAULT_OVERLAP_HOURS },
    ),
  ),
});

export const SigningSecret = namedObject('SigningSecret', 'The signing secret of an endpoint.', {
  signingSecret: text('The secret that signs deliveries.', { minLength: 40, maxLength: 60 }),
  rotatedAt: nullable(dateTime('When this secret replaced the previous secret; null for the first secret.')),
  previousEndsAt: nullable(dateTime('When the previous secret stops or stopped signing.')),
});
export type SigningSecret = Static<typeof SigningSecret>;

export interface SealedSecretsRow {
  endpoint_id: string;
  sealed_secret: Buffer;
  /** Null unless the previous secret still signs, by the database's clock. */
  sealed_previous_secret: Buffer | null;
}

export interface SecretDatesRow {
  secret_rotated_at: Date | null;
  previous_secret_ends_at: Date | null;
}

/** Returns the secrets that sign now, the newest first. */
export function openSecrets(row: SealedSecretsRow, masterKeys: MasterKeys): [Secret, ...Secret[]] {
  const opened = (sealed: Buffer): Secret => unseal(sealed, secretBinding(row.endpoint_id), masterKeys);
  const previous = row.sealed_previous_secret;
  return [opened(row.sealed_secret), ...(previous ? [opened(previous)] : [])];
}

/**
 * Returns why a rotation is refused; undefined if it is allowed. A third secret is never live, because receivers do not
 * expect it.
 */
export function validateSecretRotation(isPreviousLive: boolean, overlapHours: number): string | undefined {
  if (!isPreviousLive || overlapHours === 0) return undefined;
  return 'Two secrets already sign. End the previous secret first, or rotate with an overlap of 0 hours, which ends both.';
}

export const toSigningSecret = (signingSecret: Secret, row: SecretDatesRow): SigningSecret => ({
  signingSecret: signingSecret.reveal(),
  rotatedAt: row.secret_rotated_at?.toISOString() ?? null,
  previousEndsAt: row.previous_secret_ends_at?.toISOString() ?? null,
});

export const exampleSigningSecret: SigningSecret = {
  signingSecret: 'whsec_ZXhhbXBsZSBleGFtcGxlIGV4YW1wbGUgZXhhbXBsZSE=',
  rotatedAt: '2026-11-20T09:00:00.000Z',
  previousEndsAt: '2026-11-21T09:00:00.000Z',
};

// Limits guesses of a password for each account, without a lock that an attacker could use against the account's owner
// (docs/decisions/0064).
import { createHmac } from 'node:crypto';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import type { IdentityOptions, Visitor } from './identity-library.ts';
import { composeWrongPasswordsMail } from './mails.ts';
import {
  type PasswordAttempt,
  recordKnownNetwork,
  returnPasswordTry,
  takePasswordTry,
} from './password-tries-store.ts';

interface PasswordLimit {
  /**
   * Counts the attempt, then compares. Throws `rate_limited` during a delay. `compare` returns undefined for a wrong
   * password.
   */
  runCounted<T>(email: string, visitor: Visitor, compare: () => Promise<T | undefined>): Promise<T | undefined>;
  /** Records the network of this address as known, after the person was authenticated from it. */
  recordKnownNetwork(email: string, visitor: Visitor): Promise<void>;
}

export function createPasswordLimit(
  { db, secret, consoleUrl }: IdentityOptions,
  findAddress: (email: string) => Promise<string | undefined>,
): PasswordLimit {
  const attemptOf = (email: string, { address }: Visitor): PasswordAttempt => ({
    accountHash: createHmac('sha256', secret.reveal()).update(`password tries ${email.trim().toLowerCase()}`).digest(),
    address,
  });
  async function warn(email: string): Promise<void> {
    const to = await findAddress(email);
    if (to !== undefined) await queueMail(db, composeWrongPasswordsMail(to, consoleUrl));
  }
  return {
    async runCounted(email, visitor, compare) {
      const attempt = attemptOf(email, visitor);
      const tried = await takePasswordTry(db, attempt);
      if (!tried.isAllowed) throw problem('rate_limited', { headers: { 'retry-after': String(tried.seconds) } });
      const found = await compare();
      if (found === undefined) {
        if (tried.isFirstDelayed) await warn(email);
        return undefined;
      }
      if (!tried.isKnownPlace) await returnPasswordTry(db, attempt.accountHash);
      await recordKnownNetwork(db, attempt);
      return found;
    },
    recordKnownNetwork: (email, visitor) => recordKnownNetwork(db, attemptOf(email, visitor)),
  };
}

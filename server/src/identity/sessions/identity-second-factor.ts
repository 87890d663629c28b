// The second factor: passkeys, and what the identity library implements, which is a secret that is shared with an
// authenticator (TOTP, RFC 6238), and recovery codes. In addition, a code works only once, and recovery codes are hashed.
import { createHmac } from 'node:crypto';
import type { Queryable } from '../../kit/db/db.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { endSessionsOf } from './access-epoch-store.ts';
import { withAccessEpoch } from './identity-epoch.ts';
import { hashRecoveryCode, type IdentityLibrary, toCookieHeader, type Visitor } from './identity-library.ts';
import type { Passkeys } from './identity-passkeys.ts';
import { composeWrongCodesMail } from './mails.ts';
import type { PasskeyAssertion } from './passkey.ts';
import type { SecondFactorProof } from './second-factor.ts';
import { readSecondFactor, resetCodeTries, takeCodeTry } from './second-factor-store.ts';
import { hasRecentVerification, insertSecondFactorVerification, insertUsedCode } from './store.ts';

export interface Enrolment {
  /** The address `otpauth://...` for an authenticator, usually shown as a QR code. */
  uri: string;
  recoveryCodes: string[];
}

export interface SecondFactor {
  isOn(personId: string): Promise<boolean>;
  /**
   * Creates the secret of an authenticator, and new recovery codes. Returns undefined if the person has a password and
   * `password` differs from it. A sign-in requires the factor only after the confirmation of the authenticator, or after
   * the registration of a passkey.
   */
  enrol(visitor: Visitor, password: string | undefined): Promise<Enrolment | undefined>;
  /**
   * Confirms the factor and ends the person's other sessions. Returns the Set-Cookie headers of the session that
   * replaces the current one, or undefined for a wrong code.
   */
  confirm(visitor: Visitor, personId: string, code: string): Promise<string[] | undefined>;
  /** Returns the person whose sign-in waits for the second factor. */
  challengedPerson(visitor: Visitor): Promise<{ id: string } | undefined>;
  /**
   * Completes a sign-in. Returns undefined if the proof is wrong or was used, or if no sign-in was begun.
   */
  signIn(visitor: Visitor, proof: SecondFactorProof): Promise<string[] | undefined>;
  /**
   * Verifies the factor again. Returns the Set-Cookie headers of a session that replaces the current one, so that a
   * stolen cookie of the current session is not verified. Returns undefined if the proof is wrong or was used.
   */
  verify(visitor: Visitor, personId: string, proof: SecondFactorProof): Promise<string[] | undefined>;
  /**
   * Replaces the current session by one in which the second factor was verified, after the first passkey switched the
   * factor on.
   */
  replaceSession(visitor: Visitor, personId: string): Promise<string[]>;
  /**
   * Returns true if a passkey or a code of the authenticator was verified in this session within the last ten minutes.
   * A recovery code does not count.
   */
  isFresh(visitor: Visitor, db: Queryable): Promise<boolean>;
}

const TOTP = /^\d{6}$/;
const FRESH_MINUTES = 10;

export function createSecondFactor(library: IdentityLibrary, passkeys: Passkeys): SecondFactor {
  const { call, auth, headersOf, options } = library;

  // A code that the library accepted is accepted once: of two concurrent uses, the database admits one.
  async function useCode(personId: string, code: string): Promise<boolean> {
    return insertUsedCode(
      options.db,
      personId,
      createHmac('sha256', options.secret.reveal()).update(`used code ${code}`).digest(),
    );
  }

  // Records the proof for the session that these cookies open, or for the current session if they open none.
  async function noteProof(visitor: Visitor, cookies: readonly string[]): Promise<void> {
    const cookie = cookies.length === 0 ? visitor.cookie : toCookieHeader(cookies);
    const found = await (await auth()).api.getSession({ headers: headersOf({ ...visitor, cookie }) });
    if (found) await insertSecondFactorVerification(options.db, found.session.id);
  }

  // Opens a session of a person whose second factor was just verified.
  async function openVerified(visitor: Visitor, personId: string): Promise<string[]> {
    const cookies = await library.renewSession(personId, visitor);
    await noteProof(visitor, cookies);
    return cookies;
  }

  // Each attempt is counted before its proof is compared, so that concurrent attempts cannot exceed the limit.
  async function counted(
    personId: string,
    compare: () => Promise<string[] | undefined>,
  ): Promise<string[] | undefined> {
    const tried = await takeCodeTry(options.db, personId);
    if (!tried.isAllowed) throw problem('rate_limited', { headers: { 'retry-after': String(tried.seconds) } });
    const cookies = await compare();
    if (cookies) await resetCodeTries(options.db, personId);
    else if (tried.isLast) await warn(personId);
    return cookies;
  }

  async function warn(personId: string): Promise<void> {
    const user = await (await auth()).$context.then(({ internalAdapter }) => internalAdapter.findUserById(personId));
    if (user) await queueMail(options.db, composeWrongCodesMail(user.email, options.consoleUrl));
  }

  async function compare(visitor: Visitor, code: string): Promise<string[] | undefined> {
    const isTotp = TOTP.test(code);
    const answer = isTotp
      ? await call('/two-factor/verify-totp', visitor, { code })
      : await call('/two-factor/verify-backup-code', visitor, { code: hashRecoveryCode(code, options.secret) });
    if (!answer) return undefined;
    const { token, user } = (await answer.json()) as { token: string; user: { id: string } }; // the form of the library's answer
    if (isTotp && !(await useCode(user.id, code))) {
      await (await auth()).$context.then(({ internalAdapter }) => internalAdapter.deleteSession(token));
      return undefined;
    }
    const cookies = answer.headers.getSetCookie();
    if (isTotp) await noteProof(visitor, cookies);
    return cookies;
  }

  const fromEpoch = (personId: string, run: () => Promise<string[] | undefined>): Promise<string[] | undefined> =>
    counted(personId, () => withAccessEpoch(options.db, { personId }, run));

  // As at a sign-in, the proof opens a session, which replaces the current one.
  const verifyAgain = (visitor: Visitor, personId: string, proof: SecondFactorProof): Promise<string[] | undefined> =>
    fromEpoch(personId, async () => {
      // The visitor's session may have been ended since the request was authenticated.
      if (!(await (await auth()).api.getSession({ headers: headersOf(visitor) }))) return undefined;
      if ('passkey' in proof) {
        const isVerified = await passkeys.verify(visitor, personId, 'verify', proof.passkey);
        return isVerified ? openVerified(visitor, personId) : undefined;
      }
      const challenge = toCookieHeader(await library.openSession(personId, visitor));
      return compare(library.withChallengeCookie({ ...visitor, cookie: challenge }), proof.code);
    });

  // The challenge of the sign-in is used up after the passkey was verified, so that a person can try again.
  async function completeByPasskey(challenged: Visitor, personId: string, passkey: PasskeyAssertion) {
    if (!(await passkeys.verify(challenged, personId, 'sign_in', passkey))) return undefined;
    const ended = await library.endChallenge(challenged, personId);
    return ended === undefined ? undefined : [...(await openVerified(challenged, personId)), ended];
  }

  const challengedPerson = async (visitor: Visitor) => {
    const { cookie } = library.withChallengeCookie(visitor);
    return library.challengedPerson(cookie === undefined ? [] : [cookie]);
  };

  return {
    isOn: async (personId) => (await readSecondFactor(options.db, personId)).isOn,
    challengedPerson,
    async enrol(visitor, password) {
      const answer = await call('/two-factor/enable', visitor, { method: 'totp', ...(password && { password }) });
      if (!answer) return undefined;
      const { totpURI, backupCodes } = (await answer.json()) as { totpURI: string; backupCodes: string[] };
      return { uri: totpURI, recoveryCodes: backupCodes };
    },
    async confirm(visitor, personId, code) {
      const cookies = TOTP.test(code) ? await fromEpoch(personId, () => compare(visitor, code)) : undefined;
      if (!cookies) return undefined;
      // An authenticator that joins a passkey opens no session: the current one continues.
      const cookie = cookies.length === 0 ? visitor.cookie : toCookieHeader(cookies);
      const newToken = library.sessionToken({ ...visitor, cookie });
      await options.db.transaction((tx) => endSessionsOf(tx, personId, newToken));
      return cookies;
    },
    async signIn(visitor, proof) {
      const challenged = library.withChallengeCookie(visitor);
      const person = await challengedPerson(visitor);
      return (
        person &&
        fromEpoch(person.id, () =>
          'passkey' in proof
            ? completeByPasskey(challenged, person.id, proof.passkey)
            : compare(challenged, proof.code),
        )
      );
    },
    async verify(visitor, personId, proof) {
      const cookies = await verifyAgain(visitor, personId, proof);
      if (cookies) await call('/sign-out', visitor, {});
      return cookies;
    },
    async replaceSession(visitor, personId) {
      const cookies = await withAccessEpoch(options.db, { personId }, () => openVerified(visitor, personId));
      await call('/sign-out', visitor, {});
      return cookies ?? [];
    },
    async isFresh(visitor, db) {
      const found = await (await auth()).api.getSession({ headers: headersOf(visitor) });
      return found !== null && (await hasRecentVerification(db, found.session.id, FRESH_MINUTES));
    },
  };
}

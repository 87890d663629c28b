// The second factor as the identity library implements it: a secret that is shared with an authenticator (TOTP, RFC
// 6238), and recovery codes. In addition, a code works only once, and recovery codes are hashed.
import { createHmac } from 'node:crypto';
import type { Queryable } from '../../kit/db/db.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { endSessionsOf } from './access-epoch-store.ts';
import { withAccessEpoch } from './identity-epoch.ts';
import { hashRecoveryCode, type IdentityLibrary, toCookieHeader, type Visitor } from './identity-library.ts';
import { composeWrongCodesMail } from './mails.ts';
import { resetCodeTries, takeCodeTry } from './second-factor-store.ts';
import { hasRecentVerification, insertSecondFactorVerification, insertUsedCode } from './store.ts';

export interface Enrolment {
  /** The address `otpauth://...` for an authenticator, usually shown as a QR code. */
  uri: string;
  recoveryCodes: string[];
}

export interface SecondFactor {
  isOn(personId: string): Promise<boolean>;
  /**
   * Creates a second factor. Returns undefined if the person has a password and `password` differs from it. A sign-in
   * requires the factor only after its confirmation.
   */
  enrol(visitor: Visitor, password: string | undefined): Promise<Enrolment | undefined>;
  /**
   * Confirms the factor and ends the person's other sessions. Returns the Set-Cookie headers of the session that
   * replaces the current one, or undefined for a wrong code.
   */
  confirm(visitor: Visitor, personId: string, code: string): Promise<string[] | undefined>;
  /**
   * Completes a sign-in. Returns undefined if the code or recovery code is wrong or was used, or if no sign-in was
   * begun.
   */
  signIn(visitor: Visitor, code: string): Promise<string[] | undefined>;
  /**
   * Verifies the factor again. Returns the Set-Cookie headers of a session that replaces the current one, so that a
   * stolen cookie of the current session is not verified. Returns undefined if the code is wrong or was used.
   */
  verify(visitor: Visitor, personId: string, code: string): Promise<string[] | undefined>;
  /**
   * Returns true if a code of the authenticator was verified in this session within the last ten minutes. A recovery
   * code does not count.
   */
  isFresh(visitor: Visitor, db: Queryable): Promise<boolean>;
  /**
   * Removes the factor. Returns the Set-Cookie headers of the session that replaces the current one, or undefined for a
   * wrong code.
   */
  disable(visitor: Visitor, personId: string, code: string): Promise<string[] | undefined>;
}

const TOTP = /^\d{6}$/;
const FRESH_MINUTES = 10;

export function createSecondFactor(library: IdentityLibrary): SecondFactor {
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

  // Each attempt is counted before its code is compared, so that concurrent attempts cannot exceed the limit.
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

  // As at a sign-in, the code opens a session, which replaces the current one.
  const verifyAgain = (visitor: Visitor, personId: string, code: string): Promise<string[] | undefined> =>
    fromEpoch(personId, async () => {
      // The visitor's session may have been ended since the request was authenticated.
      if (!(await (await auth()).api.getSession({ headers: headersOf(visitor) }))) return undefined;
      const challenge = toCookieHeader(await library.openSession(personId, visitor));
      return compare(library.withChallengeCookie({ ...visitor, cookie: challenge }), code);
    });

  async function turnOff(personId: string): Promise<void> {
    const { adapter, internalAdapter } = await (await auth()).$context;
    await internalAdapter.updateUser(personId, { twoFactorEnabled: false });
    await adapter.deleteMany({ model: 'twoFactor', where: [{ field: 'userId', value: personId }] });
  }

  return {
    async isOn(personId) {
      const { internalAdapter } = await (await auth()).$context;
      const user = await internalAdapter.findUserById(personId);
      return user !== null && 'twoFactorEnabled' in user && user.twoFactorEnabled === true;
    },
    async enrol(visitor, password) {
      const answer = await call('/two-factor/enable', visitor, { method: 'totp', ...(password && { password }) });
      if (!answer) return undefined;
      const { totpURI, backupCodes } = (await answer.json()) as { totpURI: string; backupCodes: string[] };
      return { uri: totpURI, recoveryCodes: backupCodes };
    },
    async confirm(visitor, personId, code) {
      const cookies = TOTP.test(code) ? await fromEpoch(personId, () => compare(visitor, code)) : undefined;
      if (!cookies) return undefined;
      const newToken = library.sessionToken({ ...visitor, cookie: toCookieHeader(cookies) });
      await options.db.transaction((tx) => endSessionsOf(tx, personId, newToken));
      return cookies;
    },
    async signIn(visitor, code) {
      const challenged = library.withChallengeCookie(visitor);
      const person = await library.challengedPerson(challenged.cookie === undefined ? [] : [challenged.cookie]);
      return person && fromEpoch(person.id, () => compare(challenged, code));
    },
    async verify(visitor, personId, code) {
      const cookies = await verifyAgain(visitor, personId, code);
      if (cookies) await call('/sign-out', visitor, {});
      return cookies;
    },
    async isFresh(visitor, db) {
      const found = await (await auth()).api.getSession({ headers: headersOf(visitor) });
      return found !== null && (await hasRecentVerification(db, found.session.id, FRESH_MINUTES));
    },
    async disable(visitor, personId, code) {
      const cookies = await verifyAgain(visitor, personId, code);
      if (!cookies) return undefined;
      await turnOff(personId);
      await call('/sign-out', visitor, {});
      return cookies;
    },
  };
}

// The second factor, as the identity library keeps it: a secret that an authenticator shares (TOTP, RFC 6238), and recovery
// codes. Beyond the library: a code works once, and recovery codes are hashed.
import { createHmac } from 'node:crypto';
import type { Queryable } from '../../kit/db/db.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { endSessionsOf } from './access-epoch-store.ts';
import { sinceEpoch } from './identity-epoch.ts';
import { hashCode, type Library, pairsOf, type Visitor } from './identity-library.ts';
import { mailOfWrongCodes } from './mails.ts';
import { resetCodeTries, takeCodeTry } from './second-factor-store.ts';
import { insertProof, insertUsedCode, isProved } from './store.ts';

export interface Enrolment {
  /** For an authenticator: `otpauth://...`, as a rule shown as a picture. */
  uri: string;
  recoveryCodes: string[];
}

export interface SecondFactor {
  isOn(personId: string): Promise<boolean>;
  /** Undefined when there is a password and this is not it. Nothing is asked for at sign-in before it is confirmed. */
  enrol(visitor: Visitor, password: string | undefined): Promise<Enrolment | undefined>;
  /** Set-Cookie headers of the session that goes on, the person's others are ended; undefined when the code is wrong. */
  confirm(visitor: Visitor, personId: string, code: string): Promise<string[] | undefined>;
  /** The second step of a sign-in. Undefined when code or recovery code is wrong, was used, or nothing was begun. */
  signIn(visitor: Visitor, code: string): Promise<string[] | undefined>;
  /**
   * Set-Cookie headers of the session that goes on in place of this one, so that whoever else has this one's cookie proved nothing;
   * undefined when the code is wrong or was used.
   */
  prove(visitor: Visitor, personId: string, code: string): Promise<string[] | undefined>;
  /** Whether a code of the authenticator was proved in this session within the last minutes. A recovery code is none. */
  isFresh(visitor: Visitor, db: Queryable): Promise<boolean>;
  /** Set-Cookie headers of the session that goes on, or undefined when the code is wrong. */
  disable(visitor: Visitor, personId: string, code: string): Promise<string[] | undefined>;
}

const TOTP = /^\d{6}$/;
const FRESH_MINUTES = 10;

export function createSecondFactor(library: Library): SecondFactor {
  const { call, auth, headersOf, options } = library;

  // What the library took for good is good once: of two at the same time the database lets one through.
  async function useCode(personId: string, code: string): Promise<boolean> {
    return insertUsedCode(
      options.db,
      personId,
      createHmac('sha256', options.secret.reveal()).update(`used code ${code}`).digest(),
    );
  }

  // The session that these cookies open, or the one that goes on where they open none.
  async function noteProof(visitor: Visitor, cookies: readonly string[]): Promise<void> {
    const cookie = cookies.length === 0 ? visitor.cookie : pairsOf(cookies);
    const found = await (await auth()).api.getSession({ headers: headersOf({ ...visitor, cookie }) });
    if (found) await insertProof(options.db, found.session.id);
  }

  // Each try is counted before the code is compared: of many concurrent tries, no more than the limit are compared.
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
    if (user) await queueMail(options.db, mailOfWrongCodes(user.email, options.consoleUrl));
  }

  async function compare(visitor: Visitor, code: string): Promise<string[] | undefined> {
    const isTotp = TOTP.test(code);
    const answer = isTotp
      ? await call('/two-factor/verify-totp', visitor, { code })
      : await call('/two-factor/verify-backup-code', visitor, { code: hashCode(code, options.secret) });
    if (!answer) return undefined;
    const { token, user } = (await answer.json()) as { token: string; user: { id: string } }; // what it answers
    if (isTotp && !(await useCode(user.id, code))) {
      await (await auth()).$context.then(({ internalAdapter }) => internalAdapter.deleteSession(token));
      return undefined;
    }
    const cookies = answer.headers.getSetCookie();
    if (isTotp) await noteProof(visitor, cookies);
    return cookies;
  }

  const fromEpoch = (personId: string, run: () => Promise<string[] | undefined>): Promise<string[] | undefined> =>
    counted(personId, () => sinceEpoch(options.db, { personId }, run));

  // As at a sign-in: the code opens a session, which takes the place of the current one.
  const verifyAnew = (visitor: Visitor, personId: string, code: string): Promise<string[] | undefined> =>
    fromEpoch(personId, async () => {
      // The visitor's session may have been ended since the request was authenticated.
      if (!(await (await auth()).api.getSession({ headers: headersOf(visitor) }))) return undefined;
      const challenge = pairsOf(await library.openSession(personId, visitor));
      return compare(library.challenged({ ...visitor, cookie: challenge }), code);
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
      const kept = library.sessionToken({ ...visitor, cookie: pairsOf(cookies) });
      await options.db.transaction((tx) => endSessionsOf(tx, personId, kept));
      return cookies;
    },
    async signIn(visitor, code) {
      const challenged = library.challenged(visitor);
      const person = await library.challengedPerson(challenged.cookie === undefined ? [] : [challenged.cookie]);
      return person && fromEpoch(person.id, () => compare(challenged, code));
    },
    async prove(visitor, personId, code) {
      const cookies = await verifyAnew(visitor, personId, code);
      if (cookies) await call('/sign-out', visitor, {});
      return cookies;
    },
    async isFresh(visitor, db) {
      const found = await (await auth()).api.getSession({ headers: headersOf(visitor) });
      return found !== null && (await isProved(db, found.session.id, FRESH_MINUTES));
    },
    async disable(visitor, personId, code) {
      const cookies = await verifyAnew(visitor, personId, code);
      if (!cookies) return undefined;
      await turnOff(personId);
      await call('/sign-out', visitor, {});
      return cookies;
    },
  };
}

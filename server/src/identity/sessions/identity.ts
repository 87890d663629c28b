// The adapter of the identity library: sign-in, sessions in the database, passwords, one-time links and the second
// factor.

import { type Secret, secret } from '../../kit/crypto/secret.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { endSessionsOf, lockPerson } from './access-epoch-store.ts';
import { deleteSignInLinks, markEmailVerified } from './email-store.ts';
import { withAccessEpoch } from './identity-epoch.ts';
import { createIdentityLibrary, type IdentityOptions, toCookieHeader, withDatabaseErrors } from './identity-library.ts';
import { createPasskeys } from './identity-passkeys.ts';
import { createPasswordLimit } from './identity-passwords.ts';
import { createSecondFactor } from './identity-second-factor.ts';
import type { Identity, Person, SignInResult } from './identity-types.ts';
import { writePassword } from './password-store.ts';
import { readSecondFactor } from './second-factor-store.ts';
import { hasSession } from './store.ts';

export type { Visitor } from './identity-library.ts';
export type { Identity, Person, PersonSession, SignInResult } from './identity-types.ts';

const FRESH_MS = 10 * 60_000;

export function createIdentity(options: IdentityOptions): Identity {
  const library = createIdentityLibrary(options);
  const { auth, call, headersOf } = library;
  const { db } = options;
  const passkeys = createPasskeys(library);
  const internals = async () => (await (await auth()).$context).internalAdapter;
  const passwords = createPasswordLimit(
    options,
    async (email) => (await (await internals()).findUserByEmail(email))?.user.email,
  );
  async function signedIn(cookies: string[]): Promise<SignInResult> {
    const person = library.isChallenge(cookies) ? await library.challengedPerson(cookies) : undefined;
    const methods = person ? (await readSecondFactor(db, person.id)).methods : [];
    return { cookies, needsSecondFactor: library.isChallenge(cookies), methods };
  }

  /** Returns the hash of the current password, or null. */
  const findHash = async (personId: string): Promise<string | null> =>
    (await (await internals()).findCredentialAccount(personId))?.password ?? null;
  const matches = async (password: string, hash: string): Promise<boolean> =>
    (await (await auth()).$context).password.verify({ hash, password });
  const hashPassword = async (password: string): Promise<Secret> =>
    secret(await (await (await auth()).$context).password.hash(password));

  return withDatabaseErrors<Identity>({
    async person(visitor) {
      if (visitor.cookie === undefined) return undefined;
      const found = await (await auth()).api.getSession({ headers: headersOf(visitor) });
      if (found && !found.user.emailVerified) throw problem('email_not_verified');
      return found ? personOf(found.user) : undefined;
    },
    async isSessionOpen(tx, visitor) {
      const token = library.sessionToken(visitor);
      return token !== undefined && hasSession(tx, token);
    },
    signIn: (email, password, visitor) =>
      passwords.runCounted(email, visitor, () =>
        withAccessEpoch(db, { email }, async () => {
          const answer = await call('/sign-in/email', { ...visitor, cookie: undefined }, { email, password });
          return answer && (await signedIn(answer.headers.getSetCookie()));
        }),
      ),
    async redeemLink(token, visitor) {
      const path = `/magic-link/verify?token=${encodeURIComponent(token)}`;
      const of = { email: (await library.linkedAddress(token)) ?? '' };
      const answer = await withAccessEpoch(db, of, () => call(path, { ...visitor, cookie: undefined }));
      if (!answer) return undefined;
      const cookies = answer.headers.getSetCookie();
      const { user } = (await answer.json()) as { user?: Person }; // the library's answer, unless it requires a second factor
      const email = user?.email ?? (await library.challengedPerson(cookies))?.email;
      if (email !== undefined) {
        await deleteSignInLinks(db, [email]);
        await passwords.recordKnownNetwork(email, visitor);
      }
      return signedIn(cookies);
    },
    async openSession(person, visitor, isAuthenticated) {
      const cookies = await withAccessEpoch(db, { personId: person.id }, async () =>
        (await isAuthenticated()) ? library.openSession(person.id, visitor) : undefined,
      );
      if (!cookies) return undefined;
      await passwords.recordKnownNetwork(person.email, visitor);
      return signedIn(cookies);
    },
    async signOut(visitor) {
      return (await call('/sign-out', visitor, {}))?.headers.getSetCookie() ?? [];
    },
    async listSessions(person, visitor) {
      const current = await (await auth()).api.getSession({ headers: headersOf(visitor) });
      const sessions = await (await internals()).listSessions(person.id, { onlyActiveSessions: true });
      return sessions.map((session) => ({
        id: session.id,
        createdAt: session.createdAt,
        usedAt: session.updatedAt,
        expiresAt: session.expiresAt,
        address: session.ipAddress ?? '',
        userAgent: session.userAgent ?? '',
        isCurrent: session.id === current?.session.id,
      }));
    },
    async endSession(person, sessionId) {
      const adapter = await internals();
      const session = (await adapter.listSessions(person.id)).find(({ id }) => id === sessionId);
      if (session) await adapter.deleteSession(session.token);
      return session !== undefined;
    },
    endSessions: (tx, person) => endSessionsOf(tx, person.id),
    endOtherSessions: (tx, person, visitor) => endSessionsOf(tx, person.id, library.sessionToken(visitor)),
    hasPassword: async (person) => (await findHash(person.id)) !== null,
    async verifyPassword(person, password, visitor) {
      const isRight = await passwords.runCounted(person.email, visitor, async () => {
        const hash = await findHash(person.id);
        return (hash !== null && (await matches(password, hash))) || undefined;
      });
      return isRight === true;
    },
    recordKnownNetwork: ({ email }, visitor) => passwords.recordKnownNetwork(email, visitor),
    async hasJustSignedIn(visitor) {
      const found = await (await auth()).api.getSession({ headers: headersOf(visitor) });
      return found !== null && nowMs() - found.session.createdAt.getTime() < FRESH_MS;
    },
    async setPassword(person, visitor, password, current) {
      const change = await withAccessEpoch(db, { personId: person.id }, async () => {
        const before = await findHash(person.id);
        const isProved =
          before === null ? current === undefined : current !== undefined && (await matches(current, before));
        if (!isProved) return undefined;
        const hash = await hashPassword(password);
        return { before, hash, cookies: before === null ? [] : await library.renewSession(person.id, visitor) };
      });
      if (!change) return undefined;
      const { before, hash, cookies } = change;
      const cookie = cookies.length > 0 ? toCookieHeader(cookies) : visitor.cookie;
      const token = library.sessionToken({ ...visitor, cookie }) ?? '';
      const isSet = await db.transaction(async (tx) => {
        await lockPerson(tx, person.id);
        // A password reset and each other change end this session, so the earlier one of two wins.
        if (!(await hasSession(tx, token)) || !(await writePassword(tx, person.id, hash, before))) return false;
        await endSessionsOf(tx, person.id, token);
        return true;
      });
      return isSet ? cookies : undefined;
    },
    hashPassword,
    async resetPassword(tx, person, hash) {
      await markEmailVerified(tx, person.id);
      await deleteSignInLinks(tx, [person.email]);
      await endSessionsOf(tx, person.id);
      await writePassword(tx, person.id, hash);
    },
    async findPerson(email) {
      const found = await (await internals()).findUserByEmail(email);
      return found ? personOf(found.user) : undefined;
    },
    async ensurePerson(email, name) {
      const adapter = await internals();
      const found = await adapter.findUserByEmail(email);
      const user =
        found?.user ?? (await adapter.createUser({ email, name, emailVerified: true }, { method: 'magic-link' }));
      return personOf(user);
    },
    async createPerson(email, name, password) {
      const adapter = await internals();
      if (await adapter.findUserByEmail(email)) return undefined;
      const user = await adapter.createUser({ email, name, emailVerified: true }, { method: 'email-password' });
      if (password !== undefined) await writePassword(db, user.id, await hashPassword(password));
      return personOf(user);
    },
    async issueLink(person) {
      const { api } = await auth();
      await deleteSignInLinks(db, [person.email]);
      await api.signInMagicLink({
        body: { email: person.email },
        headers: headersOf({ cookie: undefined, address: '' }),
      });
      const token = library.takeLink(person.email);
      if (token === undefined) throw new Error('The identity library issued no link.');
      return secret(token);
    },
    secondFactor: withDatabaseErrors(createSecondFactor(library, passkeys)),
    passkeys,
  });
}

const personOf = ({ id, email, name }: Person): Person => ({ id, email, name });

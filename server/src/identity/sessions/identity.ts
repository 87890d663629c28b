// The adapter of the identity library: sign-in, sessions in the database, passwords, one-time links, the second factor.

import { secret } from '../../kit/crypto/secret.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { endSessionsOf, keepOnlyPassword } from './access-epoch-store.ts';
import { sinceEpoch } from './identity-epoch.ts';
import {
  createLibrary,
  type IdentityOptions,
  isInternal,
  pairsOf,
  reaching,
  type Visitor,
} from './identity-library.ts';
import { createPasswordLimit } from './identity-passwords.ts';
import { createSecondFactor } from './identity-second-factor.ts';
import type { Identity, Person, SignedIn } from './identity-types.ts';
import { hasSession } from './store.ts';

export type { Visitor } from './identity-library.ts';
export type { Identity, OwnSession, Person, SignedIn } from './identity-types.ts';

const FRESH_MS = 10 * 60_000;

export function createIdentity(options: IdentityOptions): Identity {
  const library = createLibrary(options);
  const { auth, call, headersOf } = library;
  const { db } = options;
  const internals = async () => (await (await auth()).$context).internalAdapter;
  const passwords = createPasswordLimit(
    options,
    async (email) => (await (await internals()).findUserByEmail(email))?.user.email,
  );
  const signedIn = (cookies: string[]): SignedIn => ({ cookies, needsSecondFactor: library.isChallenge(cookies) });

  // A link's row says whose it is in the words that the library wrote into it, and nowhere else.
  async function voidLinks(email: string): Promise<void> {
    const { adapter } = await (await auth()).$context;
    const value = JSON.stringify({ type: 'magic-link', email });
    await adapter.deleteMany({ model: 'verification', where: [{ field: 'value', value }] });
  }

  /** Returns the hash of the password. */
  async function keepPassword(personId: string, password: string): Promise<string> {
    const [adapter, context] = [await internals(), await (await auth()).$context];
    const hash = await context.password.hash(password);
    const has = (await adapter.findAccounts(personId)).some(({ providerId }) => providerId === 'credential');
    if (has) await adapter.updatePassword(personId, hash);
    else await adapter.linkAccount({ userId: personId, providerId: 'credential', accountId: personId, password: hash });
    return hash;
  }

  /** Set-Cookie headers of the session that goes on, or undefined if `current` is not the password. */
  async function changePassword(
    visitor: Visitor,
    password: string,
    current: string | undefined,
  ): Promise<string[] | undefined> {
    if (current !== undefined) {
      const body = { newPassword: password, currentPassword: current, revokeOtherSessions: true };
      return (await call('/change-password', visitor, body))?.headers.getSetCookie();
    }
    // The library serves the first password to its own server alone; there is nothing to guess, so nothing to count.
    try {
      await (await auth()).api.setPassword({ body: { newPassword: password }, headers: headersOf(visitor) });
      return [];
    } catch (error) {
      if (error instanceof Error && error.name === 'APIError' && !isInternal(error)) return undefined;
      throw error;
    }
  }

  return reaching<Identity>({
    async person(visitor) {
      if (visitor.cookie === undefined) return undefined;
      const found = await (await auth()).api.getSession({ headers: headersOf(visitor) });
      if (found && !found.user.emailVerified) throw problem('email_not_verified');
      return found ? personOf(found.user) : undefined;
    },
    async isLive(tx, visitor) {
      const token = library.sessionToken(visitor);
      return token !== undefined && hasSession(tx, token);
    },
    signIn: (email, password, visitor) =>
      passwords.counted(email, visitor, () =>
        sinceEpoch(db, { email }, async () => {
          const answer = await call('/sign-in/email', { ...visitor, cookie: undefined }, { email, password });
          return answer && signedIn(answer.headers.getSetCookie());
        }),
      ),
    async redeemLink(token, visitor) {
      const path = `/magic-link/verify?token=${encodeURIComponent(token)}`;
      const of = { email: (await library.linkedAddress(token)) ?? '' };
      const answer = await sinceEpoch(db, of, () => call(path, { ...visitor, cookie: undefined }));
      if (!answer) return undefined;
      const cookies = answer.headers.getSetCookie();
      const { user } = (await answer.json()) as { user?: Person }; // what the library answers, unless it asks for more
      const email = user?.email ?? (await library.challengedPerson(cookies))?.email;
      if (email !== undefined) {
        await voidLinks(email);
        await passwords.keepPlace(email, visitor);
      }
      return signedIn(cookies);
    },
    async openSession(person, visitor, isAuthenticated) {
      const cookies = await sinceEpoch(db, { personId: person.id }, async () =>
        (await isAuthenticated()) ? library.openSession(person.id, visitor) : undefined,
      );
      if (!cookies) return undefined;
      await passwords.keepPlace(person.email, visitor);
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
    async hasPassword(person) {
      const accounts = await (await internals()).findAccounts(person.id);
      return accounts.some((account) => account.providerId === 'credential' && Boolean(account.password));
    },
    async verifyPassword(person, password, visitor) {
      const matches = await passwords.counted(person.email, visitor, async () => {
        const { password: hashing } = await (await auth()).$context;
        const accounts = await (await internals()).findAccounts(person.id);
        const hash = accounts.find(({ providerId }) => providerId === 'credential')?.password;
        return (typeof hash === 'string' && (await hashing.verify({ hash, password }))) || undefined;
      });
      return matches === true;
    },
    keepPlace: ({ email }, visitor) => passwords.keepPlace(email, visitor),
    async hasJustSignedIn(visitor) {
      const found = await (await auth()).api.getSession({ headers: headersOf(visitor) });
      return found !== null && nowMs() - found.session.createdAt.getTime() < FRESH_MS;
    },
    async setPassword(person, visitor, password, current) {
      const of = { personId: person.id };
      const cookies = await sinceEpoch(db, of, () => changePassword(visitor, password, current));
      if (!cookies) return undefined;
      const cookie = cookies.length > 0 ? pairsOf(cookies) : visitor.cookie;
      await db.transaction((tx) => endSessionsOf(tx, person.id, library.sessionToken({ ...visitor, cookie })));
      return cookies;
    },
    async resetPassword(tx, person, password) {
      const adapter = await internals();
      const hash = await keepPassword(person.id, password);
      await adapter.updateUser(person.id, { emailVerified: true });
      await voidLinks(person.email);
      // After the password and the links: a sign-in that begins from here on meets the new ones.
      await endSessionsOf(tx, person.id);
      await keepOnlyPassword(tx, person.id, hash);
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
      if (password !== undefined) await keepPassword(user.id, password);
      return personOf(user);
    },
    async issueLink(person) {
      const { api } = await auth();
      await voidLinks(person.email);
      await api.signInMagicLink({
        body: { email: person.email },
        headers: headersOf({ cookie: undefined, address: '' }),
      });
      const token = library.takeLink(person.email);
      if (token === undefined) throw new Error('The identity library issued no link.');
      return secret(token);
    },
    secondFactor: reaching(createSecondFactor(library)),
  });
}

const personOf = ({ id, email, name }: Person): Person => ({ id, email, name });

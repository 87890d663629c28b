// The adapter of the identity library (better-auth): sign-in, sessions in the database, passwords, one-time links. Nothing
// outside this file knows the library. It is loaded at first use: it takes as long to load as all the rest.
import type { Pool } from 'pg';
import { problem } from '../../kit/problems.ts';
import type { Secret } from '../../kit/secret.ts';
import { secret } from '../../kit/secret.ts';

export interface Person {
  id: string;
  email: string;
  name: string;
}

/** What of a request the library may see. */
export interface Visitor {
  cookie: string | undefined;
  /** Counted by the throttle of sign-in. */
  address: string;
}

export interface Identity {
  /** The person of a valid session. */
  person(visitor: Visitor): Promise<Person | undefined>;
  /** Set-Cookie headers, or undefined when the pair does not match. Throws `rate_limited` after too many tries. */
  signIn(email: string, password: string, visitor: Visitor): Promise<string[] | undefined>;
  /** Set-Cookie headers, or undefined when the link was used, has expired or is void. Voids the person's other links. */
  redeemLink(token: string, visitor: Visitor): Promise<string[] | undefined>;
  /** Set-Cookie headers that end the session. */
  signOut(visitor: Visitor): Promise<string[]>;
  hasPassword(person: Person): Promise<boolean>;
  /**
   * Sets the password of the session's person and ends their other sessions. Set-Cookie headers of the one that goes on, or
   * undefined when there is a password already and `current` is not it. Throws `rate_limited` after too many tries.
   */
  setPassword(visitor: Visitor, password: string, current: string | undefined): Promise<string[] | undefined>;
  ensurePerson(email: string, name: string): Promise<Person>;
  /** The token of a new one-time sign-in link, which voids the person's earlier ones. */
  issueLink(person: Person): Promise<Secret>;
}

export interface IdentityOptions {
  pool: Pool;
  /** The address that people type. */
  consoleUrl: string;
  secret: Secret;
}

const SESSION_DAYS = 7;
const LINK_DAYS = 7;
const DAY_S = 86_400;
const CLIENT_HEADER = 'x-slipway-client-address';

async function load(options: IdentityOptions, onLink: (email: string, token: string) => void) {
  const [{ betterAuth }, { magicLink }] = await Promise.all([
    import('better-auth'),
    import('better-auth/plugins/magic-link'),
  ]);
  // Over plain http (only on loopback) a browser refuses the __Host- prefix, which demands Secure.
  const isSecure = options.consoleUrl.startsWith('https:');
  return betterAuth({
    appName: 'Slipway',
    baseURL: options.consoleUrl,
    basePath: '/identity',
    secret: options.secret.reveal(),
    database: options.pool,
    telemetry: { enabled: false },
    logger: { level: 'error' },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 12, maxPasswordLength: 200 },
    session: { expiresIn: SESSION_DAYS * DAY_S, updateAge: DAY_S, cookieCache: { enabled: false } },
    rateLimit: {
      enabled: true,
      storage: 'database',
      window: 60,
      max: 1_000,
      customRules: {
        '/sign-in/email': { window: 60, max: 10 },
        '/magic-link/verify': { window: 60, max: 20 },
        '/change-password': { window: 60, max: 10 },
      },
    },
    advanced: {
      useSecureCookies: false,
      ipAddress: { ipAddressHeaders: [CLIENT_HEADER] },
      cookies: {
        session_token: {
          name: isSecure ? '__Host-slipway_session' : 'slipway_session',
          attributes: { secure: isSecure, sameSite: 'lax', httpOnly: true, path: '/' },
        },
      },
    },
    plugins: [
      magicLink({
        expiresIn: LINK_DAYS * DAY_S,
        storeToken: 'hashed',
        disableSignUp: true,
        async sendMagicLink({ email, token }) {
          onLink(email, token);
        },
      }),
    ],
  });
}

export function createIdentity(options: IdentityOptions): Identity {
  const issued = new Map<string, string>();
  let loading: ReturnType<typeof load> | undefined;
  const auth = (): ReturnType<typeof load> => {
    loading ??= load(options, (email, token) => issued.set(email, token));
    return loading;
  };

  function headersOf(visitor: Visitor): Headers {
    const headers = new Headers({ origin: options.consoleUrl, [CLIENT_HEADER]: visitor.address });
    if (visitor.cookie !== undefined) headers.set('cookie', visitor.cookie);
    return headers;
  }

  // The library's own handler, so that its throttle counts.
  async function call(path: string, visitor: Visitor, body?: object): Promise<Response | undefined> {
    const headers = headersOf(visitor);
    if (body) headers.set('content-type', 'application/json');
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const response = await (await auth()).handler(new Request(`${options.consoleUrl}/identity${path}`, init));
    if (response.status === 429) throw problem('rate_limited', { headers: { 'retry-after': '60' } });
    return response.ok ? response : undefined;
  }

  // A link's row says whose it is in the words that the library wrote into it, and nowhere else.
  async function voidLinks(email: string): Promise<void> {
    const { adapter } = await (await auth()).$context;
    const value = JSON.stringify({ type: 'magic-link', email });
    await adapter.deleteMany({ model: 'verification', where: [{ field: 'value', value }] });
  }

  return {
    async person(visitor) {
      if (visitor.cookie === undefined) return undefined;
      const found = await (await auth()).api.getSession({ headers: headersOf(visitor) });
      return found ? { id: found.user.id, email: found.user.email, name: found.user.name } : undefined;
    },
    async signIn(email, password, visitor) {
      const answer = await call('/sign-in/email', { ...visitor, cookie: undefined }, { email, password });
      return answer?.headers.getSetCookie();
    },
    async redeemLink(token, visitor) {
      const path = `/magic-link/verify?token=${encodeURIComponent(token)}`;
      const answer = await call(path, { ...visitor, cookie: undefined });
      if (!answer) return undefined;
      const { user } = (await answer.json()) as { user: Person }; // what the library answers about a good link
      await voidLinks(user.email);
      return answer.headers.getSetCookie();
    },
    async signOut(visitor) {
      return (await call('/sign-out', visitor, {}))?.headers.getSetCookie() ?? [];
    },
    async hasPassword(person) {
      const { internalAdapter } = await (await auth()).$context;
      const accounts = await internalAdapter.findAccounts(person.id);
      return accounts.some((account) => account.providerId === 'credential' && Boolean(account.password));
    },
    async setPassword(visitor, password, current) {
      if (current !== undefined) {
        const body = { newPassword: password, currentPassword: current, revokeOtherSessions: true };
        return (await call('/change-password', visitor, body))?.headers.getSetCookie();
      }
      // The library serves the first password to its own server alone; there is nothing to guess, so nothing to count.
      const { api } = await auth();
      const headers = headersOf(visitor);
      try {
        await api.setPassword({ body: { newPassword: password }, headers });
        await api.revokeOtherSessions({ headers });
        return [];
      } catch (error) {
        if (error instanceof Error && error.name === 'APIError') return undefined;
        throw error;
      }
    },
    async ensurePerson(email, name) {
      const { internalAdapter } = await (await auth()).$context;
      const found = await internalAdapter.findUserByEmail(email);
      const user =
        found?.user ??
        (await internalAdapter.createUser({ email, name, emailVerified: true }, { method: 'magic-link' }));
      return { id: user.id, email: user.email, name: user.name };
    },
    async issueLink(person) {
      const { api } = await auth();
      await voidLinks(person.email);
      await api.signInMagicLink({
        body: { email: person.email },
        headers: headersOf({ cookie: undefined, address: '' }),
      });
      const token = issued.get(person.email);
      issued.delete(person.email);
      if (token === undefined) throw new Error('The identity library issued no link.');
      return secret(token);
    },
  };
}

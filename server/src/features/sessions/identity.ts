// The adapter of the identity library (better-auth): sign-in, sessions in the database, passwords, one-time links. Nothing
// outside this file knows the library. It is loaded at first use: it takes as long to load as all the rest.
import type { Pool } from 'pg';
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
  /** Set-Cookie headers, or undefined when the pair does not match. Throws ThrottledSignIn after too many tries. */
  signIn(email: string, password: string, visitor: Visitor): Promise<string[] | undefined>;
  /** Set-Cookie headers, or undefined when the link was used or has expired. */
  redeemLink(token: string, visitor: Visitor): Promise<string[] | undefined>;
  /** Set-Cookie headers that end the session. */
  signOut(visitor: Visitor): Promise<string[]>;
  hasPassword(person: Person): Promise<boolean>;
  /** Sets the first password of the session's person; false when there is one already and `current` is not it. */
  setPassword(visitor: Visitor, password: string, current: string | undefined): Promise<boolean>;
  ensurePerson(email: string, name: string): Promise<Person>;
  /** The token of a new one-time sign-in link. */
  issueLink(person: Person): Promise<Secret>;
}

export interface IdentityOptions {
  pool: Pool;
  /** The address that people type. */
  consoleUrl: string;
  secret: Secret;
}

export class ThrottledSignIn extends Error {}

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
  async function call(path: string, visitor: Visitor, body?: object): Promise<string[] | undefined> {
    const headers = headersOf(visitor);
    if (body) headers.set('content-type', 'application/json');
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const response = await (await auth()).handler(new Request(`${options.consoleUrl}/identity${path}`, init));
    if (response.status === 429) throw new ThrottledSignIn();
    return response.ok ? response.headers.getSetCookie() : undefined;
  }

  return {
    async person(visitor) {
      if (visitor.cookie === undefined) return undefined;
      const found = await (await auth()).api.getSession({ headers: headersOf(visitor) });
      return found ? { id: found.user.id, email: found.user.email, name: found.user.name } : undefined;
    },
    signIn: (email, password, visitor) =>
      call('/sign-in/email', { ...visitor, cookie: undefined }, { email, password }),
    redeemLink: (token, visitor) =>
      call(`/magic-link/verify?token=${encodeURIComponent(token)}`, { ...visitor, cookie: undefined }),
    async signOut(visitor) {
      return (await call('/sign-out', visitor, {})) ?? [];
    },
    async hasPassword(person) {
      const { internalAdapter } = await (await auth()).$context;
      const accounts = await internalAdapter.findAccounts(person.id);
      return accounts.some((account) => account.providerId === 'credential' && Boolean(account.password));
    },
    async setPassword(visitor, password, current) {
      const { api } = await auth();
      const headers = headersOf(visitor);
      try {
        if (current === undefined) await api.setPassword({ body: { newPassword: password }, headers });
        else {
          const body = { newPassword: password, currentPassword: current, revokeOtherSessions: true };
          await api.changePassword({ body, headers });
        }
        return true;
      } catch (error) {
        if (error instanceof Error && error.name === 'APIError') return false;
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

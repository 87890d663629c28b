// Configures and calls the identity library (better-auth). Only the files identity*.ts import it. It is loaded at its
// first use, because loading it takes as long as the rest of the start.
import { createHash, createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import type { Secret } from '../../kit/crypto/secret.ts';
import { type Database, DatabaseUnavailable, isUnavailable } from '../../kit/db/db.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { printFailure } from '../../kit/telemetry/log.ts';
import { requireAccessEpoch } from './identity-epoch.ts';

/** The parts of a request that the library may read. */
export interface Visitor {
  cookie: string | undefined;
  /** The client address, which the rate limits count. */
  address: string;
  userAgent?: string | undefined;
}

interface PasswordHash {
  hash(password: string): Promise<string>;
  verify(stored: { hash: string; password: string }): Promise<boolean>;
}

export interface IdentityOptions {
  pool: Pool;
  db: Database;
  /** The address that people type. */
  consoleUrl: string;
  secret: Secret;
  /** For tests. If it is omitted, as in production, the library hashes with scrypt, which is slow on purpose. */
  passwordHash?: PasswordHash | undefined;
}

const SESSION_DAYS = 7;
const LINK_DAYS = 7;
const DAY_S = 86_400;
const CHALLENGE_S = 600;
const CLIENT_HEADER = 'x-slipway-client-address';

// Each way of signing in requires the second factor of the person, if there is one. The library alone would require it
// after a password only.
const SIGN_INS = new Set(['/sign-in/email', '/magic-link/verify', '/slipway/open-session']);

function cookieNames(consoleUrl: string) {
  // Over plain http (only on loopback) a browser refuses the __Host- prefix, which requires Secure.
  const prefix = consoleUrl.startsWith('https:') ? '__Host-' : '';
  return { session: `${prefix}slipway_session`, challenge: `${prefix}slipway_second_factor` };
}

async function load(options: IdentityOptions, onLink: (email: string, token: string) => void) {
  const [{ betterAuth }, { magicLink }, { twoFactor }, { createAuthEndpoint }, { setSessionCookie }] =
    await Promise.all([
      import('better-auth'),
      import('better-auth/plugins/magic-link'),
      import('better-auth/plugins/two-factor'),
      import('better-auth/api'),
      import('better-auth/cookies'),
    ]);
  const names = cookieNames(options.consoleUrl);
  const isSecure = options.consoleUrl.startsWith('https:');
  const attributes = { secure: isSecure, sameSite: 'lax', httpOnly: true, path: '/' } as const;
  const secondFactor = twoFactor({
    issuer: 'Slipway',
    allowPasswordless: true,
    twoFactorCookieMaxAge: CHALLENGE_S,
    // The library counts after the comparison; second-factor-store.ts counts before it.
    accountLockout: { enabled: false },
    backupCodeOptions: {
      storeBackupCodes: { encrypt: async (codes) => hashRecoveryCodes(codes, options.secret), decrypt: keepUnchanged },
    },
  });
  for (const hook of secondFactor.hooks.after) hook.matcher = ({ path }) => SIGN_INS.has(path ?? '');
  const opening = (path: string) =>
    createAuthEndpoint(path, { method: 'POST' }, async (ctx) => {
      const { userId } = ctx.body as { userId: string }; // from openSession and renewSession below
      const user = await ctx.context.internalAdapter.findUserById(userId);
      if (!user) throw ctx.error('NOT_FOUND');
      const session = await ctx.context.internalAdapter.createSession(user.id);
      await setSessionCookie(ctx, { session, user });
      return ctx.json({ user });
    });
  return betterAuth({
    appName: 'Slipway',
    baseURL: options.consoleUrl,
    basePath: '/identity',
    secret: options.secret.reveal(),
    database: options.pool,
    telemetry: { enabled: false },
    logger: { level: 'error', log: (_level, ...message) => message.forEach(printFailure) },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      requireEmailVerification: true,
      minPasswordLength: 12,
      maxPasswordLength: 200,
      ...(options.passwordHash && { password: options.passwordHash }),
    },
    session: {
      expiresIn: SESSION_DAYS * DAY_S,
      updateAge: DAY_S,
      cookieCache: { enabled: false },
      additionalFields: { accessEpoch: { type: 'number', required: false, input: false, returned: false } },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => ({ data: { ...session, accessEpoch: requireAccessEpoch(session.userId) } }),
        },
      },
    },
    rateLimit: {
      enabled: true,
      storage: 'database',
      window: 60,
      max: 1_000,
      customRules: {
        '/sign-in/email': { window: 60, max: 10 },
        '/magic-link/verify': { window: 60, max: 20 },
        '/two-factor/*': { window: 60, max: 10 },
      },
    },
    advanced: {
      useSecureCookies: false,
      ipAddress: { ipAddressHeaders: [CLIENT_HEADER] },
      cookies: {
        session_token: { name: names.session, attributes },
        two_factor: { name: names.challenge, attributes },
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
      secondFactor,
      {
        id: 'slipway',
        endpoints: {
          // For a person who was authenticated in another way. The library's own addresses are not reachable from
          // outside.
          openSession: opening('/slipway/open-session'),
          renewSession: opening('/slipway/renew-session'),
        },
      },
    ],
  });
}

const HASH = /^[0-9a-f]{64}$/;
const keepUnchanged = async (text: string): Promise<string> => text;

/** Returns the stored form of a recovery code. */
export const hashRecoveryCode = (code: string, key: Secret): string =>
  createHmac('sha256', key.reveal()).update(`recovery code ${code}`).digest('hex');

// The library passes the codes when it creates them, and the hashes of the remaining codes after one was used.
function hashRecoveryCodes(json: string, key: Secret): string {
  const codes = JSON.parse(json) as string[]; // the list of the library
  return JSON.stringify(codes.map((code) => (HASH.test(code) ? code : hashRecoveryCode(code, key))));
}

const isInternal = (error: unknown): boolean =>
  error instanceof Error && error.name === 'APIError' && 'statusCode' in error && Number(error.statusCode) >= 500;

/**
 * Wraps the methods so that a failure because of an unreachable database becomes DatabaseUnavailable, whatever the
 * library throws.
 */
export function withDatabaseErrors<T extends object>(methods: T): T {
  return new Proxy(methods, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]): Promise<unknown> => {
        try {
          return await method.apply(target, args);
        } catch (error) {
          throw isInternal(error) || isUnavailable(error) ? new DatabaseUnavailable(error) : error;
        }
      };
    },
  });
}

/** Converts Set-Cookie headers into the Cookie header that a browser would send. */
export const toCookieHeader = (cookies: readonly string[]): string =>
  cookies.map((one) => one.split(';')[0]).join('; ');

export interface IdentityLibrary {
  options: IdentityOptions;
  auth(): ReturnType<typeof load>;
  headersOf(visitor: Visitor): Headers;
  /**
   * Calls the library's own handler, so that its rate limit counts. Throws `rate_limited`; resolves to undefined for
   * any other refusal.
   */
  call(path: string, visitor: Visitor, body?: object): Promise<Response | undefined>;
  /** Returns the Set-Cookie headers that open a session, or that request the second factor. */
  openSession(personId: string, visitor: Visitor): Promise<string[]>;
  /**
   * Returns the Set-Cookie headers of a new session for a person with an open session, so no second factor is required.
   */
  renewSession(personId: string, visitor: Visitor): Promise<string[]>;
  /**
   * Returns the visitor with only the cookie of the challenge, because the library would answer for a session cookie
   * instead.
   */
  withChallengeCookie(visitor: Visitor): Visitor;
  /** Returns the token of the session that the visitor's cookie names. Its signature is not verified. */
  sessionToken(visitor: Visitor): string | undefined;
  /** Returns the token of the sign-in that the visitor's cookie continues. Its signature is not verified. */
  signInToken(visitor: Visitor): string | undefined;
  isChallenge(cookies: readonly string[]): boolean;
  challengedPerson(cookies: readonly string[]): Promise<{ id: string; email: string } | undefined>;
  /**
   * Uses up the challenge of a sign-in of this person, once. Returns the Set-Cookie header that deletes its cookie, or
   * undefined if the challenge was used or has expired.
   */
  endChallenge(visitor: Visitor, personId: string): Promise<string | undefined>;
  takeLink(email: string): string | undefined;
  /** Returns the address that a one-time link signs in, without consuming the link. */
  linkedAddress(token: string): Promise<string | undefined>;
}

export function createIdentityLibrary(options: IdentityOptions): IdentityLibrary {
  const issued = new Map<string, string>();
  const names = cookieNames(options.consoleUrl);
  const isSecure = options.consoleUrl.startsWith('https:');
  let loading: ReturnType<typeof load> | undefined;
  const auth = (): ReturnType<typeof load> => {
    loading ??= load(options, (email, token) => issued.set(email, token));
    return loading;
  };

  function headersOf(visitor: Visitor): Headers {
    const headers = new Headers({ origin: options.consoleUrl, [CLIENT_HEADER]: visitor.address });
    if (visitor.cookie !== undefined) headers.set('cookie', visitor.cookie);
    if (visitor.userAgent !== undefined) headers.set('user-agent', visitor.userAgent);
    return headers;
  }

  async function call(path: string, visitor: Visitor, body?: object): Promise<Response | undefined> {
    const headers = headersOf(visitor);
    if (body) headers.set('content-type', 'application/json');
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const response = await (await auth()).handler(new Request(`${options.consoleUrl}/identity${path}`, init));
    if (response.status >= 500) throw new DatabaseUnavailable(`the identity library answered ${response.status}`);
    if (response.status === 429) throw problem('rate_limited', { headers: { 'retry-after': '60' } });
    if (response.status === 403 && path === '/sign-in/email') throw problem('email_not_verified');
    return response.ok ? response : undefined;
  }

  async function open(path: string, userId: string, visitor: Visitor): Promise<string[]> {
    const answer = await call(path, { ...visitor, cookie: undefined }, { userId });
    if (!answer) throw new Error('The identity library opened no session.');
    return answer.headers.getSetCookie();
  }

  /** Returns the identifier of the challenge in its cookie. It is random, and its signature is not verified. */
  function challengeOf(cookies: readonly string[]): string {
    const cookie = cookies.find((one) => one.startsWith(`${names.challenge}=`)) ?? '';
    const [, value = ''] = /=([^;]*)/.exec(cookie) ?? [];
    try {
      return decodeURIComponent(value).replace(/\.[^.]*$/, '');
    } catch {
      return ''; // the client sent an invalid escape
    }
  }

  function withChallengeCookie(visitor: Visitor): Visitor {
    const pairs = (visitor.cookie ?? '').split(/;\s*/);
    const own = pairs.filter((pair) => pair.startsWith(`${names.challenge}=`));
    return { ...visitor, cookie: own.length === 1 ? own[0] : undefined };
  }

  return {
    options,
    auth,
    headersOf,
    call,
    openSession: (personId, visitor) => open('/slipway/open-session', personId, visitor),
    renewSession: (personId, visitor) => open('/slipway/renew-session', personId, visitor),
    withChallengeCookie,
    signInToken: (visitor) => challengeOf([withChallengeCookie(visitor).cookie ?? '']) || undefined,
    sessionToken({ cookie = '' }) {
      const pair = cookie.split(/;\s*/).find((one) => one.startsWith(`${names.session}=`));
      return pair && decodeURIComponent(pair.slice(names.session.length + 1)).replace(/\.[^.]*$/, '');
    },
    isChallenge: (cookies) => cookies.some((one) => one.startsWith(`${names.challenge}=`) && !/=;/.test(one)),
    async challengedPerson(cookies) {
      const { internalAdapter } = await (await auth()).$context;
      const challenge = await internalAdapter.findVerificationValue(challengeOf(cookies));
      return (challenge && (await internalAdapter.findUserById(challenge.value))) ?? undefined;
    },
    async endChallenge({ cookie = '' }, personId) {
      const { internalAdapter } = await (await auth()).$context;
      const challenge = await internalAdapter.consumeVerificationValue(challengeOf([cookie]));
      const end = `${names.challenge}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
      return challenge?.value === personId ? end : undefined;
    },
    async linkedAddress(token) {
      // The library stores this form with `storeToken: 'hashed'`.
      const identifier = `magic-link:${createHash('sha256').update(token).digest('base64url')}`;
      const { internalAdapter } = await (await auth()).$context;
      const link = await internalAdapter.findVerificationValue(identifier);
      return link ? (JSON.parse(link.value) as { email: string }).email : undefined; // written by issueLink
    },
    takeLink(email) {
      const token = issued.get(email);
      issued.delete(email);
      return token;
    },
  };
}

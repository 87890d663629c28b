// A Console for tests: its server on a real port with its own database, in front of a sandbox in the same process or on
// a private listener. Visitors behave like browsers.
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { openCaptures, type SandboxCaptures } from '../src/boot/captures.ts';
import { localLink, type PlaneConnection, type PlaneLink, remoteLink } from '../src/governance/environments/index.ts';
import { isOperator } from '../src/governance/operators/index.ts';
import { sendRequestedLinks } from '../src/identity/accounts/index.ts';
import {
  type ConsoleServices,
  createIdentity,
  type Identity,
  type Person,
  runRemovals,
} from '../src/identity/sessions/index.ts';
import { secret } from '../src/kit/crypto/secret.ts';
import { type Database, openDatabase, openPool } from '../src/kit/db/db.ts';
import { refuseUrl } from '../src/kit/outbound/outbound.ts';
import { createApiCallHandler } from '../src/listeners/api-call-handler.ts';
import { createConsole } from '../src/listeners/console.ts';
import { createManagement } from '../src/listeners/sandbox-management.ts';
import type { Answer } from './app.ts';
import { assertContract, watchContract } from './contract-check.ts';
import { cloneDatabase, MASTER_KEYS, type TestDatabase, type TestPlane, testPlane } from './harness.ts';

export type LinkKind = 'local' | 'remote';

export interface TestVisitor {
  /** The Cookie header that the browser sends. */
  cookie: string;
  /** The Set-Cookie headers of the latest response. */
  setCookies: string[];
  call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string | undefined>,
  ): Promise<Answer<Body>>;
  signInByLink(person: Person): Promise<number>;
}

export interface TestConsole {
  url: string;
  plane: TestPlane;
  captures: SandboxCaptures;
  database: TestDatabase;
  db: Database;
  identity: Identity;
  signIns(): number;
  /** Runs the job that mails the requested links. */
  runLinks(): Promise<void>;
  /** Removes second factors whose delay is over. */
  runRemovals(): Promise<void>;
  /** Returns a browser with its own address, so that attempts of others do not count against it. */
  newVisitor(): TestVisitor;
  newPerson(): Promise<{ person: Person; visitor: TestVisitor }>;
  close(): Promise<void>;
}

/** The address of an operator by the settings. */
export const OPERATOR = 'operator@example.org';
export const CONSOLE_URL = 'http://localhost:7000';

const digestOf = (password: string): string => createHash('sha256').update(password).digest('hex');
/** Replaces the production hash, whose processor time would be a large part of that of the tests. */
const FAST_HASH = {
  hash: async (password: string) => digestOf(password),
  verify: async ({ hash, password }: { hash: string; password: string }) => hash === digestOf(password),
};

async function startLink(
  kind: LinkKind,
  plane: TestPlane,
): Promise<{ link: PlaneLink; captures: SandboxCaptures; close(): Promise<void> }> {
  const captures = openCaptures(plane, { isAllowed: true, retentionHours: 24 }, () => {});
  const callApi = createApiCallHandler(plane, () => {}, captures.queue);
  const management = createManagement(Object.assign(plane.plane, { captures: captures.port, callApi }), () => {});
  const close = (): Promise<void> => management.close();
  if (kind === 'local') return { link: localLink(management), captures, close };
  await management.listen({ host: '127.0.0.1', port: 0 });
  const { port } = management.server.address() as AddressInfo; // a TCP address
  return { link: remoteLink('sandbox', `http://127.0.0.1:${port}`), captures, close };
}

export async function startConsole(
  kind: LinkKind,
  options: {
    sendsMail?: boolean;
    provider?: ConsoleServices['provider'];
    consoleUrl?: string;
    /** For a real browser, which must use the actual port. */
    port?: number;
    link?: PlaneLink;
    /** Connected in addition to the sandbox. */
    production?: PlaneConnection;
    wrapLink?: (link: PlaneLink) => PlaneLink;
    /** Returns true if the restore gate of the Console's database is closed. */
    isClosed?: () => boolean;
    /** The hosts on loopback that destinations of notices may name. */
    allowHosts?: readonly string[];
    /** Hashes passwords as in production. */
    hasProductionHash?: boolean;
    onInternalError?: (error: unknown) => void;
  } = {},
): Promise<TestConsole> {
  const consoleUrl = options.consoleUrl ?? CONSOLE_URL;
  const plane = await testPlane({ webhookAllowHosts: ['127.0.0.1:1'] });
  const database = await cloneDatabase('console');
  const db = openDatabase({ url: database.url, max: 5, queryTimeoutMs: 5_000, connectTimeoutMs: 1_000 });
  const pool = openPool({ url: database.url, max: 5, queryTimeoutMs: 5_000, connectTimeoutMs: 1_000 });
  const identity = createIdentity({
    pool,
    db,
    consoleUrl,
    secret: secret('a secret of the Console, for tests only'),
    passwordHash: options.hasProductionHash ? undefined : FAST_HASH,
  });
  const { link, captures, close: closeLink } = await startLink(kind, plane);
  let signIns = 0;
  const app = await createConsole({
    services: {
      db,
      identity,
      consoleUrl,
      origins: [consoleUrl],
      cursorKey: secret('a cursor key for tests'),
      destinations: {
        sealingKeys: MASTER_KEYS,
        refuseUrl: (url) => refuseUrl(url, { allowHosts: options.allowHosts ?? [] }),
      },
      environments: (['sandbox', ...(options.production ? (['production'] as const) : [])] as const).map((name) => ({
        name,
        apiUrl: `http://${name}.test`,
        receiverUrl: null,
      })),
      provider: options.provider ?? null,
      sendsMail: options.sendsMail ?? false,
      isOperator: (person) => isOperator(db, [OPERATOR], person),
      async onSignIn() {
        signIns += 1;
      },
    },
    connections: [
      {
        environment: 'sandbox',
        link: options.link ?? options.wrapLink?.(link) ?? link,
        managementKey: plane.options.managementKey,
      },
      ...(options.production ? [options.production] : []),
    ],
    problemsUrl: plane.plane.urls.problems,
    trustedProxies: ['127.0.0.1/32'],
    isClosed: options.isClosed ?? (() => false),
    onInternalError: options.onInternalError ?? (() => {}),
  });
  const violations = watchContract(app, 'console');
  await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`; // a TCP address
  let people = 0;

  function newVisitor(): TestVisitor {
    people += 1;
    const address = `192.0.2.${people}`;
    const visitor: TestVisitor = {
      cookie: '',
      setCookies: [],
      async call(method, path, body, headers = {}) {
        const all = new Headers({ origin: consoleUrl, 'slipway-console': '1', 'x-forwarded-for': address });
        if (visitor.cookie !== '') all.set('cookie', visitor.cookie);
        if (body !== undefined) all.set('content-type', 'application/json');
        for (const [name, value] of Object.entries(headers)) {
          if (value === undefined) all.delete(name);
          else all.set(name, value);
        }
        const response = await fetch(baseUrl + path, {
          method,
          headers: all,
          body: body === undefined ? null : JSON.stringify(body),
        });
        visitor.setCookies = response.headers.getSetCookie();
        if (visitor.setCookies.length > 0)
          visitor.cookie = visitor.setCookies.map((one) => one.split(';')[0]).join('; ');
        const text = await response.text();
        const isJson = text !== '' && /[/+]json\b/.test(response.headers.get('content-type') ?? '');
        return {
          status: response.status,
          headers: response.headers,
          text,
          body: isJson ? JSON.parse(text) : undefined,
        };
      },
      async signInByLink(person) {
        const token = await identity.issueLink(person);
        return (await visitor.call('POST', '/api/sign-in-link', { token: token.reveal() })).status;
      },
    };
    return visitor;
  }

  return {
    url: baseUrl,
    plane,
    captures,
    database,
    db,
    identity,
    signIns: () => signIns,
    runLinks: () => sendRequestedLinks({ db, identity, consoleUrl, onError() {} }),
    runRemovals: () => runRemovals({ db, consoleUrl }),
    newVisitor,
    async newPerson() {
      const person = await identity.ensurePerson(`person${people + 1}@example.org`, 'A person');
      const visitor = newVisitor();
      await visitor.signInByLink(person);
      return { person, visitor };
    },
    async close() {
      await app.close();
      await closeLink();
      await db.close();
      await pool.end();
      await plane.close();
      await database.drop();
      assertContract(violations);
    },
  };
}

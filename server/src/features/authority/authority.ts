// Who calls, and what their key allows now: asked of the primary in micro-batches, never answered from a cache, so that a
// revoke that has been answered holds for every request that begins after it, on any node.
import { createBatcher } from '../../kit/batcher.ts';
import { monotonicMs } from '../../kit/clock.ts';
import { type Database, DatabaseUnavailable } from '../../kit/db.ts';
import { uuidBytes } from '../../kit/ids.ts';
import type { Incoming } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import { type Environment, isVerified, type Peppers, parseKeyToken } from './key-token.ts';
import { SCOPES, type Scope } from './scopes.ts';
import { type Collection, type KeyAuthority, listKeyAuthority } from './store.ts';

/** A proved caller: the key exists, its secret matches, and it was valid when the request's batch was read. */
export interface Caller {
  appId: string;
  organisationId: string;
  keyId: string;
  /** The same two identifiers as the bytes of their uuids. */
  appBytes: Buffer;
  keyBytes: Buffer;
  kid: string;
  scopes: readonly Scope[];
  expiresAtMs: number;
  /** Of each collection at the moment of the batch. */
  revisions: Readonly<Record<Collection, number>>;
  restoreEpoch: string;
}

export interface Authority {
  /** Proves the caller, or throws the problem; a proved caller is noted on the exchange even when refused. */
  authenticate(incoming: Incoming): Promise<Caller>;
}

export interface AuthorityOptions {
  db: Database;
  environment: Environment;
  peppers: Peppers;
}

// One batch in flight: a second one would make each smaller, and a query costs both sides more than a row in it.
const BATCH = { maxInFlight: 1, maxSize: 256, deadlineMs: 850 };

export function createAuthority(options: AuthorityOptions): Authority {
  const batcher = createBatcher<string, KeyAuthority | undefined>({
    ...BATCH,
    late: () => new DatabaseUnavailable(new Error('the authority batch missed its deadline')),
    async run(kids) {
      const rows = await listKeyAuthority(options.db, [...new Set(kids)]);
      return kids.map((kid) => rows.get(kid));
    },
  });

  return {
    async authenticate(incoming) {
      const startedAtMs = monotonicMs();
      const token = readBearer(incoming);
      const parsed = parseKeyToken(token);
      if (!parsed) throw invalidToken('invalid_key');
      if (parsed.environment !== options.environment) throw invalidToken('wrong_environment');
      const row = await batcher.join(parsed.kid);
      incoming.exchange.authorityUs = Math.round((monotonicMs() - startedAtMs) * 1000);
      if (!row || !isVerified(token, row.verifier, row.pepperVersion, options.peppers)) {
        throw invalidToken('invalid_key');
      }
      const caller = toCaller(row);
      incoming.exchange.principal = caller;
      refuseUnlessValid(row);
      refuseBrowser(incoming);
      return caller;
    },
  };
}

// There are 63 sets of scopes at most.
const scopeSets = new Map<string, readonly Scope[]>();

function scopesOf(text: string): readonly Scope[] {
  let scopes = scopeSets.get(text);
  if (!scopes) {
    scopes = SCOPES.filter((scope) => text.split(',').includes(scope));
    scopeSets.set(text, scopes);
  }
  return scopes;
}

function toCaller(key: KeyAuthority): Caller {
  return {
    appId: key.appId,
    organisationId: key.organisationId,
    keyId: key.keyId,
    appBytes: uuidBytes(key.appId),
    keyBytes: uuidBytes(key.keyId),
    kid: key.kid,
    scopes: scopesOf(key.scopes),
    expiresAtMs: key.expiresAtMs,
    revisions: key.revisions,
    restoreEpoch: key.restoreEpoch,
  };
}

/** Throws unless the key and its app are valid: the same judgement for a batch's row and for a locked one. */
export function refuseUnlessValid(key: Pick<KeyAuthority, 'state' | 'isExpired' | 'appState'>): void {
  if (key.state !== 'active') throw invalidToken('revoked_key');
  if (key.isExpired) throw invalidToken('expired_key');
  if (key.appState !== 'active') throw problem('app_suspended', { headers: challenge() });
}

const BEARER = /^Bearer +([\x21-\x7e]+)$/i;

function readBearer(incoming: Incoming): string {
  const header = incoming.headers.authorization;
  if (header === undefined) throw problem('missing_key', { headers: challenge() });
  const token = typeof header === 'string' ? BEARER.exec(header)?.[1] : undefined;
  if (token === undefined) throw invalidToken('invalid_key');
  return token;
}

// A browser names the page in Origin, or its own relation to it in Sec-Fetch-Site; Node's fetch sends neither.
function refuseBrowser(incoming: Incoming): void {
  if (incoming.headers.origin !== undefined || incoming.headers['sec-fetch-site'] !== undefined) {
    throw problem('browser_use', { headers: challenge() });
  }
}

/** WWW-Authenticate as RFC 6750, section 3 has it. */
export function challenge(parameters: Record<string, string> = {}): Record<string, string> {
  const all = Object.entries({ realm: 'slipway', ...parameters }).map(([name, value]) => `${name}="${value}"`);
  return { 'www-authenticate': `Bearer ${all.join(', ')}` };
}

function invalidToken(code: 'invalid_key' | 'wrong_environment' | 'revoked_key' | 'expired_key') {
  return problem(code, { headers: challenge({ error: 'invalid_token' }) });
}

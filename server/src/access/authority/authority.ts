// Authenticates the caller and reads what the key allows. Each micro-batch reads the revisions of its apps from the
// primary, and cached facts of a key are valid only for an unchanged revision. After a revocation has been answered,
// each request that starts later is refused on every node.

import { type Database, DatabaseUnavailable, rethrowAsUnavailable } from '../../kit/db/db.ts';
import { type BatchMeasures, createBatcher } from '../../kit/flow/batcher.ts';
import { microsecondsSince, monotonicMs } from '../../kit/flow/clock.ts';
import type { Incoming } from '../../kit/http/operation.ts';
import { isWithin } from '../../kit/outbound/address-ranges.ts';
import { traceWork } from '../../kit/telemetry/trace.ts';
import { enforceRules, findUnmetRule, KEY_RULES } from './access-rules.ts';
import type { DelegatedKey } from './api-call.ts';
import { type BrowserUse, isFromBrowser, pageOriginOf } from './browser.ts';
import { createKeyReader, type KeyFacts, type KeyIdentity, stateAt } from './key-facts.ts';
import { computeVerifier, type Environment, isVerified, kidAt, type Peppers, parseKeyToken } from './key-token.ts';
import { createRateLimiter } from './rate-limit.ts';
import type { RatePolicy } from './rate-store.ts';
import { refusal } from './refusals.ts';
import { unavailableWhileClosed, unavailableWithoutLease } from './restore-gate.ts';
import type { AuthorityState, KeyState, Revisions } from './store.ts';

// Facts of a request that Slipway's features add to those of the kit. The record of the request stores them.
declare module '../../kit/http/operation.ts' {
  interface Exchange {
    /** The uuid of the request that a person repeats with this one; recorded as `parentRequestId`. */
    repeatsRequestId?: string | undefined;
    /** The simulated fault, in the syntax of `Sandbox-Simulate`. Only the sandbox sets it. */
    simulated?: string | undefined;
  }
}

/**
 * An authenticated caller: the key exists, its secret matches, and the key was valid when the batch of the request was
 * read.
 */
export interface ApiCaller extends KeyIdentity {
  /** The revisions of the app when the batch was read. */
  revisions: Revisions;
  restoreEpoch: string;
  cacheEpoch: string;
  /** The person who makes the call in the Console by the id of the key; undefined if the key itself was sent. */
  person: string | undefined;
  /** The uuid of the access token that acts for the person, if any. */
  tokenId: string | undefined;
}

/** A key whose complete text was presented. */
export interface PresentedKey {
  kid: string;
  appId: string;
  keyId: string;
}

export interface Authority {
  /**
   * Authenticates the caller, or throws the problem. The exchange records an authenticated caller even if the request
   * is refused.
   */
  authenticate(incoming: Incoming): Promise<ApiCaller>;
}

/**
 * Finds the key with this text, in any state, or returns undefined for any other text. The lookup grants no access and
 * is not a use of the key.
 */
export type KeyRecogniser = (token: string) => Promise<PresentedKey | undefined>;

/** Checks a key without its secret, for an authenticated person who may use it. */
export type DelegatedKeyAuthenticator = (incoming: Incoming, key: DelegatedKey) => Promise<ApiCaller>;

/** The verifier of a key under the current pepper, which replaces a verifier under an earlier pepper. */
export interface VerifierRenewal {
  appId: string;
  keyId: string;
  verifier: Buffer;
  pepperVersion: number;
  /** The version of the earlier pepper. */
  fromVersion: number;
}

interface AuthorityOptions {
  db: Database;
  environment: Environment;
  peppers: Peppers;
  rate: RatePolicy;
  /** Multiplies the deadlines. 1 in a node; tests on a busy machine use more. */
  patience: number;
  /** Called once for each key that was verified under an earlier pepper. No request waits for the result. */
  onEarlierPepper?(renewal: VerifierRenewal): void;
  /** Receives each use of a valid key by a browser. No request waits for the result. */
  onBrowserUse?(use: BrowserUse): void;
}

// One batch in flight at a time: two would be smaller, and a query costs node and database more than a row in it.
const BATCH = { maxInFlight: 1, maxSize: 256 };
// A pool hands out a connection within one second of the confirmation of its server (CONFIRM_AFTER_MS in
// kit/db/primary.ts). After a promotion, a revocation is answered at least two seconds after the last confirmation of
// the previous primary (CONFIRMED_FOR_MS). The deadline is shorter than the difference. So no batch that read from the
// previous primary allows a request after that answer.
export const AUTHORITY_DEADLINE_MS = 850;

const MAX_KNOWN_KEYS = 50_000;

interface AuthorityResult {
  caller: ApiCaller;
  facts: KeyFacts;
  keyState: KeyState;
}

/**
 * Creates the authority of a plane. `authenticateDelegated` is separate from `Authority`, so that no operation of the
 * plane can call it.
 */
export function createAuthority(options: AuthorityOptions): Authority & {
  authenticateDelegated: DelegatedKeyAuthenticator;
  recognise: KeyRecogniser;
  measures(): BatchMeasures;
} {
  const { db, environment, peppers } = options;
  const deadlineMs = AUTHORITY_DEADLINE_MS * options.patience;
  const limiter = createRateLimiter(db, options.rate, deadlineMs);
  const keys = createKeyReader(db, MAX_KNOWN_KEYS);

  const deadlineError = (): Error => new DatabaseUnavailable(new Error('the authority batch missed its deadline'));

  async function readBatch(kids: readonly string[]): Promise<(AuthorityResult | undefined)[]> {
    const startedAtMs = monotonicMs();
    const { state, facts: known } = await keys.read(kids);
    // The elapsed time is compared too, because facts from before a pause of the process must allow nothing after it.
    // After a pause the order is undefined: the answer in the socket may be processed before the expired timer.
    if (monotonicMs() - startedAtMs > deadlineMs) throw deadlineError();
    if (state.closureReason !== null) throw unavailableWhileClosed();
    if (state.leaseUntilMs <= state.atMs) throw unavailableWithoutLease();
    return kids.map((kid) => {
      const facts = known.get(kid);
      return facts && { caller: toCaller(facts.identity, state), facts, keyState: stateAt(facts, state.atMs) };
    });
  }

  const batcher = createBatcher<string, AuthorityResult | undefined>({
    ...BATCH,
    deadlineMs,
    timeoutError: deadlineError,
    run: (kids) => readBatch(kids).catch(rethrowAsUnavailable),
  });

  function kidOf(token: string): string {
    const kid = kidAt(token, environment);
    if (kid !== undefined && keys.isKnown(kid)) return kid;
    const parsed = parseKeyToken(token);
    if (!parsed) throw refusal('invalid_key');
    if (parsed.environment !== environment) throw refusal('wrong_environment');
    return parsed.kid;
  }

  // The text of the key is known only during this request.
  function renew(token: string, facts: KeyFacts): void {
    const pepper = peppers.keys[peppers.current];
    if (facts.isRenewing || facts.pepperVersion > peppers.current || !pepper) return;
    facts.isRenewing = true;
    const { appId, keyId } = facts.identity;
    const verifier = computeVerifier(token, pepper);
    options.onEarlierPepper?.({
      appId,
      keyId,
      verifier,
      pepperVersion: peppers.current,
      fromVersion: facts.pepperVersion,
    });
  }

  // Also reports a request that is refused because of its address or its rate. A key that no longer works needs no
  // notice.
  function reportBrowser(incoming: Incoming, { caller: { appId, keyId }, keyState }: AuthorityResult): void {
    if (findUnmetRule(KEY_RULES, keyState, undefined)) return;
    options.onBrowserUse?.({ appId, keyId, pageOrigin: pageOriginOf(incoming) });
  }

  /** Enforces the rules for every authenticated caller: the key's status, its address ranges and its rate. */
  async function enforceCallerRules(
    incoming: Incoming,
    caller: ApiCaller,
    { facts, keyState }: AuthorityResult,
  ): Promise<void> {
    incoming.exchange.principal = caller;
    enforceRules(KEY_RULES, keyState, undefined);
    // Not counted: a caller from a forbidden address must not use up the rate of the legitimate callers.
    const isOwn = caller.person === undefined;
    if (isOwn && facts.ranges && !isWithin(facts.ranges, incoming.ip)) throw refusal('address_not_allowed');
    await limiter.count(caller, facts.allowance);
  }

  return {
    measures: batcher.measures,

    async authenticate(incoming) {
      const startedAtMs = monotonicMs();
      const token = readApiKey(incoming);
      const result = await traceWork(incoming.exchange.span, 'authority batch', batcher.join(kidOf(token)));
      incoming.exchange.authorityUs = microsecondsSince(startedAtMs);
      const isRight = isVerified(token, result?.facts, peppers);
      if (!result || !isRight) throw refusal('invalid_key');
      const { caller, facts } = result;
      if (facts.pepperVersion !== peppers.current) renew(token, facts);
      const isBrowser = isFromBrowser(incoming);
      if (isBrowser) reportBrowser(incoming, result);
      await enforceCallerRules(incoming, caller, result);
      incoming.exchange.headers = limiter.headers(facts.allowance);
      if (isBrowser) throw refusal('browser_use');
      return caller;
    },

    async recognise(token) {
      const parsed = parseKeyToken(token);
      const result = parsed?.environment === environment ? await batcher.join(parsed.kid) : undefined;
      const isRight = isVerified(token, result?.facts, peppers);
      if (!result || !isRight) return undefined;
      const { kid, appId, keyId } = result.facts.identity;
      return { kid, appId, keyId };
    },

    async authenticateDelegated(incoming, key) {
      const startedAtMs = monotonicMs();
      incoming.exchange.repeatsRequestId = key.repeatsRequestId;
      const result = await traceWork(incoming.exchange.span, 'authority batch', batcher.join(key.kid));
      incoming.exchange.authorityUs = microsecondsSince(startedAtMs);
      if (result?.caller.keyId !== key.keyId || result.caller.appId !== key.appId) throw refusal('invalid_key');
      const caller = { ...result.caller, person: key.person, tokenId: key.tokenId };
      await enforceCallerRules(incoming, caller, result);
      incoming.exchange.headers = limiter.headers(result.facts.allowance);
      return caller;
    },
  };
}

const NOTHING_COUNTED: Revisions = {
  access: 0,
  grants: 0,
  servers: 0,
  publications: 0,
  roadmap: 0,
  workflows: 0,
  activity: 0,
  faults: 0,
};

// Each field is named: a spread into a new object takes five times as long, and this runs for every request.
function toCaller(identity: KeyIdentity, { restoreEpoch, cacheEpoch, revisions: counted }: AuthorityState): ApiCaller {
  const { kid, appId, keyId, appBytes, keyBytes, scopes, expiresAtMs, capturesSinceMs } = identity;
  const revisions = counted.get(appId) ?? NOTHING_COUNTED;
  return {
    kid,
    appId,
    keyId,
    appBytes,
    keyBytes,
    scopes,
    expiresAtMs,
    capturesSinceMs,
    revisions,
    restoreEpoch,
    cacheEpoch,
    person: undefined,
    tokenId: undefined,
  };
}

// Depends only on the header, so it is sent before any key is looked up.
const BEARER_FORM = 'The header is malformed: send `Authorization: Bearer <API_KEY>`.';
const BEARER = /^Bearer +([\x21-\x7e]+)$/i;

function readApiKey(incoming: Incoming): string {
  const header = incoming.headers.authorization;
  if (header === undefined) throw refusal('missing_key');
  const token = typeof header === 'string' ? BEARER.exec(header)?.[1] : undefined;
  if (token === undefined) throw refusal('invalid_key', undefined, BEARER_FORM);
  return token;
}

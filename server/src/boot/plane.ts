// Opens one environment: its database roles, its authority, its caches. All values are arguments; it reads no settings.
import {
  createAuthority,
  createMutations,
  type DelegatedKeyAuthenticator,
  type Environment,
  type Plane,
  type PlaneSecrets,
  type RatePolicy,
} from '../access/authority/index.ts';
import { createReceiptIssuer, type ReceiptIssuerOptions } from '../inspector/receipts/index.ts';
import {
  createRecorder,
  type RecordDurability,
  type Recorder,
  type RecorderMeasures,
} from '../inspector/requests/index.ts';
import { type Database, type DatabaseOptions, DatabaseUnavailable, openDatabase, type PoolUse } from '../kit/db/db.ts';
import type { BatchMeasures } from '../kit/flow/batcher.ts';
import { nowMs } from '../kit/flow/clock.ts';
import { KeyedSemaphore } from '../kit/flow/keyed-semaphore.ts';
import { type AddressRate, createAddressLimiter } from '../kit/http/address-limiter.ts';
import { createPageCache } from '../kit/http/page.ts';
import type { AddressPrecision } from '../kit/outbound/addresses.ts';
import { refuseUrl } from '../kit/outbound/outbound.ts';
import { createUseCounter } from '../platform/deprecations/index.ts';
import { createScopeUseCounter, scopesOfRequest } from '../resources/scope-uses/index.ts';
import {
  createBrowserUseRecorder,
  createLastUseRecorder,
  createVerifierRenewalRecorder,
  MAX_KEY_DAYS,
  type SigningKeys,
} from '../tenancy/keys/index.ts';
import { cancelInFlightDeliveries, createWakeUps, notifyQueue, type WakeUps } from '../webhooks/dispatch/index.ts';
import { createDeliveryPreparer } from '../webhooks/webhooks/index.ts';
import { outboundRulesOf } from './outbound-rules.ts';

const LISTEN_ADVICE =
  'For a receiver on your own machine, run `slipway listen --forward-to http://localhost:3000/hook`.';

export interface PlaneOptions extends PlaneSecrets {
  environment: Environment;
  databaseUrl: string;
  publicUrl: string;
  /** The documentation site; pages of problems link to it if it is known. */
  docsUrl?: string | undefined;
  /** Rate limit of each key. */
  rate: RatePolicy;
  /** Maximum lifetime of a key in days; 30 if absent. */
  maxKeyDays?: number;
  /** Duration of the Console's lease on the status of organisations; 15 minutes if absent. */
  statusLeaseSeconds?: number;
  /** Without keys, GitHub's reports are refused. */
  githubKeys?: SigningKeys;
  /** Rate limit of each address that reports a key without authentication. */
  unauthenticatedRate?: AddressRate;
  /** Whether a response waits until its record survives a failover; `fast` if absent. */
  records?: RecordDurability;
  /** How much of a caller's address is stored; the whole address if absent. */
  clientAddresses?: AddressPrecision;
  /** Pairs of host and port on loopback that webhooks may reach over plain http. */
  webhookAllowHosts: readonly string[];
  webhookAllowCidrs: readonly string[];
  /** Multiplies the time limits of one or two seconds; 1 if absent. */
  patience?: number;
  onError(error: unknown): void;
}

interface PlaneMeasures {
  authority: BatchMeasures;
  records: RecorderMeasures;
  pools: Record<string, PoolUse>;
}

export interface OpenPlane {
  plane: Plane;
  recorder: Recorder;
  /** The pool of slipway_recorder. */
  records: Database;
  /** For calls that a person makes by a key's id. */
  authenticateDelegated: DelegatedKeyAuthenticator;
  /** The pool of slipway_worker for jobs. */
  worker: Database;
  /** A pool of the same role for statements that may take long, one at a time. */
  maintenance: Database;
  /** A pool of the same role for the statements of every delivery. */
  dispatch: Database;
  /** Signs receipts; for the job that signs those of ended processes. */
  receipts: ReceiptIssuerOptions;
  /** Connects the wake-ups of this process to its own dispatcher. Returns a function that disconnects them. */
  attachDispatcher: WakeUps['attach'];
  /** Returns measurements, for monitoring. */
  measures(): PlaneMeasures;
  /** Opens the connections that are kept. */
  warm(): Promise<void>;
  /** Writes the data that requests have gathered. Never rejects. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** For pools whose responses are due within a second: connections are open before the first call, and stay open. */
const FAST_POOL = { kept: 2, plansOnce: true };
/** Milliseconds that members and jobs wait for a connection, and for a response. */
const MAX_POOL_WAIT_MS = 5_000;
const READERS = 6;
const PAGE_CACHE_BYTES = 32 * 1024 * 1024;
// A person who has found keys reports one or a handful.
const UNAUTHENTICATED_RATE: AddressRate = { perMinute: 10, burst: 20 };

/**
 * Limits one organisation to half of the connections, so that its repeated expensive reports delay no other
 * organisation.
 */
function limitReaders(reader: Database): Plane['db']['readerOf'] {
  const reads = new KeyedSemaphore({
    limit: READERS / 2,
    waitMs: MAX_POOL_WAIT_MS,
    timeoutError: () =>
      new DatabaseUnavailable('This organisation already has the maximum number of concurrent reads.'),
  });
  return (organisationId) => ({
    transaction: (run, how) => reads.run(organisationId, () => reader.transaction(run, how)),
    together: (statements) => reads.run(organisationId, () => reader.together(statements)),
  });
}

export function openPlane(options: PlaneOptions): OpenPlane {
  const open = (role: string, rest: Partial<DatabaseOptions> & { max: number }): Database =>
    openDatabase({
      url: options.databaseUrl,
      role: `slipway_${role}`,
      queryTimeoutMs: MAX_POOL_WAIT_MS,
      connectTimeoutMs: MAX_POOL_WAIT_MS,
      onError: options.onError,
      ...rest,
    });
  const { environment, peppers, masterKeys, cursorKey, managementKey, patience = 1 } = options;
  const withTimeout = (queryTimeoutMs: number) => ({
    ...FAST_POOL,
    connectTimeoutMs: 500 * patience,
    queryTimeoutMs: queryTimeoutMs * patience,
  });
  // Authority has its own pool and short time limits: if access cannot be confirmed, the response is a quick 503. The
  // limits are real time. Data that a node read before it stalled allows nothing when the node continues
  // (suspended-node.test.ts).
  const authorityDb = open('authority', { ...withTimeout(700), max: 2 });
  // A mutation holds locks on its access. A node that stalls during a mutation must not delay a revocation for longer
  // than the revocation waits.
  const api = open('api', { ...withTimeout(2_000), max: 10, idleInTransactionMs: 2_000 });
  // For mutations in their own transactions, most of which wait for another transaction. Lists and shared mutations
  // never wait for them.
  const alone = open('api', { ...withTimeout(2_000), max: 10, kept: 0, idleInTransactionMs: 2_000 });
  const manager = open('manager', { max: 6 });
  const reader = open('manager', { max: READERS });
  const { records = 'fast' } = options;
  const synchronousCommit = records === 'durable' ? 'on' : 'off';
  const recorderDb = open('recorder', { ...withTimeout(1_000), max: 3, synchronousCommit });
  // The same applies to a worker that stalls during a claim.
  const worker = open('worker', { max: 5, idleInTransactionMs: 2_000 });
  const dispatch = open('worker', { max: 5, idleInTransactionMs: 2_000, plansOnce: true });
  const maintenance = open('worker', { max: 1, queryTimeoutMs: 3_600_000 });

  const uses = createUseCounter(recorderDb, options.onError);
  const keyUses = createLastUseRecorder(recorderDb, options.onError);
  const scopeUses = createScopeUseCounter(recorderDb, options.onError);
  const renewals = createVerifierRenewalRecorder(manager, options.onError);
  const browserUses = createBrowserUseRecorder(worker, options.onError);
  const { authenticateDelegated, recognise, measures, ...authority } = createAuthority({
    db: authorityDb,
    environment,
    peppers,
    rate: options.rate,
    patience,
    onEarlierPepper: renewals.record,
    onBrowserUse: browserUses.record,
  });
  const receiptOptions = { environment, issuer: options.publicUrl, masterKeys };
  const receipts = createReceiptIssuer(manager, receiptOptions, options.onError);
  const wakeUps = createWakeUps((endpointIds) => notifyQueue(api, endpointIds), options.onError);
  const plane: Plane = {
    environment,
    urls: { public: options.publicUrl, problems: `${options.publicUrl}/problems`, docs: options.docsUrl },
    db: { authority: authorityDb, api, manager, readerOf: limitReaders(reader) },
    authority,
    mutations: createMutations({ shared: api, alone, patience }),
    deliveries: {
      prepare: createDeliveryPreparer(wakeUps.handOff),
      wake: wakeUps.wake,
      cancelInFlight: (tx, lostAccesses) => cancelInFlightDeliveries(manager, tx, lostAccesses),
      // Production has no listeners.
      refuseUrl: (url) =>
        refuseUrl(url, outboundRulesOf(options, environment === 'sandbox' ? LISTEN_ADVICE : undefined)),
    },
    receipts,
    secrets: { peppers, masterKeys, cursorKey, managementKey },
    keys: {
      recognise,
      maxDays: options.maxKeyDays ?? MAX_KEY_DAYS,
      githubKeys: options.githubKeys ?? new Map(),
      reportLimiter: createAddressLimiter(options.unauthenticatedRate ?? UNAUTHENTICATED_RATE),
    },
    pages: createPageCache(PAGE_CACHE_BYTES),
    deprecations: { count: uses.count, nowMs },
    statusLeaseSeconds: options.statusLeaseSeconds ?? 15 * 60,
    callApi: undefined,
    captures: undefined,
  };
  const recorder = createRecorder({
    db: recorderDb,
    durability: records,
    addresses: options.clientAddresses ?? 'whole',
    onLoss: options.onError,
    onUse(use) {
      if (!use.isRefused) keyUses.record(use);
      for (const used of scopesOfRequest(use.scope)) scopeUses.note({ ...use, ...used });
    },
  });
  const pools = {
    authority: authorityDb,
    api,
    alone,
    manager,
    reader,
    recorder: recorderDb,
    worker,
    maintenance,
    dispatch,
  };
  const all = Object.values(pools);
  const gathered = [uses, keyUses, scopeUses, renewals, browserUses, recorder, receipts];
  const flush = async (): Promise<void> => void (await Promise.all(gathered.map((each) => each.flush())));
  return {
    plane,
    recorder,
    records: recorderDb,
    authenticateDelegated,
    worker,
    maintenance,
    dispatch,
    receipts: receiptOptions,
    attachDispatcher: wakeUps.attach,
    measures: () => ({
      authority: measures(),
      records: recorder.measures(),
      pools: Object.fromEntries(Object.entries(pools).map(([name, db]) => [name, db.use()])),
    }),
    warm: async () => void (await Promise.all(all.map((db) => db.warm()))),
    flush,
    close: async () => {
      await flush();
      await Promise.all(all.map((db) => db.close()));
    },
  };
}

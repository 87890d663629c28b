// The runtime of one environment for its operations, as a few ports. Code below the access builders takes the ports
// that it uses, as `EventPort` or as a Pick of Plane (docs/decisions/0081).
import type { KeyObject } from 'node:crypto';
import type { PublicJwk } from '../../kit/crypto/jws.ts';
import type { MasterKeys } from '../../kit/crypto/seal.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import type { Database, Transaction, TransactionOptions } from '../../kit/db/db.ts';
import type { AddressLimiter } from '../../kit/http/address-limiter.ts';
import type { CursorKey, PageCache } from '../../kit/http/page.ts';
import type { ApiCall, ApiResponse } from './api-call.ts';
import type { Authority, KeyRecogniser } from './authority.ts';
import type { CapturePort } from './capture-port.ts';
import type { Environment, Peppers } from './key-token.ts';
import type { Scope } from './scopes.ts';
import type { MutationWriter, TenantTransaction, TenantWriter } from './store.ts';

/**
 * An access that no longer holds: of a whole app, one key, one server's installation, or an endpoint in its previous
 * form. A change that takes access away names it. A stop is the request to one worker to cancel its attempts under a
 * lost access, and a denial is the lost access in the memory of that worker.
 */
export interface LostAccess {
  appId: string;
  keyId: string | null;
  serverId: string | null;
  endpointId?: string;
}

/** The confirmation that a worker starts no attempt under a lost access. */
export interface WorkerConfirmation {
  workerId: string;
  /**
   * `confirmed`: the worker confirmed that the attempts are off the wire. `deregistered`: it left, or its lease ended
   * without a heartbeat.
   */
  outcome: 'confirmed' | 'deregistered';
  /** Milliseconds from the request until the confirmation was seen. */
  waitedMs: number;
  /** The lease that this process waited for in milliseconds; null if it waited for none. */
  leaseMs: number | null;
}

/** What the cancellation of in-flight deliveries under one lost access has observed. */
export interface AccessCancellation {
  access: LostAccess;
  /** The app's stop epoch: a claim with an earlier epoch is denied. */
  epoch: number;
  /** The time of the database's clock right after the commit. */
  committedBy: Date;
  /** The number of attempts under the access that were in flight right after the commit. */
  attempts: number;
  workers: readonly WorkerConfirmation[];
}

export interface RevokedKey {
  keyId: string;
  kid: string;
}

/** A revoked scope on a server, or the installation as a whole if the scope is null. */
export interface RevokedGrant {
  serverId: string;
  scope: Scope | null;
}

/** A receipt of the revocations of one transaction in one app. */
export interface UnsignedReceipt {
  receiptId: string;
  organisationId: string;
  appId: string;
  /** Null for a revocation without a request. */
  requestId: string | null;
  keys: readonly RevokedKey[];
  grants: readonly RevokedGrant[];
}

/** Issues signed receipts of revocations. */
export interface ReceiptIssuer {
  /** Stores the receipt with the transaction, without a signature. */
  store(tx: Pick<Transaction, 'send'>, receipt: UnsignedReceipt): void;
  /**
   * Signs the receipt after the commit. Returns immediately, so that no answer waits for the signature. `cancelled` are
   * the numbers of deliveries that the transaction cancelled. `failoverWaitMs` is the wait after a promotion, until no
   * process relied on the previous primary any more; 0 without a recent promotion.
   */
  sign(
    receipt: UnsignedReceipt,
    cancelled: readonly Promise<number>[],
    cancellations: readonly AccessCancellation[],
    failoverWaitMs: number,
  ): void;
  /** Returns the public keys that verify receipts of this environment, the current key first. */
  listKeys(): Promise<PublicJwk[]>;
}

/** The content of a new event, on which the filters of endpoints are evaluated. */
export interface NewEventContent {
  serverId: string;
  /** The bytes in the newest schema version. */
  body: string;
  /** The bytes in the previous versions, from version 1. */
  older: readonly string[];
}

/** Writes the deliveries of an event to its receivers. */
export type DeliveryEnqueuer = (
  event: NewEventContent & {
    eventId: string;
    schemaVersion: number;
    subject: { uuid: string; sequence: number };
  },
) => void;

/** The functions of a database that a reading transaction needs. */
export type ReadDatabase = Pick<Database, 'transaction' | 'together'>;

/** The public addresses of the environment. */
interface PlaneUrls {
  /** The base URL of /v1, without a trailing slash. */
  public: string;
  problems: string;
  /** The documentation site, if this process knows its address. */
  docs: string | undefined;
}

interface PlaneDatabases {
  /** Role slipway_authority: the batches that decide about access, on a separate pool. */
  authority: Database;
  /** Role slipway_api: one tenant per transaction. */
  api: Database;
  /** Role slipway_manager: one organisation per transaction. */
  manager: Database;
  /**
   * Role slipway_manager, for reading. A slow list of an organisation delays no revocation, because it uses other
   * connections. It delays no list of another organisation, because one organisation uses at most half of them.
   */
  readerOf(organisationId: string): ReadDatabase;
}

/** Runs mutations of /v1 for an app. */
export interface Mutations {
  /**
   * Runs an operation's mutation in a transaction that it shares with concurrent mutations of the operation. The
   * mutation runs alone if `bytes`, the size of the request, exceeds a limit, and after its shared transaction was
   * rolled back or would have waited for a lock. So `work` can be called several times, each time in another
   * transaction. Only the changes of the last call are kept.
   */
  run<T>(operationId: string, appId: string, work: (tenant: MutationWriter) => Promise<T>, bytes?: number): Promise<T>;
  /**
   * Runs a mutation that may wait for locks, of its access or of its object, alone in a transaction, so that no other
   * mutation waits for it.
   */
  runAlone<T>(appId: string, work: (tenant: TenantTransaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

/** Webhook deliveries, for the code that writes events or ends access. `boot/plane.ts` binds the implementations. */
export interface Deliveries {
  /**
   * Finds the receivers of an event of this type about the server, in the event's own transaction. A caller may prepare
   * before the event exists, in the round trip that reads its access. `webhooks/webhooks/enqueue-store.ts` implements
   * it.
   */
  prepare(tenant: TenantWriter, event: { type: string; serverId: string | null }): Promise<DeliveryEnqueuer>;
  /**
   * Wakes the dispatchers after a commit: deliveries of these endpoints are due, or any deliveries if no endpoint is
   * named. A lost wake-up notification delays a delivery until the next poll.
   */
  wake(endpointIds?: ReadonlySet<string>): void;
  /**
   * Cancels the in-flight deliveries under accesses that the transaction removes. Call it before the transaction ends.
   * Resolves after the commit, when no delivery under them can begin any more, to an observation for each access. Do
   * not wait for it inside the transaction.
   */
  cancelInFlight(
    tx: Pick<Transaction, 'sendAfterCommit'>,
    lostAccesses: readonly LostAccess[],
  ): Promise<readonly AccessCancellation[]>;
  /** Returns a sentence with the reason if no webhook may be sent to this URL. */
  refuseUrl(url: string): string | undefined;
}

export interface PlaneSecrets {
  peppers: Peppers;
  masterKeys: MasterKeys;
  /** Signs cursors. */
  cursorKey: CursorKey;
  /** Authenticates management requests of the Console's server. */
  managementKey: Secret;
}

/** The parts that are needed to create and report keys. */
interface KeyPort {
  recognise: KeyRecogniser;
  /** The maximum lifetime of a key in days. */
  maxDays: number;
  /** The public keys with which GitHub signs the findings of its secret scanning, by their identifiers. */
  githubKeys: ReadonlyMap<string, KeyObject>;
  /** Limits the requests of unauthenticated callers by address. */
  reportLimiter: AddressLimiter;
}

export interface Plane {
  environment: Environment;
  urls: PlaneUrls;
  db: PlaneDatabases;
  authority: Authority;
  mutations: Mutations;
  deliveries: Deliveries;
  receipts: ReceiptIssuer;
  secrets: PlaneSecrets;
  keys: KeyPort;
  pages: PageCache;
  /** `count` counts a use of a deprecated part. `nowMs` is the time that decides whether a deprecation has ended. */
  deprecations: { count(appId: string, deprecationId: string, requestUuid: string): void; nowMs(): number };
  /** The duration of the Console's lease on the status of organisations. */
  statusLeaseSeconds: number;
  /** Makes a /v1 call with a key of which only the id is known. Undefined if the process provides no calls. */
  callApi: ((call: ApiCall) => Promise<ApiResponse>) | undefined;
  /** The stored headers and bodies of requests. Undefined in production, and if the operator forbids them. */
  captures: CapturePort | undefined;
}

/** The parts that are needed to write an event. */
export type EventPort = Pick<Plane, 'environment' | 'deliveries' | 'urls'>;

/** The parts that a unit of work needs to write events or to end access. */
export type WorkPort = EventPort & Pick<Plane, 'db' | 'receipts'>;

// What one environment's operations are given: its name, its addresses, its database roles and its secrets.
import type { KeyObject } from 'node:crypto';
import type { MasterKeys } from '../../kit/crypto/seal.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import type { Database, Transaction, TransactionOptions } from '../../kit/db/db.ts';
import type { AddressLimiter } from '../../kit/http/address-limiter.ts';
import type { CursorKey, PageCache } from '../../kit/http/page.ts';
import type { ApiAnswer, ApiCall } from './api-call.ts';
import type { Authority, RecogniseKey } from './authority.ts';
import type { Environment, Peppers } from './key-token.ts';
import type { MutationRows, TenantTransaction, WritingRows } from './store.ts';

/** What has lost its access: a whole app, one key of it, one server's installation, or an endpoint as it was until now. */
export interface Denial {
  appId: string;
  keyId: string | null;
  serverId: string | null;
  endpointId?: string;
}

/** Writes an event's deliveries to those who were found. */
export type Enqueue = (event: {
  eventId: string;
  schemaVersion: number;
  subject: { id: string; sequence: number };
}) => void;

/**
 * Runs an operation's mutation for an app; `work` may be called a second time, when the first was taken back. `bytes` is how large
 * its request is.
 */
export type Mutate = <T>(
  operationId: string,
  appId: string,
  work: (tenant: MutationRows) => Promise<T>,
  bytes?: number,
) => Promise<T>;

/** What reading transactions need of a database. */
export type Reader = Pick<Database, 'transaction' | 'together'>;

export interface Plane {
  environment: Environment;
  /** The public address of /v1, without a slash at its end. */
  publicUrl: string;
  problemsUrl: string;
  /** The documentation site, if this process knows its address. */
  docsUrl: string | undefined;
  db: {
    /** slipway_authority: the batches that decide about access, on a pool of their own. */
    authority: Database;
    /** slipway_api: one tenant at a time. */
    api: Database;
    /** slipway_manager: one organisation at a time. */
    manager: Database;
    /**
     * The same for whoever only looks: a slow list of one organisation keeps no revoke waiting for a connection, and, because it has
     * half of these at most, no other's list.
     */
    readerOf(organisationId: string): Reader;
  };
  authority: Authority;
  /** A mutation of /v1, in a transaction with those that arrived together. */
  mutate: Mutate;
  /** One that waits, for those who change its access or for what it is about: in a transaction of its own, where others wait for none. */
  mutateAlone<T>(
    appId: string,
    work: (tenant: TenantTransaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  recogniseKey: RecogniseKey;
  /** With which GitHub signs what its secret scanning found, by their identifiers. */
  githubKeys: ReadonlyMap<string, KeyObject>;
  /** How often somebody without a key may make us look. */
  strangers: AddressLimiter;
  pages: PageCache;
  peppers: Peppers;
  masterKeys: MasterKeys;
  /** Signs cursors. */
  cursorKey: CursorKey;
  /** A key lives at most so many days here. */
  maxKeyDays: number;
  /** For how long the Console's lease on the status of organisations runs. */
  statusLeaseSeconds: number;
  /** Proves that a management request comes from the Console's server. */
  managementKey: Secret;
  /**
   * For the transaction that takes accesses away, before it ends: stops what is on its way under them. Resolves when nothing of them begins
   * any more, which is after the commit: not to be waited for in it.
   */
  stop(tx: Pick<Transaction, 'afterCommit'>, denials: readonly Denial[]): Promise<void>;
  /**
   * Wakes the dispatchers after a commit: deliveries of these endpoints are due, or, without names, any deliveries. A lost
   * wake-up delays a delivery until the next poll.
   */
  wake(endpointIds?: ReadonlySet<string>): void;
  /** Who is to get an event of this type, in the event's own transaction; `serverId` is the server whose grant decides, if any. */
  findReceivers(tenant: WritingRows, type: string, serverId: string | null): Promise<Enqueue>;
  /** Counts a use of what is deprecated; by `nowMs` it is over or not yet. */
  deprecations: { count(appId: string, deprecationId: string): void; nowMs(): number };
  /** Makes a call of /v1 with a key of which only the id is known. Undefined where nobody has handed it in. */
  callApi: ((call: ApiCall) => Promise<ApiAnswer>) | undefined;
  /** Whether a webhook may go to this URL; a sentence when not. */
  refuseWebhookUrl(url: string): string | undefined;
}

// Connections to the writable primary among the hosts of a database URL. The driver (pg) accepts one host per URL and
// does not check which kind of server has answered.
import pg from 'pg';
import { monotonicMs } from '../flow/clock.ts';
import { DatabaseUnavailable, fromDriver, isPoolTimeout, isUnavailable } from './db-errors.ts';
import { type Sql, sql } from './sql.ts';

export type DatabaseConfig = pg.ClientConfig & { connectionString: string };

/** The settings of a connection that its statements rely on. Its start-up options set them. */
export interface ConnectionSettings {
  /** The login's own role if absent. */
  role: string | undefined;
  statementTimeoutMs: number;
  idleInTransactionMs: number;
}

const URL_AUTHORITY = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)((?:[/?#].*)?)$/s;

/**
 * Returns a URL for each host of a database URL, in their order:
 *
 *     splitHosts('postgres://owner@a:5432,b:5432/shop') // two URLs
 */
export function splitHosts(url: string): [string, ...string[]] {
  const [, start = '', hosts = '', rest = ''] = URL_AUTHORITY.exec(url) ?? [];
  const [first, ...others] = hosts.split(',').map((host) => `${start}${host}${rest}`);
  return first === undefined || hosts === '' ? [url] : [first, ...others];
}

/** The hosts of a database URL. All connections of a pool use the same host until a connection to it fails. */
export class DatabaseHosts {
  readonly #urls: readonly string[];
  #url: string;

  constructor(url: string) {
    this.#urls = splitHosts(url);
    [this.#url] = splitHosts(url);
  }

  /** The URL of the host for the next connection. */
  get url(): string {
    return this.#url;
  }

  /**
   * Calls `connect` again for each other host if it fails. `connect` uses the current host and leaves it if the host does
   * not accept the connection. Nothing was sent on a connection that could not be opened, so nothing can happen twice.
   */
  async connect<T>(connect: () => Promise<T>): Promise<T> {
    for (let triesLeft = this.#urls.length - 1; ; triesLeft--) {
      try {
        return await connect();
      } catch (error) {
        if (triesLeft === 0 || !isUnavailable(fromDriver(error)) || isPoolTimeout(error)) throw error;
      }
    }
  }

  /** Moves on to the next host if the failure is that of the host, unless another connection has already done so. */
  leave(url: string, failure: unknown): void {
    if (url !== this.#url || !isUnavailable(fromDriver(failure))) return;
    this.#url = this.#urls[(this.#urls.indexOf(url) + 1) % this.#urls.length] ?? url;
  }
}

/** Selects the timeline of the server as 8 hexadecimal digits; null on a standby. A promotion begins a timeline. */
export const TIMELINE: Sql = sql`case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end`;

/**
 * Selects the same, and confirms that the server is the primary. With a synchronous standby, the statement writes a
 * message to the WAL, so its commit waits for the standby. A server whose standby was promoted cannot commit it. Without
 * a synchronous standby, no server could have been promoted with all commits, and nothing is written
 * (docs/decisions/0095).
 */
const CONFIRMED_TIMELINE: Sql = sql`case when pg_is_in_recovery() then null
  when current_setting('synchronous_standby_names') = '' then ${TIMELINE}
  when pg_logical_emit_message(true, 'confirmation', '') is not null then ${TIMELINE} end`;

/**
 * Milliseconds after the confirmation of a connection within which its transaction may rely on its locks, and on the
 * access that it read. After a promotion, a change waits for this long (`previousPrimaryMs`).
 */
export const CONFIRMED_FOR_MS = 2_000;
/** A pool confirms the server again before it hands out a connection whose confirmation is older. */
export const CONFIRM_AFTER_MS = CONFIRMED_FOR_MS / 2;

/** The timeline of a cluster in which no server was ever promoted. */
const FIRST_TIMELINE = 1;

interface Confirmation {
  /** The identifier that the primary and its standbys share. */
  cluster: string;
  timeline: number;
  /** Monotonic time before the confirming statement was sent. */
  atMs: number;
}

/** The last confirmation of each connection. */
const confirmations = new WeakMap<pg.ClientBase, Confirmation>();
/** The newest timeline of each cluster, and the monotonic time at which this process knew that it was confirmed. */
const newestTimelines = new Map<string, { timeline: number; sinceMs: number }>();

function isEarlier({ cluster, timeline }: Pick<Confirmation, 'cluster' | 'timeline'>): boolean {
  return timeline < (newestTimelines.get(cluster)?.timeline ?? 0);
}

/** Returns whether another server was promoted since this connection was opened. */
export function isOutdated(client: pg.ClientBase): boolean {
  const confirmation = confirmations.get(client);
  return confirmation !== undefined && isEarlier(confirmation);
}

function isConfirmedFor(client: pg.ClientBase, ms: number): boolean {
  const confirmation = confirmations.get(client);
  return confirmation !== undefined && !isEarlier(confirmation) && monotonicMs() - confirmation.atMs < ms;
}

/** Returns whether the server of the connection may still be trusted to hold locks. */
export const holdsLocks = (client: pg.ClientBase): boolean => isConfirmedFor(client, CONFIRMED_FOR_MS);

/** Returns whether a pool may hand the connection out without another confirmation. */
export const isConfirmed = (client: pg.ClientBase): boolean => isConfirmedFor(client, CONFIRM_AFTER_MS);

/**
 * Returns the milliseconds for which another process may still rely on the previous primary; 0 without a recent
 * promotion. The previous primary was confirmed for the last time before this process knew the new one.
 */
export function previousPrimaryMs(client: pg.ClientBase): number {
  const { cluster = '', timeline = FIRST_TIMELINE } = confirmations.get(client) ?? {};
  const { sinceMs = Number.NEGATIVE_INFINITY } = newestTimelines.get(cluster) ?? {};
  return timeline === FIRST_TIMELINE ? 0 : Math.max(0, sinceMs + CONFIRMED_FOR_MS - monotonicMs());
}

interface ConnectionRow {
  cluster: string;
  /** Zero on a standby, which has no timeline of its own. */
  timeline: number;
  is_standby: boolean;
  is_read_only: boolean;
  role: string;
  statement_ms: number;
  idle_ms: number;
}

const millisecondsOf = (setting: string): string =>
  `(extract(epoch from current_setting('${setting}')::interval) * 1000)::int`;
const CONNECTION = {
  name: 'confirm_connection',
  text: `select system_identifier::text as cluster, coalesce(('x' || ${CONFIRMED_TIMELINE.text})::bit(32)::int, 0) as timeline,
  pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only,
  current_user::text as role, ${millisecondsOf('statement_timeout')} as statement_ms,
  ${millisecondsOf('idle_in_transaction_session_timeout')} as idle_ms from pg_control_system()`,
};

/**
 * Confirms the server of a connection. Throws DatabaseUnavailable unless it is the newest writable primary that is
 * known and the connection has the settings.
 */
export async function requirePrimary(client: pg.ClientBase, settings: ConnectionSettings): Promise<void> {
  const atMs = monotonicMs();
  // Unnamed the first time: behind a pooler, the server can know the name from another connection.
  const { name, text } = CONNECTION;
  const statement = confirmations.has(client) ? { name, text } : { text };
  const [row] = (await client.query<ConnectionRow>(statement)).rows;
  const reason = row ? explainUnusable(row, settings) : 'did not answer.';
  if (!row || reason !== undefined) {
    const { host, port } = client as pg.Client; // the only class of clients that this folder opens
    throw new DatabaseUnavailable(new Error(`${host}:${port} ${reason}`));
  }
  const { cluster, timeline } = row;
  confirmations.set(client, { cluster, timeline, atMs });
  if (newestTimelines.get(cluster)?.timeline !== timeline)
    newestTimelines.set(cluster, { timeline, sinceMs: monotonicMs() });
}

function explainUnusable(row: ConnectionRow, settings: ConnectionSettings): string | undefined {
  if (row.is_standby) return 'is a standby. Only the primary can be used.';
  if (isEarlier(row)) return 'is no longer the primary: another server was promoted.';
  if (row.is_read_only) return 'is read-only. Only a writable primary can be used.';
  const { role = row.role, statementTimeoutMs, idleInTransactionMs } = settings;
  if (row.role === role && row.statement_ms === statementTimeoutMs && row.idle_ms === idleInTransactionMs)
    return undefined;
  return `dropped the start-up options of the connection, as the pooler PgBouncer does. ${POOLER_FIX}`;
}

const POOLER_FIX = 'Connect directly to Postgres.';

/** Returns what to do about an error of a pooler that refuses the start-up options; undefined for another error. */
export const poolerFixOf = ({ message }: Error): string | undefined =>
  message.startsWith('unsupported startup parameter')
    ? `A pooler such as PgBouncer refused it. ${POOLER_FIX}`
    : undefined;

/** Opens a connection to the primary among the hosts. The next query on a connection that dies reports its loss. */
export function connectToPrimary(config: DatabaseConfig, settings: ConnectionSettings): Promise<pg.Client> {
  const hosts = new DatabaseHosts(config.connectionString);
  return hosts.connect(async () => {
    const { url } = hosts;
    const client = new pg.Client({ ...config, connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await requirePrimary(client, settings);
      return client;
    } catch (error) {
      hosts.leave(url, error);
      await client.end().catch(() => {});
      throw error;
    }
  });
}

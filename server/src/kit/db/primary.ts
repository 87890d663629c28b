// Connections to the writable primary among the hosts of a database URL. The driver (pg) accepts one host per URL and
// does not check which kind of server has answered.
import pg from 'pg';
import { DatabaseUnavailable, fromDriver, isPoolTimeout, isUnavailable } from './db-errors.ts';

export type DatabaseConfig = pg.ClientConfig & { connectionString: string };

/** The settings of a connection that Slipway relies on. Its start-up options set them. */
export interface ConnectionSettings {
  /** The login's own role if absent. */
  role: string | undefined;
  statementTimeoutMs: number;
  idleInTransactionMs: number;
}

const AUTHORITY = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)((?:[/?#].*)?)$/s;

/**
 * Returns a URL for each host of a database URL, in their order:
 *
 *     splitHosts('postgres://slipway@a:5432,b:5432/slipway') // two URLs
 */
export function splitHosts(url: string): [string, ...string[]] {
  const [, start = '', hosts = '', rest = ''] = AUTHORITY.exec(url) ?? [];
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
   * Calls `connect` with the current host and then, if this fails, with each other host. Nothing was sent on a
   * connection that could not be opened, so nothing can happen twice.
   */
  async connect<T>(connect: (url: string) => Promise<T>): Promise<T> {
    for (let triesLeft = this.#urls.length - 1; ; triesLeft--) {
      const url = this.#url;
      try {
        return await connect(url);
      } catch (error) {
        if (!isUnavailable(fromDriver(error)) || isPoolTimeout(error)) throw error;
        this.#leave(url);
        if (triesLeft === 0) throw error;
      }
    }
  }

  /** Moves on to the next host, unless another connection has already done so. */
  #leave(url: string): void {
    if (url !== this.#url) return;
    this.#url = this.#urls[(this.#urls.indexOf(url) + 1) % this.#urls.length] ?? url;
  }
}

interface ConnectionRow {
  is_standby: boolean;
  is_read_only: boolean;
  role: string;
  statement_ms: number;
  idle_ms: number;
}

const millisecondsOf = (setting: string): string =>
  `(extract(epoch from current_setting('${setting}')::interval) * 1000)::int`;
const CONNECTION = `select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only,
  current_user::text as role, ${millisecondsOf('statement_timeout')} as statement_ms,
  ${millisecondsOf('idle_in_transaction_session_timeout')} as idle_ms`;

/** Throws DatabaseUnavailable unless a new connection leads to a writable primary and has the settings. */
export async function requirePrimary(client: pg.ClientBase, settings?: ConnectionSettings): Promise<void> {
  const { rows } = await client.query<ConnectionRow>(CONNECTION);
  const reason = rows[0] && explainUnusable(rows[0], settings);
  if (reason === undefined) return;
  const { host, port } = client as pg.Client; // the only class of clients that this folder opens
  throw new DatabaseUnavailable(new Error(`${host}:${port} ${reason}`));
}

function explainUnusable(row: ConnectionRow, settings: ConnectionSettings | undefined): string | undefined {
  if (row.is_standby) return 'is a standby. Slipway requires the primary.';
  if (row.is_read_only) return 'is read-only. Slipway requires a writable primary.';
  if (!settings) return undefined;
  const { role = row.role, statementTimeoutMs, idleInTransactionMs } = settings;
  if (row.role === role && row.statement_ms === statementTimeoutMs && row.idle_ms === idleInTransactionMs)
    return undefined;
  return 'dropped the start-up options of the connection, as the pooler PgBouncer does. Connect Slipway directly to Postgres.';
}

/** Opens a connection to the primary among the hosts. The next query on a connection that dies reports its loss. */
export function connectToPrimary(config: DatabaseConfig, settings?: ConnectionSettings): Promise<pg.Client> {
  return new DatabaseHosts(config.connectionString).connect(async (connectionString) => {
    const client = new pg.Client({ ...config, connectionString });
    client.on('error', () => {});
    try {
      await client.connect();
      await requirePrimary(client, settings);
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
  });
}

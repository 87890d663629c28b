// The lock of `slipway-server reopen`: one run at a time on a database, from any machine.
import { withConnection } from '../kit/db/db.ts';

const LOCK_KEY = 7547_0061;

/**
 * Runs while no other run holds the lock of the database; returns undefined if another does. The lock ends with the
 * connection.
 */
export function runExclusively<T>(url: string, run: () => Promise<T>): Promise<T | undefined> {
  return withConnection({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true }, async (client) => {
    const { rows } = await client.query<{ is_held: boolean }>('select pg_try_advisory_lock($1) as is_held', [LOCK_KEY]);
    return rows[0]?.is_held ? run() : undefined;
  });
}

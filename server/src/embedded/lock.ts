// Allows one Slipway per data folder: each running one holds an advisory lock on its own connection. The lock ends with
// the connection, so a killed Slipway releases it immediately.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

const lockKey = '7547, 1';

function superuserClient(port: number, password: string): Client {
  return new Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5_000,
    application_name: 'slipway lock',
  });
}

/**
 * Connects and takes the lock. The Postgres must be newly started by this process, so that no other process can hold
 * the lock.
 */
export async function takeLock(port: number, password: string): Promise<Client> {
  const client = superuserClient(port, password);
  // An error of an established connection is an event, which would otherwise end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(${lockKey}) as held`);
    if (!rows[0]?.held) throw new Error('Another Slipway holds the lock of this Postgres.');
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/**
 * Takes the lock again whenever its connection breaks while Postgres is alive, as after the crash of a backend. Returns
 * a function that returns the current connection.
 */
export function keepLock(first: Client, take: () => Promise<Client>, isOver: () => boolean): () => Client | undefined {
  let current: Client | undefined;
  const watch = (client: Client): void => {
    current = client;
    client.once('end', () => {
      current = undefined;
      void takeAgain();
    });
  };
  const takeAgain = async (): Promise<void> => {
    while (!isOver()) {
      const client = await take().catch(() => undefined);
      if (client && !isOver()) return watch(client);
      if (client) return client.end();
      await sleep(250);
    }
  };
  watch(first);
  return () => current;
}

type LockState = 'free' | 'held' | 'not-answering';

/** Returns whether a Slipway still uses the Postgres on this port. */
export async function lockState(port: number, password: string): Promise<LockState> {
  const client = superuserClient(port, password);
  client.on('error', () => {});
  try {
    await client.connect();
    // Not `try`: the lock of a Slipway that was just killed is released when Postgres notices its closed connection.
    await client.query(`set lock_timeout = '1s'`);
    await client.query(`select pg_advisory_lock(${lockKey})`);
    return 'free';
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === '55P03') return 'held';
    // Postgres is starting, stopping or recovering. Depending on the phase, it refuses the connection, breaks it, or
    // answers with one of these states.
    if (code === '57P03' || code === '57P01' || code === 'ECONNREFUSED' || code === 'ECONNRESET') return 'free';
    if (code !== undefined) throw error;
    return /timeout/i.test((error as Error).message) ? 'not-answering' : 'free';
  } finally {
    await client.end().catch(() => {});
  }
}

// Connections that are kept for the next request of the same owner. No other owner may use them, because the next
// request reads the data that a receiver leaves on a connection. Receivers keep connections for longer, so a request
// seldom meets a connection that is being closed. The total time is short too, so changes of the address are followed.

import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Client } from 'undici';
import { monotonicMs } from '../flow/clock.ts';

export interface Connection {
  readonly socket: Socket;
  readonly client: Client;
  /** If false, the only request asks the receiver to close the connection. */
  readonly isKeepAlive: boolean;
  readonly openedAtMs: number;
  /** Called for everything that is read during a request. */
  onRead: (() => void) | undefined;
}

/** Less than common receivers: 2 s (gunicorn), 5 s (Node, Apache), 75 s (nginx). */
export const MAX_IDLE_MS = 1_000;
const MAX_CONNECTION_AGE_MS = 10_000;
/** Limit over all owners. Beyond it the oldest kept connection is closed. */
const MAX_IDLE_CONNECTIONS = 512;
/**
 * Time in which a receiver gets a new connection for each request, after it closed a kept one during a request without
 * notice.
 */
const DISTRUST_MS = 600_000;
const MAX_DISTRUSTED_KEYS = 10_000;

let pendingWait: Promise<void> | undefined;

/**
 * Resolves after a poll phase, in which sockets are read: one lies between two check phases. All callers before the
 * first check phase share the wait.
 */
const waitForPollPhase = (): Promise<void> => {
  pendingWait ??= new Promise((resolve) => {
    setImmediate(() => {
      pendingWait = undefined;
      setImmediate(resolve);
    });
  });
  return pendingWait;
};

export function createIdleConnections() {
  const idle = new Map<string, Connection[]>();
  const keys = new Map<Connection, string>();
  const distrustedAtMs = new LRUCache<string, number>({ max: MAX_DISTRUSTED_KEYS });

  function isDistrusted(key: string): boolean {
    const atMs = distrustedAtMs.get(key);
    if (atMs === undefined) return false;
    if (monotonicMs() - atMs < DISTRUST_MS) return true;
    return !distrustedAtMs.delete(key);
  }

  function forget(connection: Connection): void {
    const key = keys.get(connection);
    if (key === undefined) return;
    keys.delete(connection);
    const list = idle.get(key) ?? [];
    list.splice(list.indexOf(connection), 1);
    if (list.length === 0) idle.delete(key);
  }

  return {
    /** Removes a connection whose socket was closed. */
    forget,
    /** Takes an open connection, which then belongs to the caller. Returns undefined if there is no candidate. */
    async take(key: string): Promise<Connection | undefined> {
      for (;;) {
        const connection = idle.get(key)?.at(-1);
        if (connection === undefined) return undefined;
        forget(connection);
        // Anything that arrived on it meanwhile, its end or an unsolicited response, closes it. Both are noticed during
        // this wait.
        await waitForPollPhase();
        if (!connection.socket.destroyed) return connection;
      }
    },
    distrust(key: string): void {
      distrustedAtMs.set(key, monotonicMs());
    },
    /** Keeps a connection. Returns false if it must not be kept; the caller then closes it. */
    keep(key: string, connection: Connection): boolean {
      const { socket, openedAtMs } = connection;
      if (socket.destroyed || isDistrusted(key) || monotonicMs() - openedAtMs > MAX_CONNECTION_AGE_MS) return false;
      keys.set(connection, key);
      const list = idle.get(key);
      if (list) list.push(connection);
      else idle.set(key, [connection]);
      const [first] = keys.keys();
      if (keys.size > MAX_IDLE_CONNECTIONS) first?.socket.destroy();
      return true;
    },
    close(): void {
      for (const { socket } of [...keys.keys()]) socket.destroy();
    },
  };
}

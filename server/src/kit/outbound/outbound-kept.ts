// Connections that are kept for the next request of the same keeper: never for anybody else's, because what a receiver
// leaves on a connection is read by whoever uses it next. They are kept shorter than receivers do, so that a request seldom
// meets one that is being closed; and not for long, so that an address that changes is followed.

import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Client } from 'undici';
import { monotonicMs } from '../flow/clock.ts';

export interface Connection {
  readonly socket: Socket;
  readonly client: Client;
  /** Otherwise its one request says that it is the last. */
  readonly isToBeKept: boolean;
  readonly openedAtMs: number;
  /** Told of whatever is read while a request is on it. */
  onRead: (() => void) | undefined;
}

/** Less than what is usual with receivers: 2 s (gunicorn), 5 s (Node, Apache), 75 s (nginx). */
export const KEPT_IDLE_MS = 1_000;
const KEPT_AT_MOST_MS = 10_000;
/** Over all keepers; beyond that the one that was kept first is closed. */
const MOST_KEPT = 512;
/** A receiver that closed under a request, though it had said nothing of the kind, gets a connection for each one. */
const DISTRUST_MS = 600_000;
const MOST_DISTRUSTED = 10_000;

let turn: Promise<void> | undefined;

/** From one check phase to the next one lies a poll, in which sockets are read. All who ask before the first wait for the same. */
const turnOfEventLoop = (): Promise<void> => {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      setImmediate(resolve);
    });
  });
  return turn;
};

export function createKept() {
  const idle = new Map<string, Connection[]>();
  const keys = new Map<Connection, string>();
  const distrustedAtMs = new LRUCache<string, number>({ max: MOST_DISTRUSTED });

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

  async function takeAfterTurn(key: string): Promise<Connection | undefined> {
    for (;;) {
      const connection = idle.get(key)?.at(-1);
      if (connection === undefined) return undefined;
      forget(connection);
      // What has arrived on it by now, its end or an answer that nobody asked for, closes it: both are heard of first.
      await turnOfEventLoop();
      if (!connection.socket.destroyed) return connection;
    }
  }

  return {
    /** Its socket was closed. */
    forget,
    /** One that is open, and from then on the taker's; undefined where there is none to be looked at. */
    take: (key: string): Promise<Connection | undefined> | undefined =>
      idle.has(key) ? takeAfterTurn(key) : undefined,
    distrust(key: string): void {
      distrustedAtMs.set(key, monotonicMs());
    },
    /** False when it is not worth it; the caller closes it then. */
    keep(key: string, connection: Connection): boolean {
      const { socket, openedAtMs } = connection;
      if (socket.destroyed || isDistrusted(key) || monotonicMs() - openedAtMs > KEPT_AT_MOST_MS) return false;
      keys.set(connection, key);
      const list = idle.get(key);
      if (list) list.push(connection);
      else idle.set(key, [connection]);
      const [first] = keys.keys();
      if (keys.size > MOST_KEPT) first?.socket.destroy();
      return true;
    },
    close(): void {
      for (const { socket } of [...keys.keys()]) socket.destroy();
    },
  };
}

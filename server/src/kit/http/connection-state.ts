// Stores facts about a connection that Node does not store.
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

interface ConnectionState {
  /** The number of requests without a response. */
  openRequests: number;
  /** True if the connection exceeded its limit of requests: further input is ignored. */
  isRefused: boolean;
  /** True if unreadable input was answered. Further errors can arrive before that response has left. */
  isUnreadable: boolean;
  /** The latest request with a body. */
  withBody: { request: FastifyRequest; reply: FastifyReply } | undefined;
}

const states = new WeakMap<Socket, ConnectionState>();

/** Returns the state of the connection, which its modules read and change. */
export function stateOf(socket: Socket): ConnectionState {
  const known = states.get(socket);
  if (known) return known;
  const state: ConnectionState = { openRequests: 0, isRefused: false, isUnreadable: false, withBody: undefined };
  states.set(socket, state);
  return state;
}

// Handles a request body that breaks off or stalls. Node's HTTP parser reports this for the socket only. The request
// would end a second time under another id when the socket closes. So this module passes the error to the reader of the
// body, which responds.
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemError } from '../openapi/problems.ts';
import { stateOf } from './connection-state.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The reason why the rest of the body will never arrive. */
    bodyFailure: ProblemError | undefined;
  }
}

/**
 * Status in the record of a request whose client disconnected during the body. No response carries it; nginx introduced
 * the number.
 */
export const CLIENT_CLOSED_REQUEST = 499;

/** Registers the request for `abortBody`. Must be called when the request begins. */
export function watchBody(request: FastifyRequest, reply: FastifyReply): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const { socket } = request.raw;
  stateOf(socket).withBody = { request, reply };
  // Node returns the address of a closed socket only if it was read before.
  void socket.remoteAddress;
}

/**
 * Ends the body of the request on the socket with this problem, so that the request is answered like any other refusal.
 * Returns false if no request on the socket is receiving a body.
 */
export function abortBody(socket: Socket, failure: ProblemError): boolean {
  const { request, reply } = stateOf(socket).withBody ?? {};
  if (!request || request.raw.complete || request.bodyFailure || reply?.raw.writableEnded) return false;
  request.bodyFailure = failure;
  // While the request is still being admitted, nothing reads the body. mount.ts then checks `bodyFailure`.
  if (request.raw.listenerCount('error') > 0) request.raw.emit('error', failure);
  return true;
}

/** Returns whether a request on the socket has not received its whole body yet. */
export function isReceivingBody(socket: Socket): boolean {
  return stateOf(socket).withBody?.request.raw.complete === false;
}

/** Returns whether the client disconnected before its request was complete. */
export function hasClientDisconnected({ raw }: FastifyRequest): boolean {
  return !raw.complete && raw.socket.destroyed;
}

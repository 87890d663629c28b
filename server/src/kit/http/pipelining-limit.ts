// Limits the concurrent requests of one connection. HTTP/1.1 allows pipelining (RFC 9112, section 9.3.2), and Node
// starts each request as it is read. Thousands of requests in one segment blocked all clients for seconds (measured: 2
// s at 6,000 requests).
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { type ProblemError, problem } from '../openapi/problems.ts';
import { stateOf } from './connection-state.ts';

/** More than any client sends that waits for responses at all. */
const MAX_PIPELINED_REQUESTS = 100;

/**
 * Counts a new request. Returns `refused` for the first one beyond the limit, and `dropped` for those that were read
 * together with it.
 */
export function beginRequest(socket: Socket): 'accepted' | 'refused' | 'dropped' {
  const state = stateOf(socket);
  if (state.isRefused) return 'dropped';
  state.openRequests += 1;
  state.isRefused = state.openRequests > MAX_PIPELINED_REQUESTS;
  return state.isRefused ? 'refused' : 'accepted';
}

/** Counts the end of a request. Must be called when the response leaves. */
export function endRequest(socket: Socket): void {
  stateOf(socket).openRequests -= 1;
}

// Closing a socket with unread input discards sent data that the client has not read yet (RFC 1122, section 4.2.2.13).
const LINGER_MS = 2_000;

/**
 * Refuses the request beyond the limit. Its response is the last one of the connection. Further input is read and
 * dropped until the client notices.
 */
export function refuseConnection({ raw, request }: FastifyReply): ProblemError {
  const { socket } = request.raw;
  dropFurtherInput(socket);
  raw.once('finish', () => {
    socket.end();
    socket.once('end', () => socket.destroy());
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
  return problem('invalid_request', {
    detail: `More than ${MAX_PIPELINED_REQUESTS} requests of this connection had no answer yet. Wait for responses before you send more.`,
  });
}

/**
 * Drops further input. Earlier responses may take as long as a request may, and until then Node would make a request of
 * each input. Half a million on one connection were measured, which delayed others by two to six seconds. A data
 * listener takes the socket from Node's HTTP parser, as after an upgrade.
 */
function dropFurtherInput(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
}

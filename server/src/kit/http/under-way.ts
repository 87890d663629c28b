// How much one connection may have under way. HTTP/1.1 lets a caller send the next request before the last is answered (RFC 9112, section
// 9.3.2), and Node begins with each as it is read: thousands in one piece held up everybody for seconds (measured: 2 s at 6,000).
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { type ProblemError, problem } from '../openapi/problems.ts';

/** More than any client sends ahead that waits for answers at all. */
export const MOST_UNDER_WAY = 100;

const underWay = new WeakMap<Socket, number>();
const refused = new WeakSet<Socket>();

/** Called at a request's beginning: `refused` is the first that is too much, `unheard` what was read in one piece with it. */
export function beginOn(socket: Socket): 'heard' | 'refused' | 'unheard' {
  if (refused.has(socket)) return 'unheard';
  const count = (underWay.get(socket) ?? 0) + 1;
  underWay.set(socket, count);
  if (count <= MOST_UNDER_WAY) return 'heard';
  refused.add(socket);
  return 'refused';
}

/** Called when its answer leaves. */
export function endOn(socket: Socket): void {
  underWay.set(socket, (underWay.get(socket) ?? 1) - 1);
}

/** Whether nothing that comes on it is looked at any more. */
export const isRefused = (socket: Socket): boolean => refused.has(socket);

// A socket that is closed with something unread takes along what was sent on it and not read yet (RFC 1122, section 4.2.2.13).
const LINGER_MS = 2_000;

/** For the one that is too much: its answer is the connection's last, and what still comes is read, and dropped, until the caller sees that. */
export function refuseConnection({ raw, request }: FastifyReply): ProblemError {
  const { socket } = request.raw;
  dropWhatComes(socket);
  raw.once('finish', () => {
    socket.end();
    socket.once('end', () => socket.destroy());
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
  return problem('invalid_request', {
    detail: `More than ${MOST_UNDER_WAY} requests of this connection had no answer yet. Wait for answers before sending more.`,
  });
}

/**
 * The answers before the refusal may take as long as a request can: what comes meanwhile would be a request of Node's each, and remain
 * until then (measured: half a million of one connection, for which others waited two to six seconds). Whoever listens for data takes the
 * socket from Node's HTTP parser, as after an upgrade.
 */
function dropWhatComes(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
}

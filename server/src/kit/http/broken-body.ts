// A body that breaks off, or stalls, after its request had begun: Node's HTTP parser tells only that of the socket, and the
// request would end a second time, with another identifier, when that is closed. So who reads it is told, and answers.
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemError } from '../openapi/problems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the rest of its body will never come. */
    broken: ProblemError | undefined;
  }
}

/** In the record of who went away in the middle of a body: nobody was answered. No answer has it; the convention is nginx's. */
export const CALLER_GONE = 499;

const underWay = new WeakMap<Socket, { request: FastifyRequest; reply: FastifyReply }>();

/** Called at a request's beginning. */
export function watchBody(request: FastifyRequest, reply: FastifyReply): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const { socket } = request.raw;
  underWay.set(socket, { request, reply });
  // Whoever has gone tells no address any more, but for one that was asked for before.
  void socket.remoteAddress;
}

/** Whether a request was being read there, which is then answered with this problem as any other is refused. */
export function breakOff(socket: Socket, why: ProblemError): boolean {
  const { request, reply } = underWay.get(socket) ?? {};
  if (!request || request.raw.complete || request.broken || reply?.raw.writableEnded) return false;
  request.broken = why;
  // While it is still being admitted nobody reads yet, and `broken` is looked at afterwards.
  if (request.raw.listenerCount('error') > 0) request.raw.emit('error', why);
  return true;
}

/** Whether the body of a request was still to come there. */
export function isAmidBody(socket: Socket): boolean {
  return underWay.get(socket)?.request.raw.complete === false;
}

/** Whether nobody is there any more to be answered, and what they asked for never came whole. */
export function hasGone({ raw }: FastifyRequest): boolean {
  return !raw.complete && raw.socket.destroyed;
}

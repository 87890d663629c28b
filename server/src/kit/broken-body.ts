// A body that breaks off, or stalls, after its request had begun: Node's HTTP parser tells only that of the socket, and the
// request would end a second time, with another identifier, when that is closed. So who reads it is told, and answers.
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemError } from './problems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the rest of its body will never come. */
    broken: ProblemError | undefined;
  }
}

const underWay = new WeakMap<Socket, { request: FastifyRequest; reply: FastifyReply }>();

/** Called at a request's beginning. */
export function watchBody(request: FastifyRequest, reply: FastifyReply): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') underWay.set(request.raw.socket, { request, reply });
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

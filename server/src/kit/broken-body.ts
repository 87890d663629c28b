// A body that breaks off, or stalls, after its request had begun: Node's HTTP parser tells only that of the socket, and the
// request would end a second time, with another identifier, when that is closed. So who reads it is told, and answers.
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { ProblemError } from './problems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the rest of its body will never come. */
    broken: ProblemError | undefined;
  }
}

const readings = new WeakMap<Socket, FastifyRequest>();

/** Called at a request's beginning. */
export function watchBody(request: FastifyRequest): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') readings.set(request.raw.socket, request);
}

/** Whether a request was being read there, which is then answered with this problem as any other is refused. */
export function breakOff(socket: Socket, why: ProblemError): boolean {
  const request = readings.get(socket);
  if (!request || request.raw.complete || request.broken) return false;
  request.broken = why;
  // While it is still being admitted nobody reads yet, and `broken` is looked at afterwards.
  if (request.raw.listenerCount('error') > 0) request.raw.emit('error', why);
  return true;
}

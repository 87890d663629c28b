// The span of a request: from its arrival until its response has left or its connection has closed.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Exchange } from '../http/operation.ts';
import { type Attributes, type SpanEnd, tracer } from './trace.ts';

/** Does nothing without tracing. */
export function traceRequest(request: FastifyRequest, reply: FastifyReply, isTrusted: boolean): void {
  const { exchange, headers } = request;
  const active = tracer();
  if (!active) return;
  const span = active.receive({
    startedAtMs: exchange.startedAtMs,
    traceparent: headers.traceparent,
    isTrusted,
  });
  exchange.span = span;
  let isOver = false;
  const end = (): void => {
    // A static file has neither an operation nor a problem, and its span is not exported.
    if (isOver || (!exchange.operation && !exchange.problemCode)) return;
    isOver = true;
    const status = reply.raw.writableEnded ? reply.statusCode : undefined;
    span.end(requestSpanEnd(active.scope, request.method, exchange, status));
  };
  // An injected request has no connection that could close.
  reply.raw.once('finish', end);
  reply.raw.once('close', end);
}

/**
 * Uses only the method of the sent data, because an address may contain a secret. The record has the rest, under the
 * request id.
 */
function requestSpanEnd(
  scope: string,
  method: string,
  { id, operation, problemCode }: Exchange,
  status: number | undefined,
): SpanEnd {
  const failure =
    status === undefined ? 'connection_closed' : status >= 500 ? (problemCode ?? String(status)) : undefined;
  const attributes: Attributes = {
    'http.request.method': method,
    [`${scope}.request_id`]: id,
    ...(operation && { 'http.route': operation.path, [`${scope}.operation_id`]: operation.id }),
    ...(status !== undefined && { 'http.response.status_code': status }),
    ...(problemCode && { 'error.type': problemCode }),
  };
  return { name: operation ? `${method} ${operation.path}` : method, attributes, ...(failure && { failure }) };
}

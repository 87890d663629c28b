// One request and its response on one given socket: header and body go out once, after the permit, and never again.
// What a receiver can make us read is bounded in bytes here; the time is bounded by whoever fires `stop`.
import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import type { Target } from './addresses.ts';
import { errorCode, type Failure, failed } from './outbound-socket.ts';

export interface ExchangeRequest {
  /** POST, unless it says GET. */
  readonly method?: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly maxResponseBytes: number;
  readonly permit?: () => boolean;
}

export interface Response {
  readonly kind: 'response';
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  /** The receiver sent more than was kept. */
  readonly isBodyCut: boolean;
}

const MAX_KEPT_HEADER_BYTES = 8 * 1024;
const MAX_PARSED_HEADER_BYTES = 16 * 1024;
// What may come over the socket beside the body: headers, chunk framing, one read-ahead. Without it a receiver can
// send chunk extensions or 1xx responses for as long as the deadline lasts.
const MAX_OVERHEAD_BYTES = 256 * 1024;

const CONNECTION_CODES = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_INFO']);

const explain = (error: Error): Failure => {
  const code = errorCode(error);
  // With TLS 1.3 a receiver refuses our side (a missing client certificate) only after the handshake.
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) return failed('tls', `TLS failed (${code}).`);
  if (CONNECTION_CODES.has(code)) return failed('protocol', 'The connection closed before the response was complete.');
  return failed('protocol', `The exchange failed (${code}).`);
};

const keepHeaders = (headers: Record<string, string | string[] | undefined>): Record<string, string> => {
  let keptBytes = 0;
  const kept: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
    keptBytes += Buffer.byteLength(name) + Buffer.byteLength(text);
    if (keptBytes > MAX_KEPT_HEADER_BYTES) break;
    kept.push([name, text]);
  }
  return Object.fromEntries(kept);
};

/**
 * undici on one socket, once. Its client connects again by itself when a socket dies before the request was written;
 * the second call is refused, so that a hidden second send is impossible rather than unlikely.
 * `pipelining: 0` sends `connection: close`.
 */
const clientOn = (socket: Socket, target: Target): Client => {
  let isUsed = false;
  return new Client(target.url.origin, {
    pipelining: 0,
    headersTimeout: 0, // the deadline over everything is the caller's
    bodyTimeout: 0,
    maxHeaderSize: MAX_PARSED_HEADER_BYTES,
    connect: (_options, callback) => {
      const isFirst = !isUsed;
      isUsed = true;
      // Later, not now: undici drops a request whose connector calls back synchronously (its resume is re-entrant).
      // The error has no undici code, since with UND_ERR_SOCKET or UND_ERR_INFO it would connect again for ever.
      queueMicrotask(() => (isFirst ? callback(null, socket) : callback(new Error('The socket was lost.'), null)));
    },
  });
};

type Settle = (outcome: Response | Failure) => void;

const handlerFor = (socket: Socket, request: ExchangeRequest, stop: AbortSignal, settle: Settle) => {
  let status = 0;
  let headers: Record<string, string> = {};
  let keptBytes = 0;
  const chunks: Buffer[] = [];
  const finish = (isBodyCut: boolean) =>
    settle({ kind: 'response', status, headers, body: Buffer.concat(chunks), isBodyCut });

  const handler: Dispatcher.DispatchHandler = {
    // undici writes the header in the same synchronous turn in which this returns.
    onRequestStart(controller) {
      if (stop.aborted || request.permit?.() === false) {
        settle(failed('aborted', 'The request was not permitted any more; nothing was sent.'));
        controller.abort(new Error('not permitted'));
        return;
      }
      const bytesBefore = socket.bytesRead;
      socket.on('readable', () => {
        if (socket.bytesRead - bytesBefore <= request.maxResponseBytes + MAX_OVERHEAD_BYTES) return;
        settle(failed('protocol', 'The response has far more framing than content.'));
        controller.abort(new Error('too much framing'));
      });
    },
    onResponseStart(_controller, statusCode, responseHeaders) {
      if (statusCode < 200) return; // 1xx: the response proper follows
      status = statusCode;
      headers = keepHeaders(responseHeaders);
    },
    onResponseData(controller, chunk) {
      const room = request.maxResponseBytes - keptBytes;
      // A copy: the chunk is a view of a parser buffer that is many times its size.
      chunks.push(Buffer.from(chunk.subarray(0, room)));
      keptBytes += Math.min(room, chunk.length);
      if (chunk.length <= room) return;
      finish(true);
      controller.abort(new Error('enough'));
    },
    onResponseEnd() {
      finish(false);
      // Before undici does it with an error: Node then formats that error's stack, for nothing.
      socket.destroy();
    },
    onResponseError: (_controller, error) => settle(explain(error)),
  };
  return handler;
};

/**
 * Settles once. The caller fires `stop` after that in every case; the socket was opened under it and dies with it.
 * There is no client.destroy(): on a dead socket the client fails its request by itself, and each further error of
 * undici costs a stack trace (together a third of the time of an exchange, when measured).
 */
export const exchange = (socket: Socket, target: Target, request: ExchangeRequest, stop: AbortSignal) =>
  new Promise<Response | Failure>((resolve) => {
    clientOn(socket, target).dispatch(
      {
        method: request.method ?? 'POST',
        path: target.url.pathname + target.url.search,
        headers: { ...request.headers, 'accept-encoding': 'identity' },
        body: request.method === 'GET' ? null : request.body,
      },
      handlerFor(socket, request, stop, resolve),
    );
  });

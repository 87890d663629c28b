// One request and its response on a given connection: header and body are sent once, after the
// pre-send check, and never again.
// This module bounds the bytes that a receiver can make this process read. The caller bounds the time through `stop`.
import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { monotonicMs } from '../flow/clock.ts';
import type { Target } from './addresses.ts';
import { type Connection, MAX_IDLE_MS } from './idle-connections.ts';
import type { AbortSignalLike } from './light-abort.ts';
import { createFailure, errorCode, type OutboundFailure } from './outbound-socket.ts';

export interface ExchangeRequest {
  /** POST by default. */
  readonly method?: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly maxResponseBytes: number;
  readonly preSendCheck?: () => boolean;
}

export interface OutboundResponse {
  readonly kind: 'response';
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  /** True if the receiver sent more than was kept. */
  readonly isBodyTruncated: boolean;
}

const MAX_KEPT_HEADER_BYTES = 8 * 1024;
const MAX_PARSED_HEADER_BYTES = 16 * 1024;
// Bytes over the socket in addition to the body: headers, chunk framing, and one read-ahead. Without this limit a
// receiver could send chunk extensions or 1xx responses until the deadline.
const MAX_OVERHEAD_BYTES = 256 * 1024;

const CONNECTION_CODES = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_INFO']);

const explain = (error: Error): OutboundFailure => {
  const code = errorCode(error);
  // With TLS 1.3 a receiver refuses the client side (a missing client certificate) only after the handshake.
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) return createFailure('tls', `TLS failed (${code}).`);
  if (CONNECTION_CODES.has(code))
    return createFailure('protocol', 'The connection closed before the response was complete.');
  return createFailure('protocol', `The exchange failed (${code}).`);
};

function keepHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  let keptBytes = 0;
  const kept: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? '';
    const text = typeof value === 'string' ? value : value.join(', ');
    keptBytes += Buffer.byteLength(name) + Buffer.byteLength(text);
    if (keptBytes > MAX_KEPT_HEADER_BYTES) break;
    kept[name] = text;
  }
  return kept;
}

/**
 * Opens an undici client on one socket. The client reconnects by itself if the socket dies before the request was
 * written. The second connect call is refused, so a hidden second send is impossible. Before it writes on a used
 * socket, it waits for one turn of the event loop. Leftover data or a close of the receiver is therefore noticed first.
 * `pipelining: 0` sends `connection: close`.
 */
export function openConnection(socket: Socket, target: Target, isToBeKept: boolean): Connection {
  let isUsed = false;
  const client = new Client(target.origin, {
    pipelining: isToBeKept ? 1 : 0,
    keepAliveTimeout: MAX_IDLE_MS,
    headersTimeout: 0, // the caller has an overall deadline
    bodyTimeout: 0,
    maxHeaderSize: MAX_PARSED_HEADER_BYTES,
    connect: (_options, callback) => {
      const isFirst = !isUsed;
      isUsed = true;
      // Deferred, because undici drops a request whose connector calls back synchronously (its resume is re-entrant).
      // The error has no undici code: with UND_ERR_SOCKET or UND_ERR_INFO, undici would reconnect forever.
      queueMicrotask(() => (isFirst ? callback(null, socket) : callback(new Error('The connection was lost.'), null)));
    },
  });
  const connection: Connection = {
    socket,
    client,
    isKeepAlive: isToBeKept,
    openedAtMs: monotonicMs(),
    onRead: undefined,
  };
  // Added once, not for each request: Node examines a stream's state whenever such a listener is added or removed.
  socket.on('readable', () => connection.onRead?.());
  return connection;
}

interface ExchangeResult {
  readonly outcome: OutboundResponse | OutboundFailure;
  /** True if the pre-send check passed: from then on the receiver may have seen something. */
  readonly hasBegun: boolean;
  /** True if the response was read to its end and neither side closes the connection. */
  readonly isReusable: boolean;
}

type ExchangeCallback = (exchanged: ExchangeResult) => void;

const TOO_MUCH_FRAMING = createFailure('protocol', 'The response has far more framing than content.');
const NOT_PERMITTED = createFailure('aborted', 'The request was no longer permitted; no data was sent.');

/** One object for a request and its response. Functions with shared variables took a dozen objects. */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #connection: Connection;
  readonly #request: ExchangeRequest;
  readonly #stop: AbortSignalLike;
  readonly #settle: ExchangeCallback;
  #status = 0;
  #headers: Record<string, string> = {};
  #keptBytes = 0;
  #hasBegun = false;
  readonly #chunks: Buffer[] = [];

  constructor(connection: Connection, request: ExchangeRequest, stop: AbortSignalLike, settle: ExchangeCallback) {
    this.#connection = connection;
    this.#request = request;
    this.#stop = stop;
    this.#settle = settle;
  }

  #fail(outcome: OutboundFailure): void {
    this.#settle({ outcome, hasBegun: this.#hasBegun, isReusable: false });
  }

  #finish(isBodyTruncated: boolean, isReusable: boolean): void {
    const [first, ...more] = this.#chunks;
    const body = first && more.length === 0 ? first : Buffer.concat(this.#chunks);
    const outcome: OutboundResponse = {
      kind: 'response',
      status: this.#status,
      headers: this.#headers,
      body,
      isBodyTruncated,
    };
    this.#settle({ outcome, hasBegun: this.#hasBegun, isReusable });
  }

  // undici writes the header in the same synchronous turn in which this returns.
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#hasBegun = !this.#stop.aborted && this.#request.preSendCheck?.() !== false;
    if (!this.#hasBegun) {
      this.#fail(NOT_PERMITTED);
      controller.abort(new Error('not permitted'));
      return;
    }
    const { socket } = this.#connection;
    const mostBytes = socket.bytesRead + this.#request.maxResponseBytes + MAX_OVERHEAD_BYTES;
    this.#connection.onRead = () => {
      if (socket.bytesRead <= mostBytes) return;
      this.#fail(TOO_MUCH_FRAMING);
      controller.abort(new Error('too much framing'));
    };
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return; // 1xx: the final response follows
    this.#status = status;
    this.#headers = keepHeaders(headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#request.maxResponseBytes - this.#keptBytes;
    // A copy, because the chunk is a view of a parser buffer that is many times its size.
    this.#chunks.push(Buffer.from(chunk.subarray(0, room)));
    this.#keptBytes += Math.min(room, chunk.length);
    if (chunk.length <= room) return;
    this.#finish(true, false);
    controller.abort(new Error('enough'));
  }

  onResponseEnd(): void {
    const { socket, isKeepAlive } = this.#connection;
    this.#connection.onRead = undefined;
    const isReusable = isKeepAlive && !/\bclose\b/i.test(this.#headers.connection ?? '');
    this.#finish(false, isReusable);
    // Destroyed before undici does it with an error, because Node would format that error's stack for nothing.
    if (!isReusable) socket.destroy();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(explain(error));
  }
}

/**
 * Returns names and values in turn, a form that undici also accepts. Copying the object took longer than writing the
 * headers.
 */
function toHeaderList(headers: Record<string, string>): string[] {
  const list = ['accept-encoding', 'identity'];
  for (const name of Object.keys(headers)) list.push(name, headers[name] ?? '');
  return list;
}

/**
 * Settles once. The caller then fires `stop` in every case, and closes a connection that is not kept. There is no
 * client.destroy(): on a dead socket the client fails its request by itself. Each further error of undici costs a stack
 * trace (together a third of the time of an exchange, when measured).
 */
export const sendOnConnection = (
  connection: Connection,
  target: Target,
  request: ExchangeRequest,
  stop: AbortSignalLike,
) =>
  new Promise<ExchangeResult>((resolve) => {
    connection.client.dispatch(
      {
        method: request.method ?? 'POST',
        path: target.path,
        headers: toHeaderList(request.headers),
        body: request.method === 'GET' ? null : request.body,
      },
      new ExchangeHandler(connection, request, stop, resolve),
    );
  });

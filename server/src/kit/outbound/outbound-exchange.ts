// One request and its response on one given connection: header and body go out once, after the permit, and never again.
// What a receiver can make us read is bounded in bytes here; the time is bounded by whoever fires `stop`.
import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { monotonicMs } from '../flow/clock.ts';
import type { Target } from './addresses.ts';
import { type Connection, KEPT_IDLE_MS } from './outbound-kept.ts';
import { errorCode, type Failure, failed } from './outbound-socket.ts';
import type { StopSignal } from './stop-signal.ts';

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
 * undici on one socket. Its client connects again by itself when a socket dies before the request was written; the second
 * call is refused, so that a hidden second send is impossible rather than unlikely. Before it writes on a socket that was used
 * it lets the event loop turn once, so that what the receiver left there, or its close, is met first.
 * `pipelining: 0` sends `connection: close`.
 */
export function openConnection(socket: Socket, target: Target, isToBeKept: boolean): Connection {
  let isUsed = false;
  const client = new Client(target.origin, {
    pipelining: isToBeKept ? 1 : 0,
    keepAliveTimeout: KEPT_IDLE_MS,
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
  const connection: Connection = { socket, client, isToBeKept, openedAtMs: monotonicMs(), onRead: undefined };
  // Once, not for each request: Node looks through a stream's state whenever such a listener comes or goes.
  socket.on('readable', () => connection.onRead?.());
  return connection;
}

export interface Exchanged {
  readonly outcome: Response | Failure;
  /** The permit was given: from then on the receiver may have seen something. */
  readonly hasBegun: boolean;
  /** The response was read to its end and neither side wants the connection closed. */
  readonly isReusable: boolean;
}

type Settle = (exchanged: Exchanged) => void;

const TOO_MUCH_FRAMING = failed('protocol', 'The response has far more framing than content.');
const NOT_PERMITTED = failed('aborted', 'The request was not permitted any more; nothing was sent.');

/** One object for a request and its response: as functions that share their variables it was a dozen. */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #connection: Connection;
  readonly #request: ExchangeRequest;
  readonly #stop: StopSignal;
  readonly #settle: Settle;
  #status = 0;
  #headers: Record<string, string> = {};
  #keptBytes = 0;
  #hasBegun = false;
  readonly #chunks: Buffer[] = [];

  constructor(connection: Connection, request: ExchangeRequest, stop: StopSignal, settle: Settle) {
    this.#connection = connection;
    this.#request = request;
    this.#stop = stop;
    this.#settle = settle;
  }

  #fail(outcome: Failure): void {
    this.#settle({ outcome, hasBegun: this.#hasBegun, isReusable: false });
  }

  #finish(isBodyCut: boolean, isReusable: boolean): void {
    const [first, ...more] = this.#chunks;
    const body = first && more.length === 0 ? first : Buffer.concat(this.#chunks);
    const outcome: Response = { kind: 'response', status: this.#status, headers: this.#headers, body, isBodyCut };
    this.#settle({ outcome, hasBegun: this.#hasBegun, isReusable });
  }

  // undici writes the header in the same synchronous turn in which this returns.
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#hasBegun = !this.#stop.aborted && this.#request.permit?.() !== false;
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
    if (status < 200) return; // 1xx: the response proper follows
    this.#status = status;
    this.#headers = keepHeaders(headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#request.maxResponseBytes - this.#keptBytes;
    // A copy: the chunk is a view of a parser buffer that is many times its size.
    this.#chunks.push(Buffer.from(chunk.subarray(0, room)));
    this.#keptBytes += Math.min(room, chunk.length);
    if (chunk.length <= room) return;
    this.#finish(true, false);
    controller.abort(new Error('enough'));
  }

  onResponseEnd(): void {
    const { socket, isToBeKept } = this.#connection;
    this.#connection.onRead = undefined;
    const isReusable = isToBeKept && !/\bclose\b/i.test(this.#headers.connection ?? '');
    this.#finish(false, isReusable);
    // Before undici does it with an error: Node then formats that error's stack, for nothing.
    if (!isReusable) socket.destroy();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(explain(error));
  }
}

/** As undici takes them too, names and values in turn: another object of them took longer than to write them. */
function listed(headers: Record<string, string>): string[] {
  const list = ['accept-encoding', 'identity'];
  for (const name of Object.keys(headers)) list.push(name, headers[name] ?? '');
  return list;
}

/**
 * Settles once. The caller fires `stop` after that in every case, and closes what is not kept.
 * There is no client.destroy(): on a dead socket the client fails its request by itself, and each further error of
 * undici costs a stack trace (together a third of the time of an exchange, when measured).
 */
export const exchange = (connection: Connection, target: Target, request: ExchangeRequest, stop: StopSignal) =>
  new Promise<Exchanged>((resolve) => {
    connection.client.dispatch(
      {
        method: request.method ?? 'POST',
        path: target.path,
        headers: listed(request.headers),
        body: request.method === 'GET' ? null : request.body,
      },
      new ExchangeHandler(connection, request, stop, resolve),
    );
  });

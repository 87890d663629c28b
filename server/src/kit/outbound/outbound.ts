// The outbound HTTP client with SSRF protection. The client sends a request to a URL that an untrusted user chose, at
// most once, and to public addresses only. Time, bytes and connections per host are limited. Each request ends with a
// response or a failure, and neither throws.
//
// Owners never share a socket, because a hostile receiver could leave a forged response for the next request. A socket
// serves one request or, with an owner of connections, the next request of the same owner to the same origin
// (idle-connections.ts).
import { createSecureContext, rootCertificates } from 'node:tls';
import { microsecondsSince, monotonicMs } from '../flow/clock.ts';
import { memo } from '../flow/memo.ts';
import { checkUrl, compileRules, type OutboundRules, type Target, type UrlRefusal } from './addresses.ts';
import { createHostSlots, type SlotRequest } from './host-slots.ts';
import { type Connection, createIdleConnections } from './idle-connections.ts';
import { type AbortSignalLike, LightAbortController } from './light-abort.ts';
import { type ExchangeRequest, type OutboundResponse, openConnection, sendOnConnection } from './outbound-exchange.ts';
import {
  createFailure,
  createLookup,
  isFailure,
  type Lookup,
  listedLookup,
  type OutboundFailure,
  type OutboundFailureKind,
  openSocket,
} from './outbound-socket.ts';

export { type OutboundRules, refuseUrl } from './addresses.ts';
export type { SlotRequest } from './host-slots.ts';

export interface OutboundOptions extends OutboundRules {
  /** Maximum number of requests in flight to one host and port, over all owners. */
  readonly perHostConnections?: number;
  /** Replaced by tests. By default the name servers are queried, and the system for listed hosts. */
  readonly lookup?: Lookup;
  /** PEM certificates of additional authorities, for receivers in a private network. */
  readonly extraCa?: string;
}

export interface OutboundRequest extends ExchangeRequest {
  readonly url: string;
  /** Milliseconds for name lookup, TCP and TLS. */
  readonly connectTimeoutMs: number;
  /**
   * Milliseconds from the lookup to the last byte of the response. A wait for a slot before that has the same limit.
   */
  readonly totalTimeoutMs: number;
  readonly signal?: AbortSignalLike;
  /**
   * Owner of the connection: another request of the same owner may use it soon afterwards. Without an owner it serves
   * one request.
   */
  readonly connectionOwner?: string;
  /**
   * Decides which of the host's slots the request may take. Without it the request counts as fast for as long as it
   * lasts.
   */
  readonly pace?: SlotRequest;
  /** Called synchronously right before the header is written. If it returns false, nothing is written. */
  readonly preSendCheck?: () => boolean;
}

export type OutboundResult =
  | (OutboundResponse & { readonly durationUs: number })
  | {
      readonly kind: 'failure';
      readonly failure: OutboundFailureKind;
      readonly detail: string;
      readonly durationUs: number;
    };

export interface OutboundClient {
  post(request: OutboundRequest): Promise<OutboundResult>;
  get(request: Omit<OutboundRequest, 'body' | 'method'>): Promise<OutboundResult>;
  /** Aborts requests in flight and waits for their end. Later requests fail as aborted. */
  close(): Promise<void>;
}

// These headers decide where a message ends or which host it is for, so only the client sets them.
const OWN_HEADERS = new Set(
  'host connection content-length transfer-encoding accept-encoding expect upgrade keep-alive te trailer'.split(' '),
);

const checkRequest = (request: OutboundRequest, judge: (url: string) => Target | UrlRefusal): Target | UrlRefusal => {
  for (const name of Object.keys(request.headers)) {
    if (OWN_HEADERS.has(name.toLowerCase()))
      return { failure: 'protocol', detail: `The header ${name} cannot be set.` };
  }
  return judge(request.url);
};

/** The end of one attempt: the first reason wins, everything opened under `signal` is destroyed, timers are cleared. */
class AttemptAbort {
  readonly signal = new LightAbortController();
  failure: OutboundFailure | undefined;
  /** Called when nothing of the attempt is in flight any more. */
  onOver: (() => void) | undefined;
  readonly #timers: NodeJS.Timeout[] = [];
  #reportFailure: ((failure: OutboundFailure) => void) | undefined;

  fire(failure: OutboundFailure): void {
    this.failure ??= failure;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#reportFailure?.(this.failure);
    this.signal.stop();
  }

  after(timeoutMs: number, detail: string, kind: OutboundFailureKind = 'timeout'): NodeJS.Timeout {
    const timer = setTimeout(() => this.fire(createFailure(kind, detail)), timeoutMs);
    this.#timers.push(timer);
    return timer;
  }

  /** Resolves with the result of the work or the reason to stop it, whichever comes first. */
  first<T>(work: Promise<T>): Promise<T | OutboundFailure> {
    return new Promise((resolve, reject) => {
      this.#reportFailure = resolve;
      if (this.failure) resolve(this.failure);
      work.then(resolve, reject);
    });
  }
}

const keyOf = (target: Target, { connectionOwner }: OutboundRequest): string => `${connectionOwner} ${target.origin}`;

/** Number of URLs whose target is remembered. */
const MAX_REMEMBERED_URLS = 1_000;

export const createOutboundClient = (options: OutboundOptions): OutboundClient => {
  const rules = compileRules(options);
  const judge = memo((url) => checkUrl(url, rules), MAX_REMEMBERED_URLS);
  const slots = createHostSlots(options.perHostConnections ?? 32);
  const ca = options.extraCa === undefined ? {} : { ca: [...rootCertificates, options.extraCa] };
  // Created once, because creating it per connection parses every root certificate each time.
  const secureContext = createSecureContext({ minVersion: 'TLSv1.2', ...ca });
  const askNameServers = createLookup();
  const kept = createIdleConnections();
  const live = new Set<AttemptAbort>();
  let isClosed = false;

  async function connect(
    target: Target,
    request: OutboundRequest,
    stop: AttemptAbort,
  ): Promise<Connection | OutboundFailure> {
    const lookup = options.lookup ?? (target.isListed ? listedLookup : askNameServers);
    const late = stop.after(request.connectTimeoutMs, `No connection within ${request.connectTimeoutMs} ms.`);
    const socket = await openSocket(target, { rules, lookup, secureContext }, stop.signal);
    clearTimeout(late);
    if (isFailure(socket)) return socket;
    const connection = openConnection(socket, target, request.connectionOwner !== undefined);
    socket.once('close', () => kept.forget(connection));
    return connection;
  }

  /** Runs the exchange. The end of the attempt closes the connection unless it was kept. */
  async function exchangeOn(connection: Connection, target: Target, request: OutboundRequest, stop: AttemptAbort) {
    let isKept = false;
    const end = () => void (isKept || connection.socket.destroy());
    stop.signal.addEventListener('abort', end, { once: true });
    if (stop.signal.aborted) end();
    const exchanged = await sendOnConnection(connection, target, request, stop.signal);
    const isGood = exchanged.isReusable && !stop.signal.aborted;
    isKept = isGood && kept.keep(keyOf(target, request), connection);
    return exchanged;
  }

  async function attempt(
    target: Target,
    request: OutboundRequest,
    stop: AttemptAbort,
  ): Promise<OutboundResponse | OutboundFailure> {
    stop.after(request.totalTimeoutMs, `No complete response within ${request.totalTimeoutMs} ms.`);
    const key = keyOf(target, request);
    const ready = request.connectionOwner === undefined ? undefined : await kept.take(key);
    if (ready !== undefined) {
      const { outcome, hasBegun } = await exchangeOn(ready, target, request, stop);
      const isLost = isFailure(outcome) && outcome.failure === 'protocol' && ready.socket.destroyed;
      if (isLost && hasBegun) kept.distrust(key);
      // The connection was closed before anything was written, so a new one is opened.
      if (!isLost || hasBegun || stop.signal.aborted) return outcome;
    }
    const fresh = await connect(target, request, stop);
    return isFailure(fresh) ? fresh : (await exchangeOn(fresh, target, request, stop)).outcome;
  }

  async function waitForSlot({ host }: Target, { totalTimeoutMs, pace }: OutboundRequest, stop: AttemptAbort) {
    // Neither the host nor the caller is at fault: other requests hold its slots.
    const late = stop.after(totalTimeoutMs, 'Too many requests to this host were in flight.', 'aborted');
    const release = await slots.wait(host, stop.signal, pace);
    clearTimeout(late);
    return release;
  }

  async function run(target: Target, request: OutboundRequest, stop: AttemptAbort): Promise<OutboundResult> {
    const release = slots.take(target.host, request.pace) ?? (await waitForSlot(target, request, stop));
    const startedMs = monotonicMs();
    try {
      const outcome = stop.failure ?? (await stop.first(attempt(target, request, stop)));
      return result(outcome, startedMs);
    } finally {
      // Whichever came first, nothing stays open after it.
      stop.fire(OVER);
      release?.();
    }
  }

  async function post(request: OutboundRequest): Promise<OutboundResult> {
    const target = checkRequest(request, judge);
    if (isFailure(target)) return result(target, monotonicMs());
    if (isClosed || request.signal?.aborted)
      return result(createFailure('aborted', 'The request was aborted before it began.'), monotonicMs());
    const stop = new AttemptAbort();
    const onAbort = () => stop.fire(createFailure('aborted', 'The sender aborted the request.'));
    request.signal?.addEventListener('abort', onAbort, { once: true });
    live.add(stop);
    try {
      return await run(target, request, stop);
    } finally {
      live.delete(stop);
      stop.onOver?.();
      request.signal?.removeEventListener('abort', onAbort);
    }
  }

  const close = async (): Promise<void> => {
    isClosed = true;
    const over = [...live].map((stop) => new Promise<void>((resolve) => (stop.onOver = resolve)));
    for (const stop of live) stop.fire(createFailure('aborted', 'The sender is shutting down.'));
    await Promise.all(over);
    kept.close();
  };

  const get: OutboundClient['get'] = (request) => post({ ...request, method: 'GET', body: NO_BODY });

  return { post, get, close };
};

const NO_BODY = Buffer.alloc(0);

const OVER = createFailure('aborted', 'Over.');

function result(outcome: OutboundResponse | OutboundFailure, startedMs: number): OutboundResult {
  const durationUs = microsecondsSince(startedMs);
  if (isFailure(outcome)) return { kind: 'failure', failure: outcome.failure, detail: outcome.detail, durationUs };
  // Copied one by one, because spreading into a new object takes Node longer.
  const { kind, status, headers, body, isBodyTruncated } = outcome;
  return { kind, status, headers, body, isBodyTruncated, durationUs };
}

// The life of a request from top to bottom: its id, authentication, validation, the operation, the response or the
// problem, and the record. The response waits until the record is stored or given up.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../db/db.ts';
import { microsecondsSince, monotonicMs } from '../flow/clock.ts';
import {
  type ProblemBody,
  type ProblemError,
  type ProblemExtra,
  type Problems,
  problem,
  problemBody,
} from '../openapi/problems.ts';
import { traceWork } from '../telemetry/trace.ts';
import { traceRequest } from '../telemetry/trace-request.ts';
import { CLIENT_CLOSED_REQUEST, hasClientDisconnected, watchBody } from './aborted-body.ts';
import { applyDeprecations, countReturned, type DeprecationOptions } from './deprecation.ts';
import { matchesEtag, weakEtagOf } from './etag.ts';
import { openExchange } from './exchange.ts';
import { acceptsJson, toProblem } from './http.ts';
import { checkRequestForm, inputReader } from './inputs.ts';
import { withBodyTypes } from './json-body.ts';
import type { AnyOperation, Exchange, Reply, RequestSpec } from './operation.ts';
import { collectPathWords, maskPath, pathFinder, routePath } from './paths.ts';
import { beginRequest, endRequest, refuseConnection } from './pipelining-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange;
    admitted: unknown;
  }
  interface FastifyContextConfig {
    operation?: RequestSpec;
  }
}

export interface AnsweredRequest {
  request: FastifyRequest;
  exchange: Exchange;
  /** Null if the connection was reset instead; `CLIENT_CLOSED_REQUEST` if the client had disconnected. */
  status: number | null;
  responseBytes: number;
  durationUs: number;
  problem: ProblemBody | undefined;
  /** The fixed words in the paths of the API. */
  pathWords: ReadonlySet<string>;
}

/** The response of a request, as it is sent. */
export interface SentResponse {
  /** Copies the headers; only valid during the call. */
  readHeaders(): Readonly<Record<string, unknown>>;
  /** A text or bytes, a stream, or nothing. */
  payload: unknown;
}

/** `answered` in the operation's place, `delayed` before it, or `untouched`. */
export type Interception = 'answered' | 'delayed' | 'untouched';

export type Interceptor = (
  request: FastifyRequest,
  reply: FastifyReply,
  operation: { id: string; access: { scope?: string } },
) => Promise<Interception>;

export interface MountOptions<Services> {
  services: Services;
  problems: Problems;
  /** Headers of every response. */
  headers: Readonly<Record<string, string>>;
  /**
   * Stores the record. The response waits for the promise. If it resolves to false, the problem `unavailable` is sent in
   * place of the response. Never rejects.
   */
  record?(answered: AnsweredRequest): Promise<boolean>;
  /** Receives each response when its record is stored or given up. Must return immediately and not throw. */
  capture?(answered: AnsweredRequest, response: SentResponse): void;
  /** Counts the request when it is answered and its record is stored or given up. */
  count?(exchange: Exchange, status: number): void;
  /**
   * Returns the refusal of every request to this address, independent of the caller. Returns undefined if requests may
   * continue.
   */
  refuse?(url: string): ProblemError | undefined;
  /** Runs before the operation and may delay or answer the call. */
  intercept?: Interceptor;
  /**
   * Identifies the caller of a request that is refused independent of its caller, so that the caller's record shows the
   * mistake. If it rejects, its error answers the request in place of that refusal.
   */
  identify?(request: FastifyRequest): Promise<void>;
  deprecations?: DeprecationOptions<Exchange>;
  /** True if the caller may decide that a trace is kept, as on a listener for trusted callers only. */
  trustsTraces?: boolean;
  /** Receives the error behind a problem that does not show it. */
  onInternalError(error: unknown, exchange: Exchange): void;
}

export function mount<Services>(
  app: FastifyInstance,
  operations: readonly AnyOperation<Services>[],
  options: MountOptions<Services>,
): void {
  app.decorateRequest('exchange');
  app.decorateRequest('admitted');

  const words = collectPathWords(operations.map(({ path }) => path));
  const refuseAddress = createPathRefusals(operations);
  app.addHook('onRequest', (request, reply, done) => {
    const begun = beginRequest(request.raw.socket);
    if (begun === 'dropped') return void reply.hijack();
    request.exchange = openExchange();
    traceRequest(request, reply, options.trustsTraces === true);
    watchBody(request, reply);
    reply.header('request-id', request.exchange.id).headers(options.headers);
    const astray = request.is404 ? refuseAddress(request.url) : undefined;
    const closed = options.refuse?.(request.url);
    const refused =
      begun === 'refused' ? refuseConnection(reply) : (closed ?? checkRequestForm(request) ?? astray?.refusal);
    if (!refused) return done();
    // Set before the body is read: the record names the operation, whatever follows the request line.
    const { operation } = request.routeOptions.config;
    request.exchange.operation = operation;
    request.exchange.route = operation?.path ?? astray?.path ?? maskPath(request.url, words);
    // Public operations skip authentication, even if the request carries credentials.
    const isPublicOperation = operation?.access.security === 'none';
    const identified = (isPublicOperation ? undefined : options.identify?.(request)) ?? Promise.resolve();
    identified.then(() => done(refused), done);
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const { exchange } = request;
    if (exchange?.headers) reply.headers(exchange.headers);
    const isGone = hasClientDisconnected(request);
    const status = isGone ? CLIENT_CLOSED_REQUEST : reply.statusCode;
    const send = (sent = payload): void => {
      endRequest(request.raw.socket);
      if (exchange) options.count?.(exchange, isGone ? status : reply.statusCode);
      done(null, sent);
    };
    if (!options.record || !exchange) return send();
    const answered = {
      request,
      exchange,
      status,
      // The response to HEAD has no body.
      responseBytes: isGone || request.method === 'HEAD' ? 0 : bytesOf(payload),
      durationUs: microsecondsSince(exchange.startedAtMs),
      problem: isGone ? undefined : exchange.problemBody,
      pathWords: words,
    };
    const recording = traceWork(exchange.span, 'record', options.record(answered));
    void recording.then((maySend) => {
      const sent = maySend || isGone ? payload : withhold(exchange, reply, payload);
      const hasBody = !isGone && request.method !== 'HEAD';
      options.capture?.(answered, { readHeaders: () => reply.getHeaders(), payload: hasBody ? sent : undefined });
      send(sent);
    });
  });

  const toProblemReply = (reply: FastifyReply, body: ProblemBody, extra: ProblemExtra): FastifyReply =>
    reply
      .code(body.status)
      .headers({ 'request-id': body.requestId, ...options.headers, 'cache-control': 'no-store', ...extra.headers })
      .type('application/problem+json');

  /** Replaces a response that must not leave without its record. The mutation of the request may have been committed. */
  function withhold(exchange: Exchange, reply: FastifyReply, payload: unknown): string {
    if (payload instanceof Readable) payload.destroy();
    for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
    const { code, extra } = toProblem(new DatabaseUnavailable('The record of the request was not stored.'));
    exchange.problemCode = code;
    const body = problemBody(code, exchange.id, options.problems, extra);
    toProblemReply(reply, body, extra).headers(exchange.headers ?? {});
    return JSON.stringify(body);
  }

  function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    request.exchange ??= openExchange();
    const { exchange } = request;
    const { code, extra } = withBodyTypes(toProblem(error), request);
    const isServerFault = code === 'internal_error' || code === 'unavailable' || code === 'timeout';
    if (isServerFault && !extra.isReported) options.onInternalError(error, exchange);
    exchange.problemCode = code;
    const body = problemBody(code, exchange.id, options.problems, extra);
    exchange.problemBody = body;
    return toProblemReply(reply, body, extra)
      .headers(request.bodyFailure ? { connection: 'close' } : {})
      .send(JSON.stringify(body));
  }

  app.setErrorHandler(refuse);
  // Called by a route that also covers other paths, such as that of the pages. All other unknown paths are refused on
  // arrival.
  app.setNotFoundHandler((request, reply) => {
    const { path, refusal } = refuseAddress(request.url);
    if (path !== undefined) request.exchange.route = path;
    return refuse(refusal, request, reply);
  });

  for (const operation of operations) addOperation(app, operation, options);
}

function addOperation<Services>(
  app: FastifyInstance,
  operation: AnyOperation<Services>,
  options: MountOptions<Services>,
): void {
  const { services, intercept } = options;
  const readInputs = inputReader(operation);
  // Errors are always JSON. An operation with another content type is not refused for its Accept header.
  const isJson = Object.values(operation.replies).every((one) => one.contentType === undefined);
  app.route({
    method: operation.method,
    url: routePath(operation.path),
    config: { operation },
    // Before the body is read, so that nothing is parsed for a caller that is not admitted.
    async onRequest(request) {
      request.exchange.operation = operation;
      request.exchange.route = operation.path;
      request.admitted = await operation.access.admit(request, services);
      if (request.bodyFailure) throw request.bodyFailure;
      if (operation.access.verifyBody) {
        request.verifyBody = (bytes) => operation.access.verifyBody?.(bytes, request, services);
      }
    },
    // Does not return the promise: the framework would then listen for the end of every response.
    handler(request, reply) {
      respond(request, reply).catch((error: unknown) => reply.send(error));
    },
  });

  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    request.verifyBody?.(NO_BODY); // no body was parsed, so nothing was verified
    const interception = intercept ? await intercept(request, reply, operation) : 'untouched';
    if (interception === 'answered') return;
    // Access that ended during the delay must not be used.
    if (interception === 'delayed') request.admitted = await operation.access.admit(request, services);
    if (isJson && !acceptsJson(request.headers.accept)) throw problem('not_acceptable');
    const inputs = readInputs(request);
    if (operation.deprecations && options.deprecations) {
      applyDeprecations(request.exchange, reply, operation.deprecations, inputs, options.deprecations);
    }
    const { exchange, admitted } = request;
    const startedAtMs = monotonicMs();
    const admittedRequest = { incoming: request, inputs, operation };
    let outcome: Reply;
    try {
      outcome = await operation.access.enter(admitted, admittedRequest, services, (context) =>
        operation.run(context, inputs),
      );
    } finally {
      exchange.operationUs = microsecondsSince(startedAtMs);
    }
    exchange.grantorId ??= outcome.grantorId;
    if (operation.deprecations && options.deprecations) {
      countReturned(exchange, operation.deprecations, inputs, outcome, options.deprecations);
    }
    sendReply(request, reply, outcome, operation.replies[outcome.status]?.contentType);
  }
}

const NO_BODY = Buffer.alloc(0);

function sendReply(request: FastifyRequest, reply: FastifyReply, outcome: Reply, contentType?: string): void {
  if (outcome.headers) reply.headers(outcome.headers);
  if (outcome.stream) {
    if (contentType) reply.type(contentType);
    const stream = Readable.from(outcome.stream);
    // The framework would read the whole stream and send nothing.
    if (request.method === 'HEAD') stream.destroy();
    return void reply.code(outcome.status).send(request.method === 'HEAD' ? '' : stream);
  }
  const payload = outcome.json ?? (contentType ? outcome.body : JSON.stringify(outcome.body));
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && outcome.status === 200) {
    const ownEtag = outcome.headers?.etag;
    const etag =
      typeof ownEtag === 'string' ? ownEtag : weakEtagOf(Buffer.isBuffer(payload) ? payload : String(payload));
    reply.header('etag', etag);
    if (matchesEtag(request.headers['if-none-match'], etag)) return void reply.removeHeader('link').code(304).send();
  }
  reply.code(outcome.status);
  if (payload === undefined) return void reply.send();
  if (outcome.headers?.['content-type'] === undefined) reply.type(contentType ?? 'application/json; charset=utf-8');
  // The framework would add a parameter `charset` to the type of a text, which the declared type does not have.
  void reply.send(contentType !== undefined && typeof payload === 'string' ? Buffer.from(payload) : payload);
}

const bytesOf = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0;

/**
 * Refuses methods that an existing path does not have with 405 and the methods that it has. Such methods have no
 * routes. For each of nine methods, the router would build a tree of all paths, which takes longer than the routes of
 * all operations.
 */
function createPathRefusals<Services>(
  operations: readonly AnyOperation<Services>[],
): (url: string) => { path?: string; refusal: ProblemError } {
  const pathOf = pathFinder(operations.map(({ path }) => path));
  return (url) => {
    const path = pathOf(url);
    if (path === undefined) return { refusal: problem('not_found') };
    const allowed = operations.filter((operation) => operation.path === path).map(({ method }) => method);
    const allow: string[] = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])];
    return { path, refusal: problem('method_not_allowed', { headers: { allow: allow.join(', ') } }) };
  };
}

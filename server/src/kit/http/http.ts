// Creates the HTTP server of every listener: its limits, and the problems for requests that never reach an operation.
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { newUuidBytes } from '../crypto/ids.ts';
import { DatabaseTimeout, DatabaseUnavailable } from '../db/db.ts';
import { type ProblemCode, ProblemError, type Problems, problem, problemBody } from '../openapi/problems.ts';
import { abortBody, isReceivingBody } from './aborted-body.ts';
import { watchConnections } from './connection-shutdown.ts';
import { stateOf } from './connection-state.ts';
import { requestIdOf } from './exchange.ts';
import { normaliseAddresses } from './forwarded-for.ts';
import { parseJsonBodies } from './json-body.ts';
import type { TSchema } from './schema.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** True if the path could not be decoded. The URL then has a `*` for each `%`. */
    isUndecodable?: true;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Verifies the bytes of the body before they are parsed. Undefined once they are verified. */
    verifyBody: ((bytes: Buffer) => void) | undefined;
    /** Length of the body, once it was read. */
    bodyBytes: number | undefined;
    /** The text of the body, once it was read as UTF-8. */
    bodyText: string | undefined;
  }
}

interface ServerOptions {
  problems: Problems;
  headers: Readonly<Record<string, string>>;
  /** Addresses (CIDR) of proxies whose X-Forwarded-For is trusted; none by default. */
  trustedProxies: readonly string[];
  /** Receives the peer of each request that carries X-Forwarded-For while no proxy is trusted. */
  onUndeclaredProxy?: ((peer: string) => void) | undefined;
  /** Called before the response to input that never became a request. Never rejects. */
  onUnreadableInput?(unread: UnreadableInput): Promise<unknown>;
}

/** Input that could not be read, because it was not HTTP or was too large. */
export interface UnreadableInput {
  /** The uuid of its request id, as 16 bytes. */
  uuid: Buffer;
  code: ProblemCode;
  status: number;
  ip: string | undefined;
}

const BODY_LIMIT_BYTES = 256 * 1024;
/** Bytes of the request line and all headers. */
const MAX_HEADER_BYTES = 16 * 1024;
const REQUEST_TIMEOUT_MS = 15_000;
/** Milliseconds that a connection may be idle. */
export const CONNECTION_TIMEOUT_MS = 90_000;

/** The limits of every listener, in the form that Node's HTTP server takes. */
export const LISTENER_LIMITS = {
  requestTimeout: REQUEST_TIMEOUT_MS,
  // Node applies the longer of requestTimeout and headersTimeout to the whole request, and headersTimeout is 60 s by
  // default.
  headersTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: MAX_HEADER_BYTES,
} as const;

export function createServer(options: ServerOptions): FastifyInstance {
  const app = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    // Fastify has no limit by default. Its handlerTimeout is not used, because an AbortController per request took a
    // fifth of the hot path. Everything that a handler waits for (queries, other services) has its own limit.
    requestTimeout: LISTENER_LIMITS.requestTimeout,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    keepAliveTimeout: LISTENER_LIMITS.keepAliveTimeout,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    forceCloseConnections: 'idle',
    // Clients that are connected when a shutdown begins are served as before. Fastify's own 503 would not be a problem
    // of the table and would not be recorded.
    return503OnClosing: false,
    // No limit by the router: an id that is too long is not found after authentication, like any other unknown id.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    genReqId: () => '',
    exposeHeadRoutes: true,
    http: {
      maxHeaderSize: LISTENER_LIMITS.maxHeaderSize,
      requireHostHeader: false, // mount refuses a missing Host with a problem
      headersTimeout: LISTENER_LIMITS.headersTimeout,
      connectionsCheckingInterval: LISTENER_LIMITS.connectionsCheckingInterval,
    },

    clientErrorHandler(error, socket) {
      answerUnreadableInput(error, socket, options);
    },
    // The path cannot be decoded. The request continues with a path that can, so that it is refused and recorded like
    // any other.
    frameworkErrors(_error, { raw }, reply) {
      raw.isUndecodable = true;
      raw.url = raw.url?.replaceAll('%', '*') ?? '';
      app.routing(raw, reply.raw);
    },
  });
  const onUndeclaredProxy = options.trustedProxies.length === 0 ? options.onUndeclaredProxy : undefined;
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    normaliseAddresses(raw);
    if (onUndeclaredProxy && raw.headers['x-forwarded-for']) onUndeclaredProxy(raw.socket.remoteAddress ?? 'unknown');
    done();
  });
  const connections = watchConnections(app.server, REQUEST_TIMEOUT_MS);
  // A shutdown closes idle connections. Without this, a connection with a response after that would stay open for
  // another request.
  app.addHook('preClose', async () => {
    app.server.keepAliveTimeout = 1;
    connections.end();
  });
  // An unknown expectation is ignored (RFC 9110, section 10.1.1). Node would respond without a problem.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // CONNECT is refused, because this server is no proxy. Without this handler, Node closes the connection without a
  // response.
  app.server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    answerUnreadableInput(new Error('CONNECT'), socket, options);
  });
  app.decorateRequest('verifyBody', undefined);
  app.decorateRequest('bodyBytes', undefined);
  app.decorateRequest('bodyText', undefined);
  app.decorateRequest('bodyFailure', undefined);
  app.removeContentTypeParser('text/plain');
  app.removeContentTypeParser('application/json');
  parseJsonBodies(app);
  return app;
}

async function reportUnreadableInput({ onUnreadableInput }: ServerOptions, unread: UnreadableInput): Promise<void> {
  await onUnreadableInput?.(unread);
}

const CODE_BY_FRAMEWORK_ERROR: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_request',
};

const AGAIN_IN_A_SECOND = { headers: { 'retry-after': '1' } };

/** Converts any thrown value to the problem of the response. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof DatabaseTimeout) return problem('timeout', AGAIN_IN_A_SECOND);
  if (error instanceof DatabaseUnavailable) return problem('unavailable', AGAIN_IN_A_SECOND);
  return frameworkProblem(error) ?? problem('internal_error');
}

export const UNREADABLE = 'The request could not be read: check its address, its headers and its Content-Length.';

/** Converts an error of the HTTP framework to a problem. Returns undefined for any other error. */
export function frameworkProblem(error: unknown): ProblemError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  const known = CODE_BY_FRAMEWORK_ERROR[code];
  if (known === 'invalid_request') {
    const isJson = code === 'FST_ERR_CTP_INVALID_JSON_BODY';
    return problem(known, { detail: isJson ? 'The body is not valid JSON.' : UNREADABLE });
  }
  if (known) return problem(known);
  const status = 'statusCode' in error ? error.statusCode : undefined;
  // The file server forbids a path that leads out of its folder. For the client, such a path does not exist.
  if (status === 403 || status === 404) return problem('not_found');
  return status === 400 || error instanceof SyntaxError
    ? problem('invalid_request', { detail: 'The body is not valid JSON.' })
    : undefined;
}

// Node's HTTP parser refused the input, so there is no request and no route. The response is written to the socket.
function answerUnreadableInput(error: Error & { code?: string }, socket: Socket, options: ServerOptions): void {
  const state = stateOf(socket);
  // The last response of the connection is under way, and this server stopped parsing the rest.
  if (state.isRefused) return;
  // A client that closes its side during a body sends no more and waits for no response.
  const isEnd = error.code === 'HPE_INVALID_EOF_STATE' && isReceivingBody(socket);
  if (isEnd || error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    abortBody(socket, problem('invalid_request', { detail: UNREADABLE }));
    return;
  }
  if (state.isUnreadable) return;
  state.isUnreadable = true;
  const code: ProblemCode =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headers_too_large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request_timeout'
        : 'invalid_request';
  const extra = code === 'invalid_request' ? { detail: UNREADABLE } : {};
  if (abortBody(socket, problem(code, extra))) return;
  const uuid = newUuidBytes();
  const requestId = requestIdOf(uuid);
  const body = JSON.stringify(problemBody(code, requestId, options.problems, extra));
  const headers = Object.entries({
    ...options.headers,
    'request-id': requestId,
    'cache-control': 'no-store',
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const { status, title } = options.problems.kinds[code];
  const answer = `HTTP/1.1 ${status} ${title}\r\n${head}\r\n${body}`;
  const unread = { uuid, code, status, ip: socket.remoteAddress };
  void reportUnreadableInput(options, unread).then(() => socket.end(answer));
}

const ACCEPTED = new Set(['*/*', 'application/*', 'application/json']);

/** Returns whether an Accept header allows JSON (RFC 9110, section 12.5.1). */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*') return true;
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return ACCEPTED.has(type) && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/**
 * Integers with at most as many digits as the largest safe integer. A longer number would be parsed as a different one.
 */
const INTEGER = /^-?\d{1,16}$/;
const isInteger = (text: string): boolean => INTEGER.test(text) && Number.isSafeInteger(Number(text));

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;
const isNumber = (text: string): boolean => NUMBER.test(text);

/** Converts the texts of a query or a path to the numbers and booleans of the schema. Any other value stays text. */
export function coerceQuery(schema: TSchema | undefined, query: Record<string, unknown>): Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, { type?: string }> } | undefined)?.properties ?? {};
  // fromEntries defines every name, even `__proto__`. An assignment would set the object's prototype.
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
      if (type === 'integer' && typeof value === 'string' && isInteger(value)) return [name, Number(value)];
      if (type === 'number' && typeof value === 'string' && isNumber(value)) return [name, Number(value)];
      if (type === 'boolean' && (value === 'true' || value === 'false')) return [name, value === 'true'];
      return [name, value];
    }),
  );
}

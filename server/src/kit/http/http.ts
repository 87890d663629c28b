// The HTTP server under every listener: its limits, and the problems of requests that never reach an operation.
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { encodeBase32 } from '../crypto/base32.ts';
import { newUuidBytes } from '../crypto/ids.ts';
import { DatabaseTimeout, DatabaseUnavailable } from '../db/db.ts';
import { type ProblemCode, ProblemError, type Problems, problem, problemBody } from '../openapi/problems.ts';
import { breakOff, isAmidBody } from './broken-body.ts';
import { normaliseAddresses } from './forwarded-for.ts';
import { parseJsonBodies } from './json-body.ts';
import { watchConnections } from './last-connections.ts';
import type { TSchema } from './schema.ts';
import { isRefused } from './under-way.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Until the body has been proved: the proof that it needs before it is parsed. */
    proveBody: ((bytes: Buffer) => void) | undefined;
    /** How long the body was, once it was read. */
    bodyBytes: number | undefined;
  }
}

export interface ServerOptions {
  problems: Problems;
  headers: Readonly<Record<string, string>>;
  /** Addresses (CIDR) of proxies whose X-Forwarded-For is believed; none by default. */
  trustedProxies: readonly string[];
  /** Receives the peer of each request that carries X-Forwarded-For while no proxy is trusted. */
  onUndeclaredProxy?: ((peer: string) => void) | undefined;
  /** Told of what is answered although it never became a request, before the answer leaves. Never rejects. */
  onUnread?(unread: Unread): Promise<void>;
}

/** What could not be read: it was no HTTP, or too much of it. */
export interface Unread {
  /** The uuid of its identifier, as 16 bytes. */
  uuid: Buffer;
  code: ProblemCode;
  status: number;
  ip: string | undefined;
}

const undecodable = new WeakSet<object>();

/** Whether the path of a request was none: what is left of it in its address has a `*` for each `%`. */
export const isUndecodable = (raw: object): boolean => undecodable.has(raw);

const BODY_LIMIT_BYTES = 256 * 1024;
/** The address and all headers. */
const MAX_HEADER_BYTES = 16 * 1024;
const REQUEST_TIMEOUT_MS = 15_000;
/** How long nothing may move on a connection. */
export const CONNECTION_TIMEOUT_MS = 90_000;

/** The limits of every listener, as Node's HTTP server takes them. */
export const LISTENER_LIMITS = {
  requestTimeout: REQUEST_TIMEOUT_MS,
  // Node takes the longer of the two for the whole request: left at its default of 60 s, this would be the bound of both.
  headersTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: MAX_HEADER_BYTES,
} as const;

export function createServer(options: ServerOptions): FastifyInstance {
  const app = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    // Fastify leaves these at "never". Not its handlerTimeout: an AbortController that is aborted at every request's end
    // took a fifth of the hot path, and all that a handler waits for (queries, the plane's link) has a bound of its own.
    requestTimeout: LISTENER_LIMITS.requestTimeout,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    keepAliveTimeout: LISTENER_LIMITS.keepAliveTimeout,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    forceCloseConnections: 'idle',
    // Whoever is connected when a stop begins is answered as ever; Fastify's own 503 would be no problem of the table, and
    // without a record.
    return503OnClosing: false,
    // Of no pattern of ours: an identifier that is too long is looked for by whoever has a key, and is not there.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    genReqId: () => '',
    exposeHeadRoutes: true,
    http: {
      maxHeaderSize: LISTENER_LIMITS.maxHeaderSize,
      requireHostHeader: false, // mount asks for the Host, with a problem
      headersTimeout: LISTENER_LIMITS.headersTimeout,
      connectionsCheckingInterval: LISTENER_LIMITS.connectionsCheckingInterval,
    },

    clientErrorHandler(error, socket) {
      answerBrokenRequest(error, socket, options);
    },
    // Of a path that cannot be decoded: it goes on as one that can, so that it is refused, and recorded, as any other request.
    frameworkErrors(_error, { raw }, reply) {
      undecodable.add(raw);
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
  // Idle connections are closed by a stop; one that is answered after its beginning would be kept open for the next request.
  app.addHook('preClose', async () => {
    app.server.keepAliveTimeout = 1;
    connections.end();
  });
  // An expectation that we do not know is left unmet (RFC 9110, section 10.1.1); Node would answer without a problem.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // We are nobody's proxy. Without an answer of ours Node closes the connection.
  app.server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    answerBrokenRequest(new Error('CONNECT'), socket, options);
  });
  app.decorateRequest('proveBody', undefined);
  app.decorateRequest('bodyBytes', undefined);
  app.decorateRequest('broken', undefined);
  app.removeContentTypeParser('text/plain');
  app.removeContentTypeParser('application/json');
  parseJsonBodies(app);
  return app;
}

function newRequestId(): { requestId: string; uuid: Buffer } {
  const uuid = newUuidBytes();
  return { requestId: `req_${encodeBase32(uuid)}`, uuid };
}

async function told({ onUnread }: ServerOptions, unread: Unread): Promise<void> {
  await onUnread?.(unread);
}

const CODE_BY_FRAMEWORK_ERROR: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_request',
};

const AGAIN_IN_A_SECOND = { headers: { 'retry-after': '1' } };

/** What is answered for whatever was thrown. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof DatabaseTimeout) return problem('timeout', AGAIN_IN_A_SECOND);
  if (error instanceof DatabaseUnavailable) return problem('unavailable', AGAIN_IN_A_SECOND);
  return frameworkProblem(error) ?? problem('internal_error');
}

export const UNREADABLE = 'The request could not be read: check its address, its headers and its Content-Length.';

/** The problem behind an error of the HTTP framework, or undefined when the error is ours. */
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
  // A path that leads out of the folder of files is forbidden there, and for us does not exist.
  if (status === 403 || status === 404) return problem('not_found');
  return status === 400 || error instanceof SyntaxError
    ? problem('invalid_request', { detail: 'The body is not valid JSON.' })
    : undefined;
}

// Each once: more of the same may come in before the answer has left.
const answered = new WeakSet<Socket>();

// What Node's HTTP parser refuses has no request and no route: it is answered on the bare socket.
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, options: ServerOptions): void {
  // Its last answer is on its way, and what came after that was broken off by us.
  if (isRefused(socket)) return;
  // Who closes their side in the middle of a body will send no more, and waits for nothing.
  const isEnd = error.code === 'HPE_INVALID_EOF_STATE' && isAmidBody(socket);
  if (isEnd || error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    breakOff(socket, problem('invalid_request', { detail: UNREADABLE }));
    return;
  }
  if (answered.has(socket)) return;
  answered.add(socket);
  const code: ProblemCode =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headers_too_large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request_timeout'
        : 'invalid_request';
  const extra = code === 'invalid_request' ? { detail: UNREADABLE } : {};
  if (breakOff(socket, problem(code, extra))) return;
  const { requestId, uuid } = newRequestId();
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
  void told(options, unread).then(() => socket.end(answer));
}

const ACCEPTED = new Set(['*/*', 'application/*', 'application/json']);

/** Whether an Accept header lets JSON be answered (RFC 9110, section 12.5.1). */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*') return true;
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return ACCEPTED.has(type) && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/** As long as the largest that a number holds to the unit, which schemas allow; beyond it another would be read. */
const INTEGER = /^-?\d{1,16}$/;
const isInteger = (text: string): boolean => INTEGER.test(text) && Number.isSafeInteger(Number(text));

/** A query string has no types: what its schema calls an integer or a boolean is read as one, all else stays text. */
export function coerceQuery(schema: TSchema | undefined, query: Record<string, unknown>): Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, { type?: string }> } | undefined)?.properties ?? {};
  // fromEntries defines each name, `__proto__` too, where an assignment would set the object's prototype.
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
      if (type === 'integer' && typeof value === 'string' && isInteger(value)) return [name, Number(value)];
      if (type === 'boolean' && (value === 'true' || value === 'false')) return [name, value === 'true'];
      return [name, value];
    }),
  );
}

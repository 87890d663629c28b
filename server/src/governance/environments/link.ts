// The link from the Console's server to a plane's management operations. The interface is the same for a plane in this
// process and for a private listener elsewhere.
import type { FastifyInstance } from 'fastify';
import { request } from 'undici';
import type { Environment } from '../../access/authority/index.ts';
import { DatabaseUnavailable } from '../../kit/db/db.ts';
import type { Method } from '../../kit/http/operation.ts';

interface LinkRequest {
  method: Method;
  /** Path and query on the plane's management listener. */
  path: string;
  assertion: string;
  /** JSON; undefined without a body. */
  body: string | undefined;
  /** The trace to which the request belongs. */
  traceparent?: string | undefined;
  headers?: Readonly<Record<string, string>>;
}

interface LinkResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type PlaneLink = (call: LinkRequest) => Promise<LinkResponse>;

const PASSED_HEADERS = ['request-id', 'content-type', 'cache-control', 'etag'] as const;

function headersOf(call: LinkRequest): Record<string, string> {
  const type: Record<string, string> = call.body === undefined ? {} : { 'content-type': 'application/json' };
  const { traceparent } = call;
  return { ...call.headers, ...type, ...(traceparent && { traceparent }), authorization: `Bearer ${call.assertion}` };
}

function passHeaders(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    PASSED_HEADERS.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );
}

/** Returns a link to a plane in this process, without a listener. */
export function localLink(management: FastifyInstance): PlaneLink {
  return async (call) => {
    const response = await management.inject({
      method: call.method,
      url: call.path,
      headers: headersOf(call),
      ...(call.body !== undefined && { payload: call.body }),
    });
    return { status: response.statusCode, headers: passHeaders(response.headers), body: response.body };
  };
}

// Longer than the longest operation, the reset of a large world.
const TIMEOUT_MS = 60_000;

/** The management listener of an environment cannot be reached. Callers treat it like an unreachable database. */
class ManagementUnavailable extends DatabaseUnavailable {
  override name = 'ManagementUnavailable';
  constructor(environment: Environment, managementUrl: string, cause: unknown) {
    super(cause);
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.message = `The management listener of ${environment} at ${new URL(managementUrl).origin} did not answer: ${reason}`;
  }
}

/** Returns a link to a plane's private listener. */
export function remoteLink(environment: Environment, managementUrl: string): PlaneLink {
  return async (call) => {
    try {
      const response = await request(managementUrl + call.path, {
        method: call.method,
        headers: headersOf(call),
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
        body: call.body ?? null,
      });
      const [headers, body] = [passHeaders(response.headers), await response.body.text()];
      // A proxy in between answers itself if it cannot reach the plane.
      if (response.statusCode >= 500 && headers['content-type']?.startsWith('application/problem+json') !== true) {
        throw new Error(`HTTP ${response.statusCode} without a problem document`);
      }
      return { status: response.statusCode, headers, body };
    } catch (error) {
      throw new ManagementUnavailable(environment, managementUrl, error);
    }
  };
}

// Calls of /v1 by a key's id. Such calls use a second instance of the API that does not listen on a port. That instance
// takes the caller as an argument instead of a header. A request cannot forge either, and the public listener has no
// such code.
import type { FastifyInstance } from 'fastify';
import { inject } from 'light-my-request';
import type {
  ApiCall,
  ApiResponse,
  DelegatedKey,
  DelegatedKeyAuthenticator,
  Plane,
} from '../access/authority/index.ts';
import type { CaptureQueue } from '../inspector/captures/index.ts';
import type { Recorder } from '../inspector/requests/index.ts';
import { problem } from '../kit/openapi/problems.ts';
import type { ApiOptions } from './api.ts';
import { createSandboxApi } from './sandbox-api.ts';

/** The parts of an open plane that a call needs. */
interface CallTarget {
  plane: Plane;
  recorder: Recorder;
  authenticateDelegated: DelegatedKeyAuthenticator;
}

export function createApiCallHandler(
  { plane, recorder, authenticateDelegated }: CallTarget,
  onInternalError: ApiOptions['onInternalError'],
  captures?: CaptureQueue,
): NonNullable<Plane['callApi']> {
  // A person may act as a key only if nothing that the key does is real.
  if (plane.environment !== 'sandbox') throw new Error('Calls by the identifier of a key belong to the sandbox alone.');
  const keys = new WeakMap<object, DelegatedKey>();
  const authority: Plane['authority'] = {
    async authenticate(incoming) {
      const key = keys.get(incoming.raw);
      if (!key) throw problem('missing_key');
      return authenticateDelegated(incoming, key);
    },
  };
  let opening: Promise<FastifyInstance> | undefined;
  // Opened at the first call, so that a start does not pay for an unused API.
  async function open(): Promise<FastifyInstance> {
    const api = createSandboxApi({ ...plane, authority }, { recorder, captures, trustedProxies: [], onInternalError });
    await api.ready();
    return api;
  }

  return async (call) => {
    opening ??= open();
    const api = await opening;
    const response = await inject(
      (request, reply) => {
        keys.set(request, call.key);
        api.routing(request, reply);
      },
      toRequest(call, plane),
    ).catch((error: Error & { code?: string }) => {
      // The result of a simulated reset without a connection.
      if (error.code !== 'LIGHT_ECONNRESET') throw error;
      const detail = 'The connection of the call was reset by a simulated fault. The Request Inspector has its record.';
      throw problem('conflict', { detail });
    });
    return { status: response.statusCode, headers: toHeaders(response.headers), body: response.body };
  };
}

function toRequest({ method, path, headers, body }: ApiCall, plane: Plane) {
  return {
    method,
    url: path,
    authority: new URL(plane.urls.public).host,
    headers: {
      ...headers,
      'user-agent': 'slipway-console/1.0',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: body }),
  };
}

const HOP_BY_HOP_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding']);

function toHeaders(headers: Readonly<Record<string, unknown>>): ApiResponse['headers'] {
  const endToEnd = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !HOP_BY_HOP_HEADERS.has(name),
  );
  return Object.fromEntries(
    endToEnd.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  );
}

// The management API of one plane: what the Console's server calls with a signed assertion, on a private listener.
import type { FastifyInstance } from 'fastify';
import { appOperations } from './features/apps/index.ts';
import type { Plane } from './features/authority/index.ts';
import { deprecationOperations } from './features/deprecations/index.ts';
import { installationOperations } from './features/installations/index.ts';
import { keyOperations } from './features/keys/index.ts';
import { requestOperations } from './features/requests/index.ts';
import { webhookOperations } from './features/webhooks/index.ts';
import { createServer } from './kit/http.ts';
import { mount } from './kit/mount.ts';
import type { AnyOperation } from './kit/operation.ts';

export const managementOperations: AnyOperation<Plane>[] = [
  ...appOperations,
  ...keyOperations,
  ...installationOperations,
  ...webhookOperations,
  ...requestOperations,
  ...deprecationOperations,
];

export function createManagement(
  plane: Plane,
  onInternalError: (error: unknown, requestId: string) => void,
): FastifyInstance {
  const headers = { 'slipway-environment': plane.environment, 'cache-control': 'no-store' };
  const app = createServer({ problemsUrl: plane.problemsUrl, headers, trustedProxies: [] });
  mount(app, managementOperations, {
    services: plane,
    problemsUrl: plane.problemsUrl,
    headers,
    onInternalError: (error, exchange) => onInternalError(error, exchange.id),
  });
  return app;
}

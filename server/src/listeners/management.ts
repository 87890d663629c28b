// The management API of a plane: the operations that the Console's server calls with a signed assertion, on a private
// listener.
import type { FastifyInstance } from 'fastify';
import { type OperationRequirements, type Plane, SCOPES } from '../access/authority/index.ts';
import { type AnyResource, isGranted, resources } from '../access/contracts/index.ts';
import { problemsAt } from '../access/problems/index.ts';
import { leaseOperations } from '../governance/status-lease/index.ts';
import { auditOperations } from '../inspector/audit-log/index.ts';
import { forecastOperations } from '../inspector/forecasts/index.ts';
import { keyActivityOperations } from '../inspector/key-activity/index.ts';
import { receiptOperations } from '../inspector/receipts/index.ts';
import { consoleRequestOperations, requestOperations } from '../inspector/requests/index.ts';
import { snippetOperations } from '../inspector/snippets/index.ts';
import { consoleTailOperations } from '../inspector/tails/index.ts';
import { traceOperations } from '../inspector/traces/index.ts';
import { createServer } from '../kit/http/http.ts';
import { type MountOptions, mount } from '../kit/http/mount.ts';
import type { AnyOperation } from '../kit/http/operation.ts';
import { getContract } from '../platform/contract/index.ts';
import { deprecationOperations } from '../platform/deprecations/index.ts';
import { consoleNoticeOperations, noticeOperations } from '../platform/notices/index.ts';
import { appOperations, organisationStatusOperations } from '../tenancy/apps/index.ts';
import { eventScopeOperations } from '../tenancy/event-scopes/index.ts';
import { installationOperations } from '../tenancy/installations/index.ts';
import { keyOperations } from '../tenancy/keys/index.ts';
import { dispatchOperations } from '../webhooks/dispatch/index.ts';
import { drillOperations } from '../webhooks/drills/index.ts';
import { redeliveryOperations } from '../webhooks/redeliveries/index.ts';
import { webhookOperations } from '../webhooks/webhooks/index.ts';
import type { PublicApi } from './api.ts';
import { exampleData } from './event-catalogue.ts';

/** The declared operations of the contract, with the place of the grants that decide. */
const DECLARED = new Map(
  resources.flatMap((resource: AnyResource) =>
    Object.keys(resource.operations ?? {}).map((id) => [id, isGranted(resource) ? 'in_path' : 'account'] as const),
  ),
);

/** Returns the requirements that an operation declares. */
export function requirementsOf({ id, path, access }: AnyOperation<Plane>): OperationRequirements {
  const scope = SCOPES.find((known) => known === access.scope);
  const needsGrant = access.problems.includes('installation_paused');
  const onServer = DECLARED.get(id) ?? (path.includes('{') ? 'in_path' : 'in_query');
  // The declared order matters: the first scope that is missing or not granted determines the problem.
  const further = (access.furtherScopes ?? []).flatMap((one) => SCOPES.filter((known) => known === one));
  return { id, scope, further, server: needsGrant ? onServer : scope ? 'each' : 'none' };
}

export const isKeyed = ({ access }: AnyOperation<Plane>): boolean => access.security === 'key';

/**
 * Returns the operations that members use in either environment. `accountOf` returns the server of an app's account,
 * whose identifier differs between the environments.
 */
export function managementOf(
  { operations, contractText }: PublicApi,
  accountOf: (appId: string) => string,
): AnyOperation<Plane>[] {
  const requirements = operations.filter(isKeyed).map(requirementsOf);
  return [
    ...appOperations,
    ...keyOperations,
    ...noticeOperations,
    ...installationOperations(requirements, accountOf),
    ...webhookOperations(exampleData),
    ...dispatchOperations,
    ...drillOperations,
    ...redeliveryOperations,
    ...requestOperations,
    ...forecastOperations(requirements),
    ...keyActivityOperations,
    ...traceOperations,
    ...snippetOperations(operations),
    ...deprecationOperations,
    ...eventScopeOperations,
    ...auditOperations,
    ...receiptOperations,
    getContract(contractText),
  ];
}

/**
 * Operations for the Console's server itself. These operations are in no contract, because no caller's request is
 * forwarded to them.
 */
export const consoleOnlyOperations: readonly AnyOperation<Plane>[] = [
  ...leaseOperations,
  ...organisationStatusOperations,
  ...consoleNoticeOperations,
  ...consoleRequestOperations,
  ...consoleTailOperations,
];

export function serveManagement(
  operations: readonly AnyOperation<Plane>[],
  plane: Plane,
  onInternalError: (error: unknown, requestId: string) => void,
  count?: MountOptions<Plane>['count'],
): FastifyInstance {
  const headers = { 'slipway-environment': plane.environment, 'cache-control': 'no-store' };
  const problems = problemsAt(plane.urls.problems);
  const app = createServer({ problems, headers, trustedProxies: [] });
  mount(app, [...operations, ...consoleOnlyOperations], {
    services: plane,
    problems,
    headers,
    trustsTraces: true,
    ...(count && { count }),
    onInternalError: (error, exchange) => onInternalError(error, exchange.id),
  });
  return app;
}

// The gateway of production: connections to the upstream API and cached facts about it.

import { LRUCache } from 'lru-cache';
import { type ApiCaller, createTenantReader, type Plane, type Tenant } from '../../access/authority/index.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import type { AnyOperation, Incoming } from '../../kit/http/operation.ts';
import { preferredType } from '../../kit/http/preferred-type.ts';
import {
  createOrigin,
  DEADLINE_MS,
  type Origin,
  type OriginAttempt,
  type OriginMeasures,
  type OriginOptions,
  type OriginRequest,
  type OriginResult,
} from '../../kit/outbound/outbound-origin.ts';
import type { ReportedUpstreamFailure, UpstreamFailureKind } from '../../platform/upstream-failures/index.ts';
import { type AllowanceCache, createAllowanceCache } from './allowance-cache.ts';
import { createTokenSigner, type IdentityClaims } from './identity-token.ts';
import { findOrganisation } from './store.ts';
import type { UpstreamFailureError } from './upstream-response.ts';

declare module '../../kit/http/operation.ts' {
  interface Exchange {
    /** The status of the response to the last upstream request; undefined without a response. Only production sets it. */
    upstreamStatus?: number | undefined;
  }
}

export interface GatewayOptions extends OriginOptions {
  identityKey: Secret;
  /** Called for each invalid response. */
  onFailure?(failure: ReportedUpstreamFailure): void;
  /** Called when the outcome of a mutation could not be stored. A repeat asks the upstream API again. */
  onUnstoredOutcome?(error: unknown, requestId: string): void;
}

export interface Gateway {
  origin: Origin;
  allowances: AllowanceCache;
  token(claims: IdentityClaims): string;
  organisationOf(tenant: Tenant): Promise<string>;
  /** Milliseconds that a request may take. */
  deadlineMs: number;
  /** Measures for monitoring. */
  measures(): OriginMeasures & { failures: { kind: UpstreamFailureKind; count: number }[] };
  recordFailure(
    requested: { operation: AnyOperation<Plane>; caller: ApiCaller; incoming: Incoming },
    failure: UpstreamFailureError,
  ): void;
  reportUnstoredOutcome(error: unknown, incoming: Incoming): void;
  close(): Promise<void>;
}

const MAX_KNOWN_APPS = 50_000;

export function createGateway({ identityKey, onFailure, onUnstoredOutcome, ...options }: GatewayOptions): Gateway {
  const origin = createOrigin(options);
  const organisations = new LRUCache<string, string>({ max: MAX_KNOWN_APPS });
  const failures = new Map<UpstreamFailureKind, number>();
  return {
    origin,
    allowances: createAllowanceCache(),
    token: createTokenSigner(identityKey, options.url),
    deadlineMs: options.deadlineMs ?? DEADLINE_MS,
    async organisationOf(tenant) {
      const known = organisations.get(tenant.appId) ?? (await findOrganisation(tenant)) ?? '';
      organisations.set(tenant.appId, known); // an app never changes its organisation
      return known;
    },
    measures: () => ({
      ...origin.measures(),
      failures: [...failures].map(([kind, count]) => ({ kind, count })),
    }),
    recordFailure({ operation, caller, incoming }, { kind, problem }) {
      failures.set(kind, (failures.get(kind) ?? 0) + 1);
      const { appId, keyId } = caller;
      const { id: requestId, upstreamStatus: status = null } = incoming.exchange;
      const isViolation = problem.code === 'upstream_invalid';
      onFailure?.({ operationId: operation.id, kind, status, requestId, appId, keyId, isViolation });
    },
    reportUnstoredOutcome: (error, { exchange }) => onUnstoredOutcome?.(error, exchange.id),
    close: () => origin.close(),
  };
}

/** Sends the request once. Propagates Slipway's trace if there is one, and otherwise the caller's. */
export function sendTraced({ origin }: Gateway, { exchange }: Incoming, request: OriginRequest): OriginAttempt {
  const span = exchange.span?.begin(`upstream ${request.method}`, 'client');
  const trace = span && { traceparent: span.traceparent };
  const sending = origin.send({ ...request, headers: { ...request.headers, ...trace } });
  // This handler precedes those of the caller, so the status is set before the caller reports a failure.
  void sending.result.then((result) => {
    exchange.upstreamStatus = result.status;
    const isAnswer = result.kind === 'response';
    span?.end(isAnswer ? { attributes: { 'http.response.status_code': result.status } } : { failure: result.failure });
  });
  return sending;
}

/** Returns `Accept` of a request to the upstream API: the declared type that the caller prefers. */
export function acceptOf({ replies }: AnyOperation<Plane>, { headers }: Incoming): string {
  const [reply] = Object.values(replies);
  const files = reply?.contentType === undefined ? [] : [reply.contentType, ...(reply.otherContentTypes ?? [])];
  return preferredType(files, headers.accept) ?? 'application/json';
}

const TRACE_PARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns the headers of a request. The trace is the only header of the caller among them. */
export async function headersFor(
  gateway: Gateway,
  {
    caller,
    plane,
    incoming,
    serverId,
    accept = 'application/json',
  }: { caller: ApiCaller; plane: Plane; incoming: Incoming; serverId: string | undefined; accept?: string | undefined },
): Promise<Record<string, string>> {
  const { id } = incoming.exchange;
  const organisationId = await gateway.organisationOf(createTenantReader(plane.db.api, caller.appId));
  const { traceparent } = incoming.headers;
  const isTrace = typeof traceparent === 'string' && TRACE_PARENT.test(traceparent);
  return {
    accept,
    'accept-encoding': 'identity',
    authorization: `Bearer ${gateway.token({ caller, organisationId, serverId, requestId: id })}`,
    'request-id': id,
    'user-agent': 'slipway/1.0',
    ...(isTrace && { traceparent }),
  };
}

/** Sends a read. Repeats it once if the connection broke before the first byte of the response. */
export async function get(
  gateway: Gateway,
  incoming: Incoming,
  path: string,
  headers: Record<string, string>,
): Promise<OriginResult> {
  const ask = (): Promise<OriginResult> => sendTraced(gateway, incoming, { method: 'GET', path, headers }).result;
  const first = await ask();
  const isLost = first.kind === 'failure' && first.failure === 'broken' && first.status === undefined;
  return isLost ? ask() : first;
}

// The public API of a plane: an ordered list of features, and the listener that serves them.
import type { FastifyInstance } from 'fastify';
import { type ApiCaller, type Environment, type Plane, SCOPES } from '../access/authority/index.ts';
import { contract, isOperatorContract, resources } from '../access/contracts/index.ts';
import { API_PROBLEM_CODES, problemsAt } from '../access/problems/index.ts';
import { RESPONSE_HEADERS } from '../access/response-headers/index.ts';
import { receiptKeyOperations } from '../inspector/receipts/index.ts';
import type { Recorder } from '../inspector/requests/index.ts';
import { uuidText } from '../kit/crypto/ids.ts';
import { createServer } from '../kit/http/http.ts';
import { type MountOptions, mount } from '../kit/http/mount.ts';
import type { AnyOperation } from '../kit/http/operation.ts';
import { type DocumentOptions, openapiDocument } from '../kit/openapi/openapi.ts';
import { ProblemError } from '../kit/openapi/problems.ts';
import {
  type ContractText,
  type ContractVariant,
  contractTexts,
  getApiCatalog,
  getOpenapi,
  getProblemIndex,
  getProblemPage,
} from '../platform/contract/index.ts';
import { getDeprecationIndex, getDeprecationPage } from '../platform/deprecations/index.ts';
import { eventOperations } from '../resources/events/index.ts';
import { meOperations } from '../resources/me/index.ts';
import { declaredOperations } from '../resources/operations/index.ts';
import { publicationOperations } from '../resources/publications/index.ts';
import { roadmapOperations } from '../resources/roadmap/index.ts';
import { serverOperations } from '../resources/servers/index.ts';
import { ticketOperations } from '../resources/tickets/index.ts';
import { workflowOperations } from '../resources/workflows/index.ts';
import { leakOperations } from '../tenancy/keys/index.ts';
import { CONTACT, textsOf } from './api-texts.ts';
import { eventWebhooks } from './event-catalogue.ts';

/** The /v1 of an environment: its operations, and the contract with which they are served. */
export interface PublicApi {
  operations: readonly AnyOperation<Plane>[];
  contractText: ContractText;
  document(publicUrl: string, problemsUrl: string, variant?: ContractVariant): Record<string, unknown>;
}

/** Operations on the objects of the contract, which the sandbox simulates and, in production, the upstream API owns. */
const onObjects: readonly AnyOperation<Plane>[] = isOperatorContract
  ? resources.flatMap(declaredOperations)
  : [...serverOperations, ...publicationOperations, ...roadmapOperations, ...ticketOperations, ...workflowOperations];

/**
 * Returns the API of an environment, with the same declarations in both. `served` converts the operations on objects
 * for the environment.
 */
export function publicApi(
  environment: Environment,
  served: (operation: AnyOperation<Plane>) => AnyOperation<Plane> = (operation) => operation,
  keyed?: DocumentOptions<Plane>['keyed'],
): PublicApi {
  const document: PublicApi['document'] = (publicUrl, problemsUrl, variant = {}) =>
    publicDocument({
      environment,
      operations,
      publicUrl,
      problems: problemsAt(problemsUrl),
      docsUrl: variant.docsUrl,
      webhooks: variant.webhooks === false ? [] : eventWebhooks,
      ...(keyed && { keyed }),
    });
  const contractText = contractTexts(document);
  const operations: AnyOperation<Plane>[] = [
    ...meOperations,
    ...onObjects.map(served),
    ...eventOperations,
    ...leakOperations,
    ...receiptKeyOperations,
    getOpenapi(contractText),
    getApiCatalog,
    getProblemIndex,
    getProblemPage,
    getDeprecationIndex,
    getDeprecationPage,
  ];
  return { operations, contractText, document };
}

const LISTENER_HEADERS = ['Slipway-Environment', 'X-Content-Type-Options'] as const;

interface DocumentInput
  extends Pick<DocumentOptions<Plane>, 'operations' | 'problems' | 'keyed' | 'webhooks' | 'docsUrl'> {
  environment: Environment;
  publicUrl: string;
}

function publicDocument({ environment, publicUrl, ...rest }: DocumentInput): Record<string, unknown> {
  return openapiDocument({
    ...textsOf(environment),
    contact: CONTACT,
    serverUrl: publicUrl,
    securitySchemes: {
      key: {
        type: 'http',
        scheme: 'bearer',
        description: `A key of an app, created in the Console. Use it on servers only, never in a browser. Its scopes: ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}.`,
        'x-scopes': contract.scopes,
      },
    },
    headers: LISTENER_HEADERS,
    responseHeaders: RESPONSE_HEADERS,
    problemCodes: API_PROBLEM_CODES,
    problemFixField: 'mend', // as released
    ...rest,
  });
}

export interface ApiOptions {
  trustedProxies: readonly string[];
  onUndeclaredProxy?: (peer: string) => void;
  recorder: Pick<Recorder, 'record' | 'recordUnreadableInput'>;
  /** Receives each response with its request, to store headers and bodies; undefined in production. */
  capture?: MountOptions<Plane>['capture'];
  /** Receives each response, for monitoring. */
  count?: NonNullable<MountOptions<Plane>['count']>;
  onInternalError(error: unknown, requestId: string): void;
  /** Simulates faults in the sandbox; undefined in production. */
  simulate?: MountOptions<Plane>['intercept'];
}

export function createApi({ operations }: PublicApi, plane: Plane, options: ApiOptions): FastifyInstance {
  const headers = { 'slipway-environment': plane.environment, 'x-content-type-options': 'nosniff' };
  const problems = problemsAt(plane.urls.problems);
  const { trustedProxies, onUndeclaredProxy, recorder, simulate } = options;

  const app = createServer({
    problems,
    headers,
    trustedProxies,
    onUndeclaredProxy,
    onUnreadableInput: recorder.recordUnreadableInput,
  });
  mount(app, operations, {
    services: plane,
    problems,
    headers,
    deprecations: {
      pagesUrl: `${plane.urls.public}/deprecations`,
      count({ principal, uuid }, used) {
        const caller = principal as ApiCaller | undefined; // only authority sets it, on this plane's server
        if (caller) for (const { id } of used) plane.deprecations.count(caller.appId, id, uuidText(uuid));
      },
      nowMs: plane.deprecations.nowMs,
    },
    record: recorder.record,
    ...(options.capture && { capture: options.capture }),
    ...(options.count && { count: options.count }),
    ...(simulate && { intercept: simulate }),
    async identify(request) {
      await plane.authority.authenticate(request).catch((error: unknown) => {
        // An unknown path is not found whatever the key, but it counts towards the rate limit.
        if (error instanceof ProblemError && error.code === 'rate_limited') throw error;
      });
    },
    onInternalError(error, exchange) {
      if (exchange.simulated === undefined) options.onInternalError(error, exchange.id);
    },
  });
  return app;
}

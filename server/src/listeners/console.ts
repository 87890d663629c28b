// The Console's server: its own operations, those of the planes that it manages, and the built pages, under one strict
// Content-Security-Policy.
import type { FastifyInstance } from 'fastify';
import { type Environment, type Plane, unavailableWhileClosed } from '../access/authority/index.ts';
import { problemsAt } from '../access/problems/index.ts';
import { RESPONSE_HEADERS } from '../access/response-headers/index.ts';
import {
  askPlanes,
  environmentOperations,
  forwardToPlane,
  type PlaneConnection,
} from '../governance/environments/index.ts';
import { liveAccessOperations } from '../governance/live-access/index.ts';
import { noticeDestinationOperations } from '../governance/notice-destinations/index.ts';
import { noticeMailOperations } from '../governance/notice-mail/index.ts';
import { operatorOperations } from '../governance/operators/index.ts';
import { organisationDeletionOperations, reportOrganisationStatus } from '../governance/organisation-status/index.ts';
import { accountOperations } from '../identity/accounts/index.ts';
import { deviceSignInOperations } from '../identity/device-sign-ins/index.ts';
import { organisationOperations } from '../identity/organisations/index.ts';
import { providerOperations } from '../identity/provider-sign-ins/index.ts';
import { type ConsoleServices, STREAM_LIMITS, sessionOperations } from '../identity/sessions/index.ts';
import { auditLogOperations } from '../inspector/audit-log/index.ts';
import { changeOperations } from '../inspector/changes/index.ts';
import { requestExportOperations } from '../inspector/request-exports/index.ts';
import { savedViewOperations } from '../inspector/saved-views/index.ts';
import { tailOperations } from '../inspector/tails/index.ts';
import { createAddressLimiter } from '../kit/http/address-limiter.ts';
import { createServer } from '../kit/http/http.ts';
import { type MountOptions, mount } from '../kit/http/mount.ts';
import { createOpenStreams } from '../kit/http/open-streams.ts';
import type { AnyOperation } from '../kit/http/operation.ts';
import { openapiDocument } from '../kit/openapi/openapi.ts';
import { publicApi } from './api.ts';
import { CONTACT } from './api-texts.ts';
import { contractScript } from './contract-script.ts';
import { managementOf } from './management.ts';
import { addPages, forbidCaching } from './pages.ts';
import { sandboxManagement } from './sandbox-management.ts';

const notServed = (): never => {
  throw new Error('The Console forwards this operation and does not run it.');
};

/** Operations as planes declare them. The Console forwards them to the planes. */
const MANAGED: Record<Environment, readonly AnyOperation<Plane>[]> = {
  sandbox: sandboxManagement,
  production: managementOf(publicApi('production'), notServed),
};

/** Returns the Console's own operations, those of the sandbox and, if it is connected, those of production. */
export function consoleOperations(connections: readonly PlaneConnection[]): AnyOperation<ConsoleServices>[] {
  const production = connections.find(({ environment }) => environment === 'production');
  return [
    ...sessionOperations,
    ...providerOperations,
    ...accountOperations,
    ...deviceSignInOperations,
    ...operatorOperations,
    ...organisationOperations,
    ...organisationDeletionOperations,
    ...liveAccessOperations,
    ...noticeMailOperations,
    ...noticeDestinationOperations,
    ...environmentOperations,
    ...auditLogOperations,
    ...savedViewOperations,
    ...environmentOperationsOf(
      'sandbox',
      connections.find(({ environment }) => environment === 'sandbox'),
    ),
    ...(production ? environmentOperationsOf('production', production) : []),
  ];
}

function environmentOperationsOf(
  environment: Environment,
  connection: PlaneConnection | undefined,
): AnyOperation<ConsoleServices>[] {
  return [
    ...MANAGED[environment].map((operation) => forwardToPlane(operation, environment, connection)),
    ...tailOperations(environment),
    ...changeOperations(environment),
    ...requestExportOperations(environment),
  ];
}

/** Returns the OpenAPI document of the management API, which the Console and the SDK use. */
export function consoleDocument(consoleUrl: string, problemsUrl: string): Record<string, unknown> {
  return withEnvironments(
    openapiDocument({
      title: 'Slipway management API',
      version: '1.0.0',
      description:
        'Organisations, apps, keys, installations, webhooks and request records, for signed-in members. An operation with production among its `x-environments` is also available under `/api/production` instead of `/api/sandbox`, if production is configured. Later releases may add fields to responses, and values to a field with `x-extensible-enum`: ignore a field that you do not know, and handle an unknown value by a default.',
      docsUrl: `${consoleUrl}/docs`,
      contact: CONTACT,
      serverUrl: consoleUrl,
      serverDescription: 'The Console, which manages the sandbox and production.',
      problems: problemsAt(problemsUrl),
      responseHeaders: RESPONSE_HEADERS,
      tags: [
        { name: 'Sessions', description: 'Sign-in and sign-out.' },
        { name: 'Accounts', description: 'Sign-up and password reset.' },
        { name: 'Operators', description: 'Administration of the installation, across all organisations.' },
        { name: 'Organisations', description: 'Organisations, which own apps, and their members and roles.' },
        { name: 'Access tokens', description: 'Tokens for terminals and scripts, which act for a member.' },
        { name: 'Environments', description: 'The sandbox and production.' },
        { name: 'Apps', description: 'Apps, which own keys and installations.' },
        { name: 'Keys', description: 'Bearer credentials of an app.' },
        { name: 'Notices', description: 'Notices to an organisation about its keys and endpoints.' },
        { name: 'Installations', description: 'The access that servers grant to an app.' },
        { name: 'Webhooks', description: 'Endpoints and deliveries.' },
        { name: 'Audit log', description: 'Records of actions, linked in hash chains.' },
        { name: 'Requests', description: 'The Request Inspector.' },
        {
          name: 'Reference',
          description: 'The contract of /v1, and calls to it with a key that is named by its identifier.',
        },
        { name: 'Faults', description: 'Faults that the sandbox simulates for calls of an app.' },
        {
          name: 'Live access',
          description: 'Access to production: evidence, requests and decisions.',
        },
        { name: 'World', description: 'The synthetic world of the sandbox, and its clock.' },
      ],
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'slipway_session', description: 'The session of a person.' },
        token: { type: 'http', scheme: 'bearer', description: 'A personal access token, `slp_...`.' },
      },
      headers: ['Content-Security-Policy', 'Cross-Origin-Opener-Policy', 'Referrer-Policy', 'X-Content-Type-Options'],
      operations: [...consoleOperations([]), ...productionOnlyOperations()],
    }),
  );
}

const SANDBOX = '/api/sandbox/';
const PRODUCTION = '/api/production/';
const environmentPathOf = ({ method, path }: AnyOperation<ConsoleServices>): string =>
  `${method} ${path.replace(PRODUCTION, SANDBOX)}`;

/** Returns the operations of production that the sandbox does not have. */
function productionOnlyOperations(): AnyOperation<ConsoleServices>[] {
  const ofSandbox = environmentOperationsOf('sandbox', undefined).map(environmentPathOf);
  const ofProduction = environmentOperationsOf('production', undefined);
  return ofProduction.filter((operation) => !ofSandbox.includes(environmentPathOf(operation)));
}

type Paths = Record<string, Record<string, Record<string, unknown>>>;

/**
 * Adds to each operation the environments that have it. An operation that both have is one declaration with two paths.
 */
function withEnvironments(document: { paths?: unknown }): Record<string, unknown> {
  const paths = document.paths as Paths; // paths of operations, as openapiDocument writes them
  for (const { path, method } of environmentOperationsOf('production', undefined)) {
    const operation = paths[path.replace(PRODUCTION, SANDBOX)]?.[method.toLowerCase()];
    if (operation) operation['x-environments'] = ['sandbox', 'production'];
  }
  return document as Record<string, unknown>;
}

interface ConsoleOptions {
  services: Omit<ConsoleServices, 'askPlanes' | 'onStatusChange' | 'streams' | 'deviceCodes'>;
  connections: readonly PlaneConnection[];
  problemsUrl: string;
  trustedProxies: readonly string[];
  onUndeclaredProxy?: (peer: string) => void;
  /**
   * Returns true if the restore gate of the Console's database is closed. Every operation then answers 503, and pages
   * are served.
   */
  isClosed(): boolean;
  /** Receives each response, for monitoring. */
  count?: NonNullable<MountOptions<ConsoleServices>['count']>;
  onInternalError(error: unknown, requestId: string): void;
}

// Mantine sets styles by script, which requires 'unsafe-inline' for styles only. Scripts come from this origin only.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

// Limits the load: device codes are too long to be guessed.
const WRONG_DEVICE_CODES = { perMinute: 10, burst: 20 };

export async function createConsole(options: ConsoleOptions): Promise<FastifyInstance> {
  const { trustedProxies, onUndeclaredProxy } = options;
  const problems = problemsAt(options.problemsUrl);
  const app = createServer({ problems, headers: HEADERS, trustedProxies, onUndeclaredProxy });
  const services = consoleServicesOf(options);
  forbidCaching(app);
  await addPages(app, contractScript());
  app.addHook('preClose', async () => services.streams.endAll());
  mount(app, consoleOperations(options.connections), {
    services,
    problems,
    headers: HEADERS,
    ...(options.count && { count: options.count }),
    refuse: (url) => (options.isClosed() && url.startsWith('/api/') ? unavailableWhileClosed() : undefined),
    onInternalError: (error, exchange) => options.onInternalError(error, exchange.id),
  });
  return app;
}

function consoleServicesOf({ services, connections }: ConsoleOptions): ConsoleServices {
  const asking = {
    ...services,
    askPlanes: askPlanes(connections),
    streams: createOpenStreams(STREAM_LIMITS),
    deviceCodes: createAddressLimiter(WRONG_DEVICE_CODES),
  };
  return {
    ...asking,
    async onStatusChange(organisationId) {
      await reportOrganisationStatus(asking, organisationId);
    },
  };
}

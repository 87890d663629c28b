// A sandbox for tests over HTTP: a plane, its two listeners on real ports, and an app with keys.
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Actor, type Role, SCOPES, type Scope, signAssertion } from '../src/access/authority/index.ts';
import { openCaptures, type SandboxCaptures } from '../src/boot/captures.ts';
import type { PlaneOptions } from '../src/boot/plane.ts';
import type { BudgetLimits } from '../src/inspector/captures/index.ts';
import { newUuid, toId } from '../src/kit/crypto/ids.ts';
import { createApiCallHandler } from '../src/listeners/api-call-handler.ts';
import { createSandboxApi } from '../src/listeners/sandbox-api.ts';
import { createManagement } from '../src/listeners/sandbox-management.ts';
import { assertContract, watchContract } from './contract-check.ts';
import { type TestPlane, testPlane } from './harness.ts';

export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
  text: string;
}

export interface TestApp {
  id: string;
  serverIds: string[];
  key(scopes?: readonly Scope[], expiresInDays?: number): Promise<{ id: string; token: string }>;
}

export interface Sandbox extends TestPlane {
  apiUrl: string;
  managementUrl: string;
  organisationId: string;
  errors: unknown[];
  captures: SandboxCaptures;
  /** Calls /v1. */
  call<Body = Record<string, unknown>>(path: string, key?: string, init?: RequestInit): Promise<Answer<Body>>;
  /** Calls the management listener as a member. The path continues after the organisation. */
  manage<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    as?: { role?: Role; organisationId?: string },
  ): Promise<Answer<Body>>;
  /** Creates an app, in the organisation of the tests unless one is given. */
  newApp(organisationId?: string): Promise<TestApp>;
}

async function open(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`; // a TCP address
}

export async function ask<Body>(url: string, init: RequestInit): Promise<Answer<Body>> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

interface CaptureChanges {
  isAllowed?: boolean;
  retentionHours?: number;
  budget?: BudgetLimits;
}

export async function startSandbox(
  changes: Partial<PlaneOptions> = {},
  { budget, ...captureChanges }: CaptureChanges = {},
): Promise<Sandbox> {
  const plane = await testPlane(changes);
  const errors: unknown[] = [];
  const onInternalError = (error: unknown): void => {
    errors.push(error);
  };
  const captureSettings = { isAllowed: true, retentionHours: 24, ...captureChanges };
  const captures = openCaptures(plane, captureSettings, onInternalError, budget);
  const { queue, port } = captures;
  const { recorder } = plane;
  const api = createSandboxApi(plane.plane, { recorder, captures: queue, trustedProxies: [], onInternalError });
  const management = createManagement(
    { ...plane.plane, captures: port, callApi: createApiCallHandler(plane, onInternalError, queue) },
    onInternalError,
  );
  const violations = [watchContract(api, 'api'), watchContract(management, 'management')];
  const apiUrl = await open(api);
  const managementUrl = await open(management);
  const organisationId = newUuid();

  const sandbox: Sandbox = {
    ...plane,
    apiUrl,
    managementUrl,
    organisationId,
    errors,
    captures,
    call: (path, key, init = {}) => {
      const headers = new Headers(init.headers);
      if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
      return ask(apiUrl + path, { ...init, headers });
    },
    async manage(method, path, body, as = {}) {
      const organisation = as.organisationId ?? organisationId;
      const actor: Actor = {
        kind: 'person',
        personId: 'person',
        name: 'tester@example.org',
        organisationId: organisation,
        role: as.role ?? 'owner',
        address: '192.0.2.7',
      };
      const assertion = await signAssertion(actor, 'sandbox', plane.options.managementKey);
      const headers: Record<string, string> = { authorization: `Bearer ${assertion}` };
      if (body !== undefined) headers['content-type'] = 'application/json';
      return ask(`${managementUrl}/organisations/${toId('org', organisation)}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    },
    newApp: (organisationId) => newApp(sandbox, organisationId === undefined ? {} : { organisationId }),
    async close() {
      await api.close();
      await management.close();
      await plane.close();
      assertContract(violations.flat());
    },
  };
  return sandbox;
}

async function newApp(sandbox: Sandbox, as: { organisationId?: string } = {}): Promise<TestApp> {
  const app = await sandbox.manage<{ id: string }>('POST', '/apps', { name: 'An app' }, as);
  const { id } = app.body;
  const installations = await sandbox.manage<{ data: { serverId: string }[] }>(
    'GET',
    `/apps/${id}/installations`,
    undefined,
    as,
  );
  return {
    id,
    serverIds: installations.body.data.map((row) => row.serverId),
    async key(scopes = SCOPES, expiresInDays = 30) {
      const created = await sandbox.manage<{ key: { id: string }; token: string }>(
        'POST',
        `/apps/${id}/keys`,
        {
          name: 'A key',
          scopes,
          expiresInDays,
        },
        as,
      );
      return { id: created.body.key.id, token: created.body.token };
    },
  };
}

export function json(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

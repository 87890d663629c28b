// Calls every operation of a plane once with existing objects, for tests that examine all operations.

import { SCOPES } from '../src/access/authority/index.ts';
import { fromId, toId } from '../src/kit/crypto/ids.ts';
import type { AnyOperation } from '../src/kit/http/operation.ts';
import { publicOperations } from '../src/listeners/sandbox-api.ts';
import { sandboxManagement } from '../src/listeners/sandbox-management.ts';
import { type Answer, json, type Sandbox } from './app.ts';
import { type CollectedIds, collectIds } from './fuzz/collected-ids.ts';

export interface PopulatedApp {
  organisationId: string;
  appId: string;
  token: string;
  /** Created and found identifiers, by their prefix. */
  harvest: CollectedIds;
}

type Operation = AnyOperation<never>;
const publicApiOperations = publicOperations as unknown as Operation[];
const managementOperations = sandboxManagement as unknown as Operation[];

/** Returns an app with an object of each kind. */
export async function populateApp(sandbox: Sandbox, organisationId: string): Promise<PopulatedApp> {
  const harvest = collectIds();
  const app = await sandbox.newApp(organisationId);
  const { id, token } = await app.key();
  const driven = { organisationId, appId: app.id, token, harvest };
  harvest.add('', [app.id, id, toId('org', organisationId), app.serverIds]);
  const endpoint = { url: 'https://bridge.example.org/hooks', keyId: id, eventTypes: ['ticket.created'] };
  const as = { organisationId };
  const manage = async (method: string, path: string, body?: unknown): Promise<void> =>
    harvest.add('', (await sandbox.manage(method, `/apps/${app.id}${path}`, body, as)).body);
  await manage('POST', '/endpoints', endpoint);
  await manage('POST', '/faults', { operationId: 'getMe', share: 0, effect: { reset: true } });
  await manage('PATCH', '', { capturesBodies: true });
  const call = async (path: string, init?: RequestInit): Promise<void> =>
    harvest.add('', (await sandbox.call(path, token, init)).body);
  const server = `/v1/servers/${app.serverIds[0]}`;
  await call(`${server}/tickets`, json({ subject: 's', body: 'b' }));
  // The input of the example fits the last workflow.
  const workflows = await sandbox.call<{ data: { id: string }[] }>(`${server}/workflows`, token);
  harvest.add('', workflows.body.data.at(-1));
  for (const list of ['publications', 'roadmap']) await call(`${server}/${list}`);
  await sandbox.database.superuser.query(
    "update deliveries set status = 'failed', finished_at = now() where app_id = $1",
    [fromId('app', app.id)],
  );
  await manage('POST', '/redeliveries', { since: '2000-01-01T00:00:00Z' });
  await manage('GET', '/deliveries');
  await manage('POST', `/keys/${(await app.key()).id}/revoke`); // creates a receipt
  return driven;
}

/** Calls an operation as the owner of one app, with identifiers of another. */
export async function callOperation(
  sandbox: Sandbox,
  operation: Operation,
  as: Pick<PopulatedApp, 'organisationId' | 'token'>,
  about: Pick<PopulatedApp, 'harvest'>,
): Promise<Answer> {
  const [example] = Object.values(operation.examples ?? {});
  const body = operation.body ? about.harvest.withKnownIds(JSON.stringify(example)) : undefined;
  const path = fill(operation, about.harvest);
  if (operation.id === 'revealCapture') await sandbox.captures.queue?.flush();
  if (operation.access.security !== 'assertion') {
    const init = { method: operation.method, ...(body !== undefined && { body }) };
    return sandbox.call(path, as.token, body === undefined ? init : { ...json({}), ...init });
  }
  const after = path.replace(/^\/organisations\/[^/]+/, '');
  return sandbox.manage(operation.method, after, body === undefined ? undefined : JSON.parse(body), as);
}

function fill(operation: Operation, harvest: CollectedIds): string {
  const { properties = {} } = (operation.params ?? {}) as { properties?: Record<string, { pattern?: string }> };
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const prefix = /^\^\(?([a-z]+)[_|]/.exec(properties[name]?.pattern ?? '')?.[1];
    if (prefix) return harvest.known(prefix, 0) ?? `${prefix}_${'0'.repeat(26)}`;
    if (name === 'operationId') return 'listServers';
    if (name === 'deprecationId') return 'ticket-requester-external-id';
    return name === 'scope' ? SCOPES[0] : 'missing-scope';
  });
}

// Operations that end an object come after those that need it.
const RANK: [RegExp, number][] = [
  [/^delete|^revoke/, 9],
  [/^suspend/, 7],
  [/^resume/, 8],
  [/^reset|^rotate|^setInstallation|^remove/, 6],
];
const rankOf = (id: string): number => RANK.find(([pattern]) => pattern.test(id))?.[1] ?? (id === 'deleteApp' ? 10 : 1);

/** All operations, in an order in which each can succeed. */
export const inOrder = [...publicApiOperations, ...managementOperations].sort((a, b) => rankOf(a.id) - rankOf(b.id));

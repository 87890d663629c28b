// Both sides of an installation in production for tests: the upstream API reports, and a member of the organisation
// restricts.
import {
  type Actor,
  consoleActor,
  type GrantState,
  SCOPES,
  type Scope,
  signAssertion,
} from '../src/access/authority/index.ts';
import { newUuid, toId } from '../src/kit/crypto/ids.ts';
import type { ResourceScope } from '../src/resources/events/index.ts';
import { type Answer, ask } from './app.ts';
import { INGEST_KEY, type LiveApp, type Production } from './production.fixture.ts';
import { reportedEvent } from './reported-events.ts';

export interface GrantBody {
  serverId: string;
  installation: { id: string; state: GrantState; scopes: { scope: Scope; state: GrantState }[] } | null;
  upstream: { state: GrantState; scopes: { scope: Scope; state: GrantState }[] } | null;
  restrictions: { scope: Scope | null; state: GrantState; restrictedBy: string | null; reason: string | null }[];
  isOverCap: boolean;
}
export interface StatementResult {
  isNews: boolean;
  state: GrantState;
  effectiveState: GrantState;
}

export const MEMBER = 'imke@example.org';

export async function manage<Body = Record<string, unknown>>(
  production: Production,
  app: LiveApp,
  method: string,
  path: string,
  body?: unknown,
  role: Actor['role'] = 'developer',
): Promise<Answer<Body>> {
  const { organisationId } = app;
  const actor: Actor = { kind: 'person', personId: 'p', name: MEMBER, organisationId, role, address: null };
  const assertion = await signAssertion(actor, 'production', production.options.managementKey);
  return ask(`${production.managementUrl}/organisations/${toId('org', organisationId)}/apps/${app.id}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${assertion}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** Sets the state of a server, or of one scope on it, as a member. */
export const restrict = (
  production: Production,
  app: LiveApp,
  serverId: string,
  state: GrantState,
  scope?: Scope,
  reason?: string,
): Promise<Answer<GrantBody>> => {
  const path = `/servers/${serverId}/installation${scope === undefined ? '' : `/scopes/${scope}`}`;
  return manage<GrantBody>(production, app, 'PUT', path, { state, ...(reason !== undefined && { reason }) });
};

let lastVersion = 0;
const nextVersion = (): number => {
  lastVersion += 1;
  return lastVersion;
};

/** Reports the installation of a server through the upstream API. Scopes that are not named are authorised. */
export function state(
  production: Production,
  app: LiveApp,
  serverId: string,
  whole: GrantState,
  scopes: Partial<Record<Scope, GrantState>> = {},
  version = nextVersion(),
): Promise<Answer<StatementResult>> {
  const grants = SCOPES.map((scope) => ({ scope, state: scopes[scope] ?? 'authorised' }));
  const path = `/apps/${app.id}/servers/${serverId}`;
  return ingest(production, 'PUT', path, { version, serverName: 'Harbour Lights', state: whole, scopes: grants });
}

/** Reports through the upstream API that a publication was published on a server. */
export function publish(production: Production, serverId: string, id: string): Promise<Answer> {
  const data = {
    id: toId('pub', newUuid()),
    serverId,
    channel: 'announcements',
    title: 'The November walk',
    bodyMarkdown: 'At nine.',
    status: 'published',
    author: 'Imke',
    tags: [],
    publishedAt: '2026-11-02T18:00:00.000Z',
    createdAt: '2026-11-01T20:12:44.000Z',
  };
  return ingest(production, 'POST', '/events', { id, type: 'publication.published', serverId, data });
}

/** Reports through the upstream API an event of the app, with a resource of this scope. Throws unless it is stored. */
export async function report(
  production: Production,
  app: LiveApp,
  scope: ResourceScope,
  serverId: string,
): Promise<void> {
  const event = reportedEvent(scope, serverId, app.id);
  const { status, body } = await ingest<{ written?: number }>(production, 'POST', '/events', event);
  if (body.written !== 1) throw new Error(`An event for ${scope} was answered ${status} ${JSON.stringify(body)}.`);
}

const ingest = <Body>(production: Production, method: string, path: string, body: object): Promise<Answer<Body>> =>
  ask(`${production.managementUrl}/ingest${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${INGEST_KEY}` },
    body: JSON.stringify(body),
  });

/** Orders the maximum number of servers that may authorise the app, as the Console does after an approval. */
export async function orderCap(production: Production, app: LiveApp, maxServers: number | null): Promise<void> {
  const { organisationId, id } = app;
  const assertion = await signAssertion(consoleActor(organisationId), 'production', production.options.managementKey);
  const path = `/organisations/${toId('org', organisationId)}/apps/${id}/live-access`;
  const order = { version: nextVersion(), name: 'Live', scopes: SCOPES, maxServers, standing: 'active' };
  const { status } = await ask(production.managementUrl + path, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${assertion}` },
    body: JSON.stringify(order),
  });
  if (status !== 200) throw new Error(`A cap was answered ${status}.`);
}

export async function grantOn(production: Production, app: LiveApp, serverId: string): Promise<GrantBody> {
  const { body } = await manage<{ data: GrantBody[] }>(production, app, 'GET', '/installations?limit=100');
  const found = body.data.find((one) => one.serverId === serverId);
  if (!found) throw new Error(`There is no server ${serverId}.`);
  return found;
}

export const scopeState = ({ installation }: GrantBody, scope: Scope): GrantState | undefined =>
  installation?.scopes.find((one) => one.scope === scope)?.state;

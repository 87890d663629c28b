// Reads that the upstream API answers. If the path names the server, the grant is checked before the request is
// forwarded; otherwise with the server that the response names.

import {
  type ApiCaller,
  createTenantReader,
  nextLink,
  type Plane,
  SCOPES,
  type Scope,
  type Tenant,
} from '../../access/authority/index.ts';
import { bytesOfId, toId, toUuid, uuidText } from '../../kit/crypto/ids.ts';
import type { AnyOperation, Incoming, Inputs, Reply } from '../../kit/http/operation.ts';
import { cursorsOf, DEFAULT_LIMIT, type ListQuery } from '../../kit/http/page.ts';
import { fillPath } from '../../kit/http/paths.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { isAllowed, requireAllowed } from './allowance-cache.ts';
import { type Gateway, get, headersFor } from './gateway.ts';
import type { AllowanceRow } from './store.ts';
import { fieldsOf, readAnswer, requireMatch, toValidJson } from './upstream-response.ts';

export interface ForwardContext {
  gateway: Gateway;
  operation: AnyOperation<Plane>;
  caller: ApiCaller;
  plane: Plane;
  incoming: Incoming;
  inputs: Inputs;
}

const MAX_CURSOR_CHARACTERS = 300;
export const HEADERS = { 'cache-control': 'private, no-cache' };

export function scopeOf({ id, access }: AnyOperation<Plane>): Scope {
  const scope = SCOPES.find((known) => known === access.scope);
  if (!scope) throw new Error(`${id} is forwarded and must have no scope.`);
  return scope;
}

/** Returns all scopes that an operation requires. */
export const scopesOf = (operation: AnyOperation<Plane>): readonly Scope[] => [
  scopeOf(operation),
  ...((operation.access.furtherScopes ?? []) as readonly Scope[]), // scopes of the contract
];

/** Returns the query of a request with validated parameters. */
export function queryOf(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}

/** Returns whether the upstream API may name the position of a page so. */
export const isPosition = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) && value.length <= MAX_CURSOR_CHARACTERS;

const uuidOf = (prefix: string, id: unknown): string | undefined => {
  const bytes = typeof id === 'string' ? bytesOfId(prefix, id) : undefined;
  return bytes && uuidText(bytes);
};

export function forwardRead(forwarded: ForwardContext): Promise<Reply> {
  const { operation } = forwarded;
  const isList = operation.query !== undefined;
  if (!operation.path.includes('{serverId}')) return isList ? forwardServers(forwarded) : forwardObject(forwarded);
  return isList ? forwardList(forwarded) : forwardServer(forwarded);
}

/** Returns the server in the path after its grant was checked. */
async function requireServer({ gateway, operation, caller, plane, inputs }: ForwardContext) {
  const { serverId } = inputs.ids;
  if (serverId === undefined) throw problem('not_found');
  const row = await gateway.allowances.find(caller, createTenantReader(plane.db.api, caller.appId), serverId);
  requireAllowed(row, scopeOf(operation));
  return { serverId, row };
}

async function readFromUpstream(forwarded: ForwardContext, serverId: string | undefined, query = ''): Promise<unknown> {
  const { gateway, operation, incoming, inputs } = forwarded;
  const headers = await headersFor(gateway, { ...forwarded, serverId });
  const result = await get(gateway, incoming, fillPath(operation.path, inputs.params) + query, headers);
  return readAnswer(result, 200, { operation, isRepeat: false });
}

const schemaOf = ({ replies }: AnyOperation<Plane>) => replies[200]?.schema;

/** Replaces the installation in the response by the installation that Slipway enforces. */
const withInstallation = (server: Record<string, unknown>, row: AllowanceRow): Record<string, unknown> => ({
  ...server,
  installation: {
    id: toId('ins', row.installation_id ?? ''), // exists, because access is allowed
    state: row.installation_state,
    scopes: row.scopes,
  },
});

async function forwardServer(forwarded: ForwardContext): Promise<Reply> {
  const { operation, inputs } = forwarded;
  const { serverId, row } = await requireServer(forwarded);
  const server = fieldsOf(await readFromUpstream(forwarded, serverId));
  requireMatch(server.id === inputs.params.serverId, row !== undefined);
  const json = toValidJson(schemaOf(operation), row && withInstallation(server, row));
  return { status: 200, json, headers: HEADERS };
}

/** Forwards a read of one object, whose response names the server. An object that the app may not see is not found. */
async function forwardObject(forwarded: ForwardContext): Promise<Reply> {
  const { gateway, operation, caller, plane, inputs } = forwarded;
  const object = fieldsOf(await readFromUpstream(forwarded, undefined));
  const json = toValidJson(schemaOf(operation), object);
  requireMatch(Object.values(inputs.params).includes(String(object.id)));
  const serverId = toUuid('srv', String(object.serverId));
  const row = await gateway.allowances.find(caller, createTenantReader(plane.db.api, caller.appId), serverId);
  requireAllowed(row, scopeOf(operation));
  return { status: 200, json, headers: HEADERS, grantorId: serverId };
}

async function forwardList(forwarded: ForwardContext): Promise<Reply> {
  const { inputs } = forwarded;
  const { serverId } = await requireServer(forwarded);
  return forwardPage(forwarded, serverId, async (data) => {
    requireMatch(...data.map((item) => fieldsOf(item).serverId === inputs.params.serverId));
    return data;
  });
}

async function forwardServers(forwarded: ForwardContext): Promise<Reply> {
  const { gateway, operation, caller, plane } = forwarded;
  const tenant: Tenant = createTenantReader(plane.db.api, caller.appId);
  return forwardPage(forwarded, undefined, async (data) => {
    const servers = data.map((item) => ({ server: fieldsOf(item), serverId: uuidOf('srv', fieldsOf(item).id) }));
    requireMatch(...servers.map(({ serverId }) => serverId !== undefined));
    const serverIds = servers.flatMap(({ serverId }) => serverId ?? []);
    const rows = await gateway.allowances.findAll(caller, tenant, serverIds);
    return servers.flatMap(({ server, serverId }) => {
      const row = serverId && rows.get(serverId);
      return row && isAllowed(row, scopeOf(operation)) ? [withInstallation(server, row)] : [];
    });
  });
}

/**
 * Forwards a list. Seals the cursor of the upstream API inside a cursor of Slipway, so that no client can forge one.
 */
async function forwardPage(
  forwarded: ForwardContext,
  serverId: string | undefined,
  look: (data: unknown[]) => Promise<unknown[]>,
): Promise<Reply> {
  const { operation, caller, plane, inputs } = forwarded;
  const { limit = DEFAULT_LIMIT, cursor } = inputs.query as ListQuery; // parameters of every list
  const path = fillPath(operation.path, inputs.params);
  const bound = { ...inputs.query, path, environment: plane.environment };
  const cursors = cursorsOf(caller.appId, operation.id, bound, plane.secrets.cursorKey);
  const position = cursors.open(cursor);
  const query = new URLSearchParams({ limit: String(limit), ...(position !== undefined && { cursor: position }) });
  const answer = fieldsOf(await readFromUpstream(forwarded, serverId, `?${query}`));
  const { data, nextCursor } = answer;
  requireMatch(Array.isArray(data));
  const listed = data as unknown[]; // checked by requireMatch
  requireMatch(listed.length <= limit, nextCursor === null || isPosition(nextCursor));
  const next = isPosition(nextCursor) ? cursors.seal(nextCursor) : null;
  const json = toValidJson(schemaOf(operation), { ...answer, data: await look(listed), nextCursor: next });
  const link = next === null ? {} : { link: nextLink(plane.urls.public + path, inputs.query, next) };
  return { status: 200, json, headers: { ...HEADERS, ...link } };
}

// Reads that the upstream API answers. If the path names the server, the grant is checked before the request is
// forwarded; otherwise with the server that the response names.

import {
  type Caller,
  nextLink,
  type Plane,
  readerOf,
  SCOPES,
  type Scope,
  type Tenant,
} from '../../access/authority/index.ts';
import { bytesOfId, toId, uuidText } from '../../kit/crypto/ids.ts';
import type { AnyOperation, Incoming, Inputs, Reply } from '../../kit/http/operation.ts';
import { cursorsOf, DEFAULT_LIMIT, type ListQuery } from '../../kit/http/page.ts';
import { fillPath } from '../../kit/http/paths.ts';
import { isAllowed, requireAllowed } from './allowance.ts';
import { fieldsOf, readAnswer, requireForm, requireSame } from './answer.ts';
import { type Gateway, get, headersFor } from './gateway.ts';
import type { AllowanceRow } from './store.ts';

export interface Forwarded {
  gateway: Gateway;
  operation: AnyOperation<Plane>;
  caller: Caller;
  plane: Plane;
  incoming: Incoming;
  inputs: Inputs;
}

const MAX_CURSOR_CHARACTERS = 300;
const HEADERS = { 'cache-control': 'private, no-cache' };

export function scopeOf({ id, access }: AnyOperation<Plane>): Scope {
  const scope = SCOPES.find((known) => known === access.scope);
  if (!scope) throw new Error(`${id} is forwarded and must have no scope.`);
  return scope;
}

const uuidOf = (prefix: string, id: unknown): string | undefined => {
  const bytes = typeof id === 'string' ? bytesOfId(prefix, id) : undefined;
  return bytes && uuidText(bytes);
};

export function forwardRead(forwarded: Forwarded): Promise<Reply> {
  const { operation } = forwarded;
  const isList = operation.query !== undefined;
  if (!operation.path.includes('{serverId}')) return isList ? forwardServers(forwarded) : forwardObject(forwarded);
  return isList ? forwardList(forwarded) : forwardServer(forwarded);
}

/** Returns the server in the path after its grant was checked. */
async function requireServer({ gateway, operation, caller, plane, inputs }: Forwarded) {
  const { serverId = '' } = inputs.ids;
  const row = await gateway.allowances.of(caller, readerOf(plane.db.api, caller.appId), serverId);
  requireAllowed(row, scopeOf(operation));
  return { serverId, row };
}

async function ask(forwarded: Forwarded, serverId: string | undefined, query = ''): Promise<unknown> {
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

async function forwardServer(forwarded: Forwarded): Promise<Reply> {
  const { operation, inputs } = forwarded;
  const { serverId, row } = await requireServer(forwarded);
  const server = fieldsOf(await ask(forwarded, serverId));
  requireSame(server.id === inputs.params.serverId, row !== undefined);
  const json = requireForm(schemaOf(operation), row && withInstallation(server, row));
  return { status: 200, json, headers: HEADERS };
}

/** Forwards a read of one object, whose response names the server. An object that the app may not see is not found. */
async function forwardObject(forwarded: Forwarded): Promise<Reply> {
  const { gateway, operation, caller, plane, inputs } = forwarded;
  const object = fieldsOf(await ask(forwarded, undefined));
  const json = requireForm(schemaOf(operation), object);
  requireSame(Object.values(inputs.params).includes(String(object.id)));
  const serverId = uuidOf('srv', object.serverId) ?? '';
  const row = await gateway.allowances.of(caller, readerOf(plane.db.api, caller.appId), serverId);
  requireAllowed(row, scopeOf(operation));
  return { status: 200, json, headers: HEADERS, subjectId: serverId };
}

async function forwardList(forwarded: Forwarded): Promise<Reply> {
  const { inputs } = forwarded;
  const { serverId } = await requireServer(forwarded);
  return page(forwarded, serverId, async (data) => {
    requireSame(...data.map((item) => fieldsOf(item).serverId === inputs.params.serverId));
    return data;
  });
}

async function forwardServers(forwarded: Forwarded): Promise<Reply> {
  const { gateway, operation, caller, plane } = forwarded;
  const tenant: Tenant = readerOf(plane.db.api, caller.appId);
  return page(forwarded, undefined, async (data) => {
    const servers = data.map((item) => ({ server: fieldsOf(item), serverId: uuidOf('srv', fieldsOf(item).id) }));
    requireSame(...servers.map(({ serverId }) => serverId !== undefined));
    const serverIds = servers.flatMap(({ serverId }) => serverId ?? []);
    const rows = await gateway.allowances.ofAll(caller, tenant, serverIds);
    return servers.flatMap(({ server, serverId = '' }) => {
      const row = rows.get(serverId);
      return row && isAllowed(row, scopeOf(operation)) ? [withInstallation(server, row)] : [];
    });
  });
}

/**
 * Forwards a list. Seals the cursor of the upstream API inside a cursor of Slipway, so that no client can forge one.
 */
async function page(
  forwarded: Forwarded,
  serverId: string | undefined,
  look: (data: unknown[]) => Promise<unknown[]>,
): Promise<Reply> {
  const { operation, caller, plane, inputs } = forwarded;
  const { limit = DEFAULT_LIMIT, cursor } = inputs.query as ListQuery; // parameters of every list
  const path = fillPath(operation.path, inputs.params);
  const bound = { ...inputs.query, path, environment: plane.environment };
  const cursors = cursorsOf(caller.appId, operation.id, bound, plane.cursorKey);
  const position = cursors.open(cursor);
  const query = new URLSearchParams({ limit: String(limit), ...(position !== undefined && { cursor: position }) });
  const answer = fieldsOf(await ask(forwarded, serverId, `?${query}`));
  const { data, nextCursor } = answer;
  requireSame(Array.isArray(data));
  const listed = data as unknown[]; // checked by requireSame
  const isPosition = typeof nextCursor === 'string' && /^[\x21-\x7e]+$/.test(nextCursor);
  requireSame(
    listed.length <= limit,
    nextCursor === null || (isPosition && nextCursor.length <= MAX_CURSOR_CHARACTERS),
  );
  const next = isPosition ? cursors.seal(nextCursor) : null;
  const json = requireForm(schemaOf(operation), { ...answer, data: await look(listed), nextCursor: next });
  const link = next === null ? {} : { link: nextLink(plane.publicUrl + path, inputs.query, next) };
  return { status: 200, json, headers: { ...HEADERS, ...link } };
}

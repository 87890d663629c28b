// Reads of an operator's contract that the upstream API answers. Access is checked before the request is sent, except if
// only the object in the response names the object that grants it.
import { createTenantReader, type Scope } from '../../access/authority/index.ts';
import { type AnyResource, type Content, grantorOf, OBJECT_LIMITS, valueAt } from '../../access/contracts/index.ts';
import type { Reply } from '../../kit/http/operation.ts';
import { cursorsOf } from '../../kit/http/page.ts';
import { fillPath } from '../../kit/http/paths.ts';
import type { OriginResult } from '../../kit/outbound/outbound-origin.ts';
import {
  limitOf,
  listBody,
  type NamedObject,
  nextFieldOf,
  nextLinkOf,
  pageLinksOf,
  pageRequestOf,
  withoutPaging,
} from '../../resources/operations/index.ts';
import { isAllowed } from './allowance-cache.ts';
import {
  type DeclaredOperation,
  findServer,
  locateFrom,
  requireGrants,
  requireNamedObjects,
  serverIn,
} from './declared-operation.ts';
import { readReply, requireItems } from './declared-reply.ts';
import { type ForwardContext, HEADERS, isPosition, queryOf, scopesOf } from './forward-read.ts';
import { acceptOf, get, headersFor } from './gateway.ts';
import { fieldsOf, jsonOf, requireMatch, requireStatus, toValidJson } from './upstream-response.ts';

type ListContent = Extract<Content, { of: 'list' }>;
type Fields = Readonly<Record<string, unknown>>;

export async function forwardDeclaredRead(forwarded: ForwardContext, one: DeclaredOperation): Promise<Reply> {
  const named = requireNamedObjects(forwarded, one);
  const { resource, declared, reach } = one;
  const { content, effect } = declared;
  if (content.of === 'list') return forwardList(forwarded, one, content, named);
  // The response names the granting object, or an object above which leads to it.
  const isInResponse =
    reach?.by === 'object' && reach.resource === resource && effect === 'get' && content.of === 'object';
  const known = isInResponse ? undefined : await findServer(forwarded, one, named);
  if (known !== undefined) await requireGrants(forwarded, known);
  const result = await ask(forwarded, known, queryOf(forwarded.inputs.query));
  const { status, json, contentType, object } = readReply(forwarded, one, result, { named, serverId: known });
  const serverId = known ?? (await locateFrom(forwarded, resource, object ?? {}, forwarded.inputs.params));
  if (known === undefined) await requireGrants(forwarded, serverId);
  const headers = { ...HEADERS, ...(contentType !== undefined && { 'content-type': contentType }) };
  return { status, ...(json !== undefined && { json }), headers, grantorId: serverId };
}

async function ask(forwarded: ForwardContext, serverId: string | undefined, query: string): Promise<OriginResult> {
  const { gateway, operation, incoming, inputs } = forwarded;
  const accept = acceptOf(operation, incoming);
  const headers = await headersFor(gateway, { ...forwarded, serverId, accept });
  return get(gateway, incoming, fillPath(operation.path, inputs.params) + query, headers);
}

async function forwardList(
  forwarded: ForwardContext,
  one: DeclaredOperation,
  content: ListContent,
  named: readonly NamedObject[],
): Promise<Reply> {
  const { operation, caller, plane, inputs } = forwarded;
  const { resource, declared, reach } = one;
  const { paging } = content;
  const serverId = reach?.by === 'items' ? undefined : await findServer(forwarded, one, named);
  if (serverId !== undefined) await requireGrants(forwarded, serverId);
  const path = fillPath(operation.path, inputs.params);
  const { cursor, skip, limit: assumed } = pageRequestOf(paging, inputs.query);
  // Without a number from the client or the contract, the upstream API decides how many objects a page has.
  const wanted = limitOf(paging, inputs.query);
  const limitName = paging.by === 'none' ? undefined : paging.limit;
  const filter = withoutPaging(content, inputs.query);
  const bound = { filter, path, environment: plane.environment };
  const cursors = cursorsOf(caller.appId, operation.id, bound, plane.secrets.cursorKey);
  const position = paging.by === 'cursor' ? cursors.open(cursor, `/query/${paging.parameter}`) : undefined;
  const sent = {
    ...inputs.query,
    ...(limitName !== undefined && wanted !== undefined && { [limitName]: wanted }),
    ...(paging.by === 'cursor' && { [paging.parameter]: position }),
  };
  const result = await ask(forwarded, serverId, queryOf(sent));
  const response = requireStatus(result, declared.status, { operation, isRepeat: false });
  const body = jsonOf(response, content.type);
  const listed = valueAt(body, content.in);
  requireMatch(Array.isArray(listed));
  const items = (listed as unknown[]).map(fieldsOf); // checked by requireMatch
  requireMatch(items.length <= (wanted ?? OBJECT_LIMITS.unpagedObjects));
  requireItems(resource, items, { named, serverId });
  const allowed = serverId === undefined ? await filterGranted(forwarded, resource, items) : items;
  const next = paging.by === 'cursor' ? nextPositionOf(body, response.headers.link, content) : null;
  const sealed = next === null ? null : cursors.seal(next);
  // A page of unknown size can be full if it has any object.
  const isFull = wanted === undefined ? items.length > 0 : items.length === wanted;
  const isMore = paging.by === 'cursor' ? sealed !== null : limitName !== undefined && isFull;
  const page = { next: sealed, skip, limit: paging.by === 'offset' ? items.length : assumed };
  const url = plane.urls.public + path;
  const link = isMore ? nextLinkOf(url, content, inputs.query, page) : undefined;
  const known = {
    ...pageLinksOf(url, content, inputs.query, { ...page, isMore }),
    // The upstream API also counts the objects that grants withhold.
    ...(serverId === undefined && { total: [], pages: [], count: [allowed.length] }),
  };
  return {
    status: declared.status,
    json: toValidJson(
      operation.replies[declared.status]?.schema,
      listBody(content, allowed, sealed, { given: body, known }),
    ),
    headers: { ...HEADERS, ...(link !== undefined && { link }) },
    ...(serverId !== undefined && { grantorId: serverId }),
  };
}

/** Returns the objects whose granting objects permit every scope of the operation. */
async function filterGranted(
  { gateway, caller, plane, operation }: ForwardContext,
  resource: AnyResource,
  items: readonly Fields[],
): Promise<Fields[]> {
  const located = items.map((item) => ({ item, serverId: serverIn(resource, item) }));
  requireMatch(grantorOf(resource) !== undefined, ...located.map(({ serverId }) => serverId !== undefined));
  const serverIds = located.flatMap(({ serverId }) => serverId ?? []);
  const tenant = createTenantReader(plane.db.api, caller.appId);
  const rows = await gateway.allowances.findAll(caller, tenant, serverIds);
  const scopes: readonly Scope[] = scopesOf(operation);
  return located.flatMap(({ item, serverId }) => {
    const row = serverId && rows.get(serverId);
    return row && scopes.every((scope) => isAllowed(row, scope)) ? [item] : [];
  });
}

/** Returns the upstream API's cursor of the next page, from the declared field or from its header Link. */
function nextPositionOf(body: unknown, link: string | string[] | undefined, content: ListContent): string | null {
  const field = nextFieldOf(content);
  const given = field === undefined ? positionInLink(link, content) : valueAt(body, field.path);
  requireMatch(given === null || isPosition(given) || (field !== undefined && given === field.end));
  return isPosition(given) ? given : null;
}

function positionInLink(link: string | string[] | undefined, { paging }: ListContent): string | null {
  const next = /<([^<>]*)>\s*;\s*rel="?next"?/.exec([link].flat().join(', '))?.[1];
  if (next === undefined || paging.by === 'none') return null;
  return new URLSearchParams(next.split('?')[1] ?? '').get(paging.parameter);
}

// A reference upstream API made from the contract of the process (SLIPWAY_CONTRACT), as the operator of that API might
// write it: a real HTTP server with objects in memory. It verifies the caller, pages its lists, and carries out each
// mutation once. A test may replace or change its responses.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwtVerify } from 'jose';
import {
  type AnyResource,
  exampleOf,
  type OperationDeclaration,
  objectInBody,
  resources,
} from '../src/access/contracts/index.ts';
import { newUuid, toId } from '../src/kit/crypto/ids.ts';
import { IDENTITY_KEY } from './reference-upstream.ts';

type Fields = Record<string, unknown>;

/** An object with its place below other objects. */
interface StoredObject {
  resource: AnyResource;
  key: string;
  parent: StoredObject | undefined;
  fields: Fields;
}

export interface UpstreamRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  claims: Fields;
  body: string;
}

interface UpstreamAnswer {
  status: number;
  body?: unknown;
  type?: string;
  headers?: Record<string, string>;
}

export interface ContractUpstream {
  url: string;
  /** The requests that it received, oldest first. */
  requests: UpstreamRequest[];
  objects: StoredObject[];
  /** Adds an object with the fields of the example. */
  add(kind: string, fields?: Fields, parent?: StoredObject): StoredObject;
  /** Changes its answers until it is undefined again. */
  change: ((answer: UpstreamAnswer, request: UpstreamRequest) => UpstreamAnswer | undefined) | undefined;
  /** The number of objects in a page if a request has no limit. */
  pageSize: number;
  /** Writes its responses until it is undefined again. */
  respond: ((request: UpstreamRequest, response: ServerResponse) => void) | undefined;
  close(): Promise<void>;
}

const idFieldOf = ({ identity }: AnyResource): string | undefined => (identity ? identity.field : 'id');

function newId({ identity, idPrefix, kind }: AnyResource, number: number): string | number {
  if (!identity) return toId(idPrefix, newUuid());
  if (identity.form === 'integer') return number;
  if (identity.form === 'uuid') return newUuid();
  return `${identity.prefix ?? `${kind}-`}${number}`;
}

function linksOf({ identity, parentField }: AnyResource, parent: StoredObject | undefined): Fields {
  const links: Fields = {};
  const ofParent = parent && (idFieldOf(parent.resource) ?? '');
  if (identity && parent && parentField !== undefined) links[parentField] = parent.fields[ofParent ?? ''];
  if (!identity) for (let one = parent; one; one = one.parent) links[one.resource.idName] = one.key;
  return links;
}

/** Returns a body with a value at a path such as `data.items`. */
function nested(path: string | undefined, value: unknown, more: [path: string, value: unknown][] = []): unknown {
  const body: Fields = {};
  for (const [at, inner] of [[path ?? '', value] as const, ...more]) {
    if (at === '') return inner;
    const names = at.split('.');
    const last = names.pop() ?? '';
    let target = body;
    for (const name of names) {
      target[name] ??= {};
      target = target[name] as Fields; // set above
    }
    target[last] = inner;
  }
  return body;
}

interface Route {
  resource: AnyResource;
  declared: OperationDeclaration;
  pattern: RegExp;
}

const ROUTES: Route[] = resources.flatMap((resource: AnyResource) =>
  Object.values(resource.operations ?? {}).map((declared) => ({
    resource,
    declared,
    pattern: new RegExp(`^/v1${declared.path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  })),
);

const isAbove = (object: StoredObject, above: StoredObject): boolean =>
  object.parent === above || (object.parent !== undefined && isAbove(object.parent, above));

const NOT_FOUND: UpstreamAnswer = { status: 404, body: { code: 'not_found' } };

export async function startContractUpstream(): Promise<ContractUpstream> {
  const objects: StoredObject[] = [];
  const requests: UpstreamRequest[] = [];
  const answers = new Map<string, { request: string; answer: UpstreamAnswer }>();
  const key = new TextEncoder().encode(IDENTITY_KEY);
  let count = 1_000; // above the identifiers that tests choose

  function add(resource: AnyResource, fields: Fields, parent: StoredObject | undefined): StoredObject {
    count += 1;
    const idField = idFieldOf(resource);
    const id = (idField === undefined ? undefined : fields[idField]) ?? newId(resource, count);
    const object: Fields = { ...resource.example, ...linksOf(resource, parent), ...fields };
    if (idField !== undefined) object[idField] = id;
    const stored = { resource, key: String(id), parent, fields: object };
    objects.push(stored);
    return stored;
  }
  const find = (resource: AnyResource, wanted: unknown): StoredObject | undefined =>
    objects.find((one) => one.resource === resource && one.key === String(wanted));

  function pageOf({ resource, declared }: Route, above: StoredObject | undefined, url: URL): UpstreamAnswer {
    const { content } = declared;
    if (content.of !== 'list') throw new Error('The operation is no list.');
    const { paging, in: path } = content;
    const isListed = (one: StoredObject): boolean =>
      one.resource === resource &&
      (!above || isAbove(one, above)) &&
      [...url.searchParams].every(([name, value]) => !(name in resource.fields) || String(one.fields[name]) === value);
    const all = objects.filter(isListed).reverse();
    const items = (some: StoredObject[]) => some.map(({ fields }) => fields);
    if (paging.by === 'none') return { status: declared.status, body: nested(path, items(all)) };
    const limit =
      paging.limit === undefined ? all.length : Number(url.searchParams.get(paging.limit) ?? upstream.pageSize);
    const position = url.searchParams.get(paging.parameter);
    const from = {
      cursor: all.findIndex((one) => `after:${one.key}` === position) + 1,
      page: (Number(position ?? 1) - 1) * limit,
      offset: Number(position ?? 0),
    }[paging.by];
    const page = all.slice(from, from + limit);
    const next = from + page.length < all.length ? `after:${page.at(-1)?.key}` : null;
    if (paging.by !== 'cursor') return { status: declared.status, body: nested(path, items(page)) };
    if (paging.next !== undefined)
      return { status: declared.status, body: nested(path, items(page), [[paging.next, next]]) };
    const link = next === null ? undefined : `<${url.pathname}?${paging.parameter}=${next}>; rel="next"`;
    return {
      status: declared.status,
      body: nested(path, items(page)),
      ...(link !== undefined && { headers: { link } }),
    };
  }

  function answerWith({ declared }: Route, object: StoredObject | undefined): UpstreamAnswer {
    const { status, content } = declared;
    if (content.of === 'nothing') return { status };
    if (content.of === 'file')
      return { status, body: Buffer.from([0x25, 0x50, 0xff, 0x00]), type: content.types[0] ?? '' };
    if (content.of === 'value') return { status, body: exampleOf({ ...content.schema }) };
    return { status, body: nested(content.in, object?.fields) };
  }

  function act(route: Route, params: Record<string, string>, url: URL, text: string): UpstreamAnswer {
    const { resource, declared } = route;
    const body: Fields = { ...objectInBody(declared, text === '' ? {} : JSON.parse(text)) };
    const { effect, becomes } = declared;
    let above: StoredObject | undefined;
    for (let one = resource.parent; one && !above; one = one.parent) {
      if (params[one.idName] === undefined) continue;
      above = find(one, params[one.idName]);
      if (!above) return NOT_FOUND;
    }
    if (declared.content.of === 'list') return pageOf(route, above, url);
    const own = params[resource.idName] === undefined ? undefined : find(resource, params[resource.idName]);
    if (effect === 'create' || (declared.creates && !own)) {
      const { parent, parentField = '' } = resource;
      const under = above ?? (parent && find(parent, body[parentField]));
      const idField = idFieldOf(resource) ?? '';
      const inPath = params[resource.idName];
      const given =
        inPath === undefined ? {} : { [idField]: resource.identity?.form === 'integer' ? Number(inPath) : inPath };
      const answered = { ...route, declared: { ...declared, ...declared.creates } };
      return parent && !under ? NOT_FOUND : answerWith(answered, add(resource, { ...body, ...given }, under));
    }
    if (params[resource.idName] !== undefined && (!own || (above && !isAbove(own, above)))) return NOT_FOUND;
    if (effect === 'delete' && own) objects.splice(objects.indexOf(own), 1);
    if (own && (effect === 'update' || effect === 'replace')) Object.assign(own.fields, body);
    if (own && becomes !== undefined) own.fields[resource.stateField ?? 'status'] = becomes;
    return answerWith(route, own);
  }

  const upstream: ContractUpstream = {
    url: '',
    requests,
    objects,
    add(kind, fields = {}, parent = undefined) {
      const resource = resources.find((one) => one.kind === kind);
      if (!resource) throw new Error(`The contract has no resource ${kind}.`);
      return add(resource, fields, parent);
    },
    change: undefined,
    pageSize: 10,
    respond: undefined,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };

  /** Carries out each mutation once. */
  function answerOnce(
    route: Route,
    params: Record<string, string>,
    url: URL,
    { method, headers, body }: UpstreamRequest,
  ) {
    const idempotencyKey = String(headers['idempotency-key']);
    const request = `${method} ${url.pathname} ${body}`;
    const stored = method === 'GET' ? undefined : answers.get(idempotencyKey);
    if (stored)
      return stored.request === request ? stored.answer : { status: 422, body: { code: 'idempotency_key_reused' } };
    const answer = act(route, params, url, body);
    if (method !== 'GET' && answer.status < 300) answers.set(idempotencyKey, { request, answer });
    return answer;
  }

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = incoming;
    const url = new URL(incoming.url ?? '', 'http://x');
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const token = String(headers.authorization).replace('Bearer ', '');
    const verified = await jwtVerify(token, key, { audience: upstream.url, issuer: 'slipway:production' }).catch(
      () => undefined,
    );
    const request = { method, path: incoming.url ?? '', headers, claims: { ...verified?.payload }, body };
    requests.push(request);
    if (upstream.respond) return upstream.respond(request, response);
    const routes = ROUTES.filter((one) => one.declared.method === method && one.pattern.test(url.pathname));
    const [route] = routes.sort(
      (one, other) => one.declared.path.split('{').length - other.declared.path.split('{').length,
    );
    const params = Object.entries({ ...route?.pattern.exec(url.pathname)?.groups });
    const decoded = Object.fromEntries(params.map(([name, value]) => [name, decodeURIComponent(value)]));
    const made = verified && route ? answerOnce(route, decoded, url, request) : { status: verified ? 404 : 401 };
    const { status, body: content, type, headers: more }: UpstreamAnswer = upstream.change?.(made, request) ?? made;
    const isError = status >= 300;
    const declared = route && 'type' in route.declared.content ? route.declared.content.type : undefined;
    const media = type ?? (isError ? 'application/problem+json' : (declared ?? 'application/json'));
    response.writeHead(status, { ...(content !== undefined && { 'content-type': media }), ...more });
    response.end(content === undefined || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  upstream.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP address
  return upstream;
}

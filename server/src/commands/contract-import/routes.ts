// The operations of a document, each with its path in parts and its successful response.
import { isPathName } from '../../access/contracts/index.ts';
import type { Method } from '../../kit/http/operation.ts';
import { isObject } from './document.ts';
import { examplesOf, findJson, isJson, jsonTypeOf, reportTypes } from './media-types.ts';
import type { Part } from './part.ts';

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const OTHER_METHODS = ['head', 'options', 'trace'];

/** A part of a path: a name, or a parameter. */
export interface Segment {
  name: string;
  isParameter: boolean;
}

export interface Route {
  method: Method;
  segments: readonly Segment[];
  operation: Part;
  /** Parameters of the operation and of its path. */
  parameters: readonly Part[];
  success: Success;
  /** The response of a PUT that creates the object. */
  created?: Success;
}

/** The successful response of an operation. */
export interface Success {
  status: number;
  /** The schema of a response in JSON. */
  schema?: Part;
  /** The media type of a response in JSON; undefined for `application/json`. */
  type?: string;
  /** The media types of a response that is no JSON. */
  types: readonly string[];
  /** Example responses. */
  examples: readonly Part[];
  headers: readonly [name: string, header: Part][];
}

/** A first part that versions an API or groups all of its paths, and names no resource. */
const MOUNT = /^(?:api|rest|v\d+(?:\.\d+)*)$/i;

export function readRoutes(root: Part): Route[] {
  const paths = root.at('paths')?.entries() ?? [];
  const read = paths.flatMap(([template, given]) => {
    const segments = segmentsOf(template, given);
    const path = given.target();
    return segments && path && isObject(path.value) ? methodsOf(path, segments) : [];
  });
  return withoutMount(read, root.at('paths'));
}

function segmentsOf(template: string, path: Part): Segment[] | undefined {
  if (!template.startsWith('/')) {
    if (!template.startsWith('x-')) path.report('is a path that does not begin with a slash');
    return undefined;
  }
  if (/.\/$/.test(template)) path.report('is a path that ends with a slash. The path of the contract has none');
  const parts = template.split('/').filter(Boolean);
  const segments = parts.map((part) => {
    const parameter = /^\{([^{}/]+)\}$/.exec(part)?.[1];
    return { name: parameter ?? part, isParameter: parameter !== undefined };
  });
  const wrong = segments.find(({ name, isParameter }) => !isParameter && !isPathName(name));
  if (wrong)
    path.report(
      `has the part ${wrong.name.slice(0, 60)} in its path, which a route cannot have. The contract leaves out the operations of the path`,
    );
  return wrong || segments.length === 0 ? undefined : segments;
}

function methodsOf(path: Part, segments: readonly Segment[]): Route[] {
  for (const name of OTHER_METHODS)
    path.own(name)?.report(`is the method ${name.toUpperCase()}, which the server answers itself`);
  return METHODS.flatMap((method) => {
    const operation = path.at(method.toLowerCase());
    if (!operation || !isObject(operation.value)) return [];
    const { success, created } = successesOf(operation, method);
    for (const [name, callback] of operation.at('callbacks')?.entries() ?? [])
      callback.report(`is the callback ${name.slice(0, 60)}. Webhooks of an endpoint replace callbacks`);
    return [
      { method, segments, operation, parameters: parametersOf(path, operation), success, ...(created && { created }) },
    ];
  });
}

function parametersOf(path: Part, operation: Part): Part[] {
  const all = new Map<string, Part>();
  for (const part of [...(path.at('parameters')?.items() ?? []), ...(operation.at('parameters')?.items() ?? [])]) {
    const target = part.target();
    if (target) all.set(`${target.text('in')} ${target.text('name')}`, target);
  }
  return [...all.values()];
}

function successesOf(operation: Part, method: Method): Pick<Route, 'success' | 'created'> {
  const responses = operation.at('responses')?.entries() ?? [];
  const found = responses.filter(([status]) => /^2(?:\d\d|XX)$/i.test(status)).sort(([a], [b]) => (a < b ? -1 : 1));
  const creation = method === 'PUT' ? found.find(([status]) => status === '201') : undefined;
  const replacements = found.length > 1 ? found.filter((one) => one !== creation) : found;
  const [first, ...others] =
    replacements.length > 0 ? replacements : responses.filter(([status]) => status === 'default');
  if (!first) {
    operation.report('has no successful response. In the contract, its response has no content');
    return { success: { status: 204, types: [], examples: [], headers: [] } };
  }
  for (const [status] of others) reportSecond(operation, status);
  // The server answers a read with 304 if its `ETag` is that of `If-None-Match`.
  for (const [status, other] of responses)
    if (/^3/.test(status) && !(status === '304' && method === 'GET'))
      other.report('is a redirect, which the contract does not send');
  const success = successOf(first);
  return { success, ...(creation && { created: creation === first ? success : successOf(creation) }) };
}

export const reportSecond = (operation: Part, status = '201'): void =>
  operation
    .at('responses')
    ?.own(status)
    ?.report(`is a second successful response (${status}). The contract has the first`);

function successOf([code, given]: readonly [status: string, response: Part]): Success {
  const status = /^\d+$/.test(code) ? Number(code) : 200;
  const response = given.target();
  const headers = response?.at('headers')?.entries() ?? [];
  const media = response?.at('content')?.entries() ?? [];
  const json = findJson(media.filter(([, { object }]) => object.schema !== undefined));
  if (json) {
    reportTypes(media, json, 'response');
    const type = jsonTypeOf(json[0]);
    const content = { ...schemaOf(json[1]), ...(type !== undefined && { type }) };
    return { status, types: [], examples: examplesOf(json[1]), headers, ...content };
  }
  const types = media.map(([type]) => type.toLowerCase()).filter((type) => !isJson(type));
  return { status, types, examples: [], headers };
}

function schemaOf(media: Part): { schema?: Part } {
  const schema = media.own('schema');
  return schema?.target() ? { schema } : {};
}

/** Removes the first parts that all paths share, if they only version the API. */
function withoutMount(routes: readonly Route[], paths: Part | undefined): Route[] {
  const [route] = routes;
  const shared: string[] = [];
  for (const { name, isParameter } of route?.segments ?? []) {
    const isShared = routes.every(
      ({ segments }) => segments[shared.length]?.name === name && segments.length > shared.length + 1,
    );
    if (isParameter || !MOUNT.test(name) || !isShared) break;
    shared.push(name);
  }
  if (shared.length > 0) paths?.report(`begin with /${shared.join('/')}. The contract mounts them under /v1`);
  return routes.map((one) => ({ ...one, segments: one.segments.slice(shared.length) }));
}

export const templateOf = (segments: readonly Segment[]): string =>
  segments.map(({ name, isParameter }) => (isParameter ? '/{}' : `/${name}`)).join('');

// Groups the operations of a document by the resource that they are about. A collection is a path such as
// `/orders`, with the operations on it and on the path of one object, `/orders/{orderId}`.
import { isPagingParameter } from './paging.ts';
import type { Part } from './part.ts';
import { type Route, type Segment, templateOf } from './routes.ts';
import { componentPointer, fieldsOf, type Shape, shapeOf } from './shapes.ts';
import { singular, wordsOf } from './words.ts';

export interface CollectionRoute {
  route: Route;
  shape?: Shape;
  /** `item` is an operation on one object, `list` and `create` one on the collection. */
  role: 'list' | 'create' | 'item';
}

export interface PathCollection {
  /** The path without parameters, which identifies the collection. */
  template: string;
  segments: readonly Segment[];
  /** The parameter that identifies one object, with its schema. */
  parameter?: { name: string; schema?: Part };
  members: CollectionRoute[];
}

interface RouteGroups {
  collections: PathCollection[];
  /** The operations that belong to no collection. */
  others: Route[];
}

export function groupRoutes(routes: readonly Route[]): RouteGroups {
  const collections = new Map<string, PathCollection>();
  const collectionOf = (segments: readonly Segment[]): PathCollection => {
    const template = templateOf(segments);
    const known = collections.get(template) ?? { template, segments, members: [] };
    collections.set(template, known);
    return known;
  };
  const others = routes.filter((route) => {
    const role = roleOf(route);
    if (!role) return true;
    const { segments } = route;
    const collection = collectionOf(role === 'item' ? segments.slice(0, -1) : segments);
    const last = segments.at(-1);
    if (role === 'item' && last) collection.parameter ??= parameterOf(route, last.name);
    const shape = shapeOfRoute(route);
    collection.members.push({ route, role, ...(shape && { shape }) });
    return false;
  });
  // A POST to a path without a list or an object of its own creates an object only if the response identifies one.
  const readable = readableObjects([...collections.values()]);
  for (const [template, { members, parameter, segments }] of collections) {
    const [only] = members;
    if (parameter || members.some(({ role }) => role === 'list') || !only) continue;
    const last = segments.at(-1)?.name ?? '';
    // `POST /orders/{orderId}/cancel` acts on an order; `POST /orders/{orderId}/refunds` creates a refund.
    const isAction = segments.at(-2)?.isParameter === true && singular(last) === last;
    const isCreated = !isAction && only.route.success.status === 201 && only.shape?.of === 'object';
    if (isCreated || isAccepted(only, template, readable)) continue;
    if (!isAction && only.shape?.of === 'object' && identifies(only.shape.schema, last)) continue;
    collections.delete(template);
    others.push(...members.map(({ route }) => route));
  }
  for (const route of others) nameParameter(route, collections);
  return { collections: [...collections.values()], others };
}

/** Finds the parameter of a collection whose objects only have operations below their path, `/orders/{orderId}/receipt`. */
function nameParameter(route: Route, collections: Map<string, PathCollection>): void {
  const at = route.segments.findLastIndex(({ isParameter }) => isParameter);
  const collection = collections.get(templateOf(route.segments.slice(0, Math.max(at, 0))));
  if (collection) collection.parameter ??= parameterOf(route, route.segments[at]?.name ?? '');
}

/** Returns the collections in which an object of each component is read by its identifier. */
function readableObjects(collections: readonly PathCollection[]): Map<string, string[]> {
  const readable = new Map<string, string[]>();
  for (const { template, members } of collections)
    for (const { role, route, shape } of members) {
      if (role !== 'item' || route.method !== 'GET' || shape?.of !== 'object') continue;
      const pointer = componentPointer(shape.schema);
      readable.set(pointer, [...(readable.get(pointer) ?? []), template]);
    }
  return readable;
}

/**
 * Returns whether the response is 202 with an object that another path returns, such as `POST /orders/batch` with a job of
 * `GET /jobs/{jobId}`. Such a request creates the object, because clients poll it.
 */
function isAccepted({ route, shape }: CollectionRoute, template: string, readable: Map<string, string[]>): boolean {
  if (route.success.status !== 202 || shape?.of !== 'object') return false;
  const paths = readable.get(componentPointer(shape.schema)) ?? [];
  // The response of `POST /orders/{orderId}/cancel` is the order of the path, so the request creates nothing.
  return paths.length > 0 && !paths.some((path) => template.startsWith(`${path}/`));
}

function roleOf(route: Route): CollectionRoute['role'] | undefined {
  const { method, segments } = route;
  const last = segments.at(-1);
  const before = segments.at(-2);
  if (last?.isParameter) return before && method !== 'POST' ? 'item' : undefined;
  if (method === 'GET' && shapeOfRoute(route)?.of === 'list') return 'list';
  return method === 'POST' && shapeOfRoute(route)?.of !== 'list' ? 'create' : undefined;
}

/** Returns the shape of the response. A PUT whose replacement has no content has that of its creation. */
export function shapeOfRoute({ segments, success, created, parameters }: Route): Shape | undefined {
  const last = segments.filter(({ isParameter }) => !isParameter).at(-1)?.name ?? '';
  const isPaged = parameters.some((part) => part.text('in') === 'query' && isPagingParameter(part));
  const schema = success.schema ?? (success.types.length > 0 ? undefined : created?.schema);
  return schema && shapeOf(schema, last, isPaged);
}

function parameterOf({ parameters }: Route, name: string): { name: string; schema?: Part } {
  const part = parameters.find((one) => one.text('in') === 'path' && one.text('name') === name);
  const schema = part?.at('schema');
  return { name, ...(schema && { schema }) };
}

/** Returns whether an object has a field such as `id`, `orderId` or `order_id`. */
export function identifies(schema: Part, segment: string): boolean {
  const one = wordsOf(segment).map(singular).join('');
  return [...fieldsOf(schema).keys()].some((field) => ['id', 'uuid', `${one}id`].includes(wordsOf(field).join('')));
}

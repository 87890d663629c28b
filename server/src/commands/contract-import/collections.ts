// Groups the operations of a document by the resource that they are about. A collection is a path such as
// `/orders`, with the operations on it and on the path of one object, `/orders/{orderId}`.
import { findJson } from './media-types.ts';
import { isPagingParameter } from './paging.ts';
import { queryParametersOf } from './parameters.ts';
import type { Part } from './part.ts';
import { type Route, type Segment, templateOf } from './routes.ts';
import { componentPointer, fieldsOf, hasField, requiredIn, type Shape, shapeOf } from './shapes.ts';
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
  const all = [...collections.values()];
  const [known, readable] = [componentsOf(all), componentsOf(all, isRead)];
  for (const [template, { members, parameter, segments }] of collections) {
    const [only] = members;
    if (parameter || members.some(({ role }) => role === 'list') || !only) continue;
    const last = segments.at(-1)?.name ?? '';
    // `POST /orders/{orderId}/cancel` acts on an order; `POST /orders/{orderId}/refunds` creates a refund.
    const isVerb = singular(last) === last;
    const isAction = isVerb && segments.at(-2)?.isParameter === true;
    const isOnPath = returnsObjectOf(template, only, known) && (isVerb || !describesObject(only));
    const isCreated = !isAction && only.route.success.status === 201 && only.shape?.of === 'object';
    if (!isOnPath && (isCreated || isAccepted(only, readable))) continue;
    if (!isOnPath && !isAction && only.shape?.of === 'object' && identifies(only.shape.schema, last)) continue;
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

const isRead = ({ role, route, shape }: CollectionRoute): boolean =>
  role === 'item' && route.method === 'GET' && shape?.of === 'object';

/** Returns the templates of the collections whose members have the objects of each component. */
function componentsOf(
  collections: readonly PathCollection[],
  isIncluded: (member: CollectionRoute) => boolean = () => true,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { template, members } of collections)
    for (const member of members) {
      if (!member.shape || member.shape.of === 'value' || !isIncluded(member)) continue;
      const pointer = componentPointer(member.shape.schema);
      found.set(pointer, (found.get(pointer) ?? new Set()).add(template));
    }
  return found;
}

/**
 * Returns whether the response is an object that the path names, such as the order of
 * `POST /orders/{orderId}/actions/cancel`. Such a request changes that object and creates nothing.
 */
function returnsObjectOf(
  template: string,
  { shape }: CollectionRoute,
  known: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  if (shape?.of !== 'object') return false;
  const templates = [...(known.get(componentPointer(shape.schema)) ?? [])];
  return templates.some((one) => template.startsWith(`${one}/{}/`));
}

/**
 * Returns whether the body describes a whole object of the response, as that of `POST /tasks/{taskId}/subtasks` describes a
 * task: the object has each field that the body requires, or each one of a body that requires none.
 */
function describesObject({ route: { operation, segments }, shape }: CollectionRoute): boolean {
  const media = operation.at('requestBody', 'content')?.entries() ?? [];
  const given = findJson(media)?.[1].own('schema');
  if (!given || !shape) return false;
  const body = shapeOf(given, segments.at(-1)?.name ?? '', false).schema;
  if (componentPointer(body) === componentPointer(shape.schema)) return true;
  const names = [...fieldsOf(body).keys()];
  const required = requiredIn(body);
  const decisive = required.size > 0 ? names.filter((name) => required.has(name)) : names;
  return decisive.length > 0 && decisive.every((name) => hasField(shape.schema, name));
}

/**
 * Returns whether the response is 202 with an object that another path returns, such as `POST /orders/batch` with a job of
 * `GET /jobs/{jobId}`. Such a request creates the object, because clients poll it.
 */
const isAccepted = ({ route, shape }: CollectionRoute, readable: ReadonlyMap<string, unknown>): boolean =>
  route.success.status === 202 && shape?.of === 'object' && readable.has(componentPointer(shape.schema));

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
  const isPaged = queryParametersOf(parameters).some(isPagingParameter);
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

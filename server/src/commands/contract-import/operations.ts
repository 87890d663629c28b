// The declaration of an operation: its path, scopes, inputs, and the content of its response.
import {
  type Content,
  fits,
  isFileType,
  isReservedOperation,
  isReservedPath,
  isSearch,
  isWireName,
  type OperationDeclaration,
  type Paging,
} from '../../access/contracts/index.ts';
import { typeName } from '../../kit/http/preferred-type.ts';
import { shapeOfRoute } from './collections.ts';
import { aroundOf } from './envelopes.ts';
import { reportHeaders } from './left-out.ts';
import { examplesOf, findJson, jsonTypeOf, reportTypes } from './media-types.ts';
import { pagingOf } from './paging.ts';
import { fieldsOfParameter, queryParametersOf, schemaOfParameter } from './parameters.ts';
import type { Part } from './part.ts';
import { pathFor } from './paths.ts';
import { idNameOf, type Plan } from './plans.ts';
import { type Route, reportSecond, type Success } from './routes.ts';
import { withFurtherExamples } from './schema-examples.ts';
import { convertSchema, type Schema } from './schemas.ts';
import type { Scopes } from './scopes.ts';
import { componentPointer, fieldsOf, hasField, shapeOf } from './shapes.ts';
import { camel, plural, unique, withLast, wordsOf } from './words.ts';

const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** Headers that describe the transfer, and that the server handles for every operation. */
const USUAL_HEADERS =
  /^(?:accept(?:-.*)?|authorization|content-type|if-none-match|idempotency-key|user-agent|x-request-id)$/i;

export interface Context {
  scopes: Scopes;
  ids: Set<string>;
  /** The methods and paths of the operations so far. */
  routes: Set<string>;
  /** The name before a path that the platform uses itself. */
  mount: string;
  /** The resource that the parameter after each template identifies. */
  owners: ReadonlyMap<string, Plan>;
}

export type OperationEffect = OperationDeclaration['effect'];

/** An operation of the contract, with its part of the document. */
export interface ImportedOperation {
  id: string;
  declared: OperationDeclaration;
  part: Part;
}

/**
 * Returns the operation; undefined if the contract cannot express it. `creation` is the response of a replacement that creates
 * the object.
 */
export function declareOperation(
  plan: Plan,
  route: Route,
  effect: OperationEffect,
  context: Context,
  creation?: Success,
): ImportedOperation | undefined {
  const { operation, method, segments, success } = route;
  const { path, params } = pathFor(plan, route, effect, context);
  if (isReservedPath(segments[0]?.name ?? ''))
    operation.report(`has a path that the platform uses. Its path in the contract is ${path}`);
  const routed = `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
  if (context.routes.has(routed)) {
    operation.report('has the method and the path of another operation. The contract leaves it out');
    return undefined;
  }
  const input = inputOf(plan, route, effect);
  if (input === 'unsupported') return undefined;
  context.routes.add(routed);
  const content = withAround(contentOf(plan, route, effect), route);
  reportHeaders(route, { effect, content });
  const status = content.of === 'nothing' ? 204 : success.status === 204 ? 200 : success.status;
  const creates = creation && creationBy(plan, { ...route, success: creation }, { status, content });
  if (route.created && !creates && route.created !== success) reportSecond(operation);
  const segment = plan.collections[0]?.segments.findLast(({ isParameter }) => !isParameter)?.name ?? plan.name;
  const declared: OperationDeclaration = {
    effect,
    method,
    path,
    ...(params && { params }),
    summary: operation.shortText('summary', 200) ?? `${effect} ${plan.noun}`,
    ...optionalText(operation),
    ...(operation.isTrue('deprecated') && { deprecated: true }),
    scopes: context.scopes.of(operation, method, withLast(wordsOf(segment), plural)),
    ...queryOf(plan, route, content),
    ...(input && { input }),
    status,
    content,
    ...(creates && { creates }),
  };
  if (isSearch({ idName: idNameOf(plan) }, declared)) reportSearch(plan, route);
  return { id: idFor(plan, route, effect, context.ids), part: operation, declared };
}

function optionalText(operation: Part): { description?: string } {
  const description = operation.shortText('description');
  return description === undefined ? {} : { description };
}

function idFor(plan: Plan, route: Route, effect: OperationEffect, taken: Set<string>): string {
  const { operation } = route;
  const given = operation.text('operationId');
  const words = wordsOf(given ?? `${verbOf(plan, route, effect)} ${plan.noun}`);
  const isUsable = given !== undefined && /^[A-Za-z][A-Za-z0-9_]{0,79}$/.test(given);
  const base = isUsable
    ? given
    : camel(words)
        .replace(/^[^a-z]+/, '')
        .slice(0, 70) || `${effect}Object`;
  const free = isReservedOperation(base) ? `${base}2` : base;
  const id = unique(free, taken, (number) => `${base}${number}`);
  if (given !== undefined && id !== given) operation.report(`is called ${id} in the contract`);
  return id;
}

/** Returns the verb of an operation without an id: `cancel` for `POST /orders/{orderId}/cancel`. */
function verbOf({ noun }: Plan, { segments, method }: Route, effect: OperationEffect): string {
  if (effect !== 'action') return effect;
  const last = segments.findLast(({ isParameter }) => !isParameter)?.name ?? noun;
  return method === 'POST' ? last : `${method} ${last} of`;
}

function contentOf(plan: Plan, route: Route, effect: OperationEffect): Content {
  const { success, operation, parameters } = route;
  if (success.types.length > 0 && !success.schema) return fileOf(operation, success.types);
  const shape = shapeOfRoute(route);
  if (!shape || !success.schema) return { of: 'nothing' };
  const type = success.type === undefined ? {} : { type: success.type };
  const isObject = componentPointer(shape.schema) === componentPointer(plan.schema);
  if (shape.of === 'list' && (isObject || effect === 'list')) {
    if (!isObject) operation.report(`lists another schema than ${plan.name}. The contract lists whole objects`);
    const paging = pagingOf(queryParametersOf(parameters), success.schema.target(), shape.in);
    return { of: 'list', ...(shape.in !== undefined && { in: shape.in }), ...type, paging };
  }
  if (shape.of === 'object' && (isObject || (effect !== 'action' && effect !== 'delete'))) {
    if (!isObject) operation.report(`returns another schema than ${plan.name}. The contract returns the whole object`);
    return { of: 'object', ...(shape.in !== undefined && { in: shape.in }), ...type };
  }
  return { of: 'value', ...type, schema: convertSchema(success.schema, 'response') };
}

/** Returns the response of a creation by a replacement with this status and content. */
function creationBy(
  plan: Plan,
  route: Route,
  { status, content }: Pick<OperationDeclaration, 'status' | 'content'>,
): NonNullable<OperationDeclaration['creates']> {
  // With one declared response, a creation has the status of the replacement.
  if (route.success.status !== 201 || status === 201) return { status };
  const own = withAround(contentOf(plan, route, 'replace'), route);
  reportHeaders(route, { effect: 'create', content: own });
  const isSame = JSON.stringify(own) === JSON.stringify(content);
  return { status: 201, ...(!isSame && { content: own }) };
}

/** Returns the content with the fields around it. */
function withAround(content: Content, { success, segments }: Route): Content {
  if ((content.of !== 'list' && content.of !== 'object') || !success.schema) return content;
  const last = segments.findLast(({ isParameter }) => !isParameter)?.name ?? '';
  const around = aroundOf(success.schema, content, last);
  return around ? { ...content, around } : content;
}

function fileOf(operation: Part, types: readonly string[]): Content {
  // Parameters that a header cannot contain are left out.
  const usable = types.map((type) => (isFileType(type) ? type : typeName(type))).filter(isFileType);
  operation.report(
    `returns a file (${types.join(', ').slice(0, 100)}). The contract declares its types, and at most ${MAX_FILE_BYTES} bytes`,
  );
  return usable.length === 0 ? { of: 'nothing' } : { of: 'file', types: usable, maxBytes: MAX_FILE_BYTES };
}

function queryOf(plan: Plan, { parameters }: Route, content: Content): Pick<OperationDeclaration, 'query'> {
  const query: Record<string, { schema: Schema; required?: true }> = {};
  for (const part of parameters) {
    const [name, place] = [part.text('name') ?? '', part.text('in')];
    if (place === 'header' && !USUAL_HEADERS.test(name))
      part.report(`is the header ${name.slice(0, 60)}, which the contract does not check`);
    if (place === 'cookie') part.report(`is the cookie ${name.slice(0, 60)}, which the contract does not check`);
    const isOfPaging = (one: string): boolean => content.of === 'list' && isIn(content.paging, one);
    if (place !== 'query' || isOfPaging(name)) continue;
    const inner = fieldsOfParameter(part).filter(([own]) => isWireName(own));
    const others = inner.filter(([own]) => !isOfPaging(own));
    if (others.length > 0)
      part.report(`is the query parameter ${name.slice(0, 60)} with fields. The sandbox ignores them`);
    for (const [own, schema] of others) query[own] = { schema };
    if (inner.length > 0) continue;
    if (!part.own('schema') || !isWireName(name) || isStructured(part)) {
      part.report(`is the query parameter ${name.slice(0, 60)}, whose form the contract cannot express`);
      continue;
    }
    if (content.of !== 'list')
      part.report(`is the query parameter ${name} of an operation that returns no list. The sandbox ignores it`);
    else if (!hasField(plan.schema, name))
      part.report(`is the query parameter ${name}, which is no field of ${plan.name}. The sandbox ignores it`);
    query[name] = { schema: schemaOfQuery(part, name), ...(part.isTrue('required') && { required: true }) };
  }
  return Object.keys(query).length > 0 ? { query } : {};
}

const isIn = (paging: Paging, name: string): boolean =>
  paging.by !== 'none' && (paging.parameter === name || paging.limit === name);

/** Returns the schema of a parameter. The contract accepts one value of a parameter with several values. */
function schemaOfQuery(part: Part, name: string): Schema {
  const schema = schemaOfParameter(part);
  if (schema.type !== 'array') return schema;
  part.report(`is the query parameter ${name} with several values. The contract accepts one value`);
  const { description } = schema;
  return { ...Object(schema.items), ...(description !== undefined && { description }) };
}

/** Returns whether a parameter has a form of several values in one text. */
const isStructured = (part: Part): boolean =>
  part.own('content') !== undefined ||
  !['form', 'spaceDelimited', 'pipeDelimited', undefined].includes(part.text('style')) ||
  part.at('schema')?.text('type') === 'object';

function inputOf(
  plan: Plan,
  { operation, method, segments }: Route,
  effect: OperationEffect,
): OperationDeclaration['input'] | 'unsupported' {
  const body = operation.at('requestBody');
  if (!body) return undefined;
  if (method === 'GET' || method === 'DELETE') {
    body.report(`is a body of ${method}, which the contract ignores`);
    return undefined;
  }
  const media = body.at('content')?.entries() ?? [];
  const json = findJson(media);
  if (!json) {
    const types = media
      .map(([type]) => type)
      .join(', ')
      .slice(0, 100);
    body.report(`is a body of ${types || 'no type'}. The contract takes JSON only, and leaves the operation out`);
    return 'unsupported';
  }
  reportTypes(media, json, 'body');
  const given = json[1].own('schema');
  const schema = withFurtherExamples(given ? convertSchema(given, 'request') : {}, examplesOf(json[1]));
  if (!body.isTrue('required') && effect !== 'action' && !fits(schema, {}))
    body.report('is an optional body, but its schema refuses an empty object. The contract requires the body');
  const type = jsonTypeOf(json[0]);
  const field = given && fieldOfObject(plan, given, segments);
  return {
    schema,
    ...(body.isTrue('required') && { required: true }),
    ...(type !== undefined && { type }),
    ...(field !== undefined && { in: field }),
  };
}

/** Reports the fields of a search, such as `POST /orders/search`, that select no objects. */
function reportSearch(plan: Plan, { operation }: Route): void {
  const body = findJson(operation.at('requestBody', 'content')?.entries() ?? [])?.[1]
    .own('schema')
    ?.target();
  for (const [name, part] of body ? fieldsOf(body) : [])
    if (!hasField(plan.schema, name))
      part.report(`is a field of a search, which is no field of ${plan.name}. The sandbox ignores it`);
}

/** Returns the field of a body that contains the object, such as `data` or `order`; undefined if the body is the object. */
function fieldOfObject(plan: Plan, body: Part, segments: Route['segments']): string | undefined {
  const last = segments.findLast(({ isParameter }) => !isParameter)?.name ?? '';
  const shape = shapeOf(body, last, false);
  if (shape.of !== 'object' || shape.in === undefined || hasField(plan.schema, shape.in)) return undefined;
  return isWireName(shape.in) ? shape.in : undefined;
}

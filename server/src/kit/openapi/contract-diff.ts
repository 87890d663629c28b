// Compares the contract with the released one: every change that would break a client of the released contract.
import type { OpenApiObject } from './openapi-schemas.ts';
import { type Components, compareSchemas, type Sides } from './schema-diff.ts';

export interface Contract {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: Operation }>;
  components: Components;
}

interface Operation {
  operationId: string;
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema: unknown }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: unknown }> };
  responses: Record<string, Response | { $ref: string }>;
}

interface Response {
  headers?: OpenApiObject;
  content?: Record<string, { schema: unknown }>;
}

/** Returns each breaking change as a text that is the same in every run. */
export function breakingChanges(before: Contract, now: Contract): string[] {
  const sides: Sides = { before: before.components, now: now.components };
  const operations = Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, was]) => {
      const is = now.paths[path]?.[method];
      return is
        ? compareOperations(was, is, sides)
        : [`${was.operationId}: removed from ${method.toUpperCase()} ${path}`];
    }),
  );
  const webhooks = Object.entries(before.webhooks ?? {}).flatMap(([name, { post: was }]) => {
    const is = now.webhooks?.[name]?.post;
    return is ? compareWebhooks(name, was, is, sides) : [`webhook ${name}: removed`];
  });
  return [...new Set([...operations, ...webhooks])].sort();
}

/** Returns components that changed without a new version. */
export function unversionedChanges(before: Components, now: Components): string[] {
  const names = { before: new Set(Object.keys(before.schemas)), now: new Set(Object.keys(now.schemas)) };
  return Object.entries(before.schemas).flatMap(([name, was]) => {
    const is = now.schemas[name];
    if (!is) return [];
    const structures = [structureOf(was, before, names.now), structureOf(is, now, names.before)];
    const [released, current] = structures.map((structure) => JSON.stringify(structure));
    if (released === current) return [];
    const [old, latest] = [Number(was['x-schema-version'] ?? 0), Number(is['x-schema-version'] ?? 0)];
    return latest > old ? [] : [`${name}: changed, and is still version ${latest}`];
  });
}

const ANNOTATIONS = new Set(['description', 'examples', 'example', 'title', 'deprecated', 'x-schema-version']);

/**
 * Returns the structure of a schema without annotations. `shared` are the components of the other document: a component
 * that the other document lacks stands in place of its reference, because a name changes no value.
 */
function structureOf(schema: unknown, components: Components, shared: ReadonlySet<string>): unknown {
  if (Array.isArray(schema)) return schema.map((inner) => structureOf(inner, components, shared));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...rest } = schema as OpenApiObject;
  const name = typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : undefined;
  if (name !== undefined && !shared.has(name)) {
    // Counts as shared inside itself, for a schema that contains itself.
    return structureOf({ ...components.schemas[name], ...rest }, components, new Set([...shared, name]));
  }
  const entries = Object.entries(nullable(closed(schema as OpenApiObject)))
    .filter(([keyword]) => !ANNOTATIONS.has(keyword))
    .map(([keyword, inner]) => {
      // The keys of `properties` are names of fields, which may equal an annotation.
      const areNames = /^(p|patternP)roperties$/.test(keyword);
      return [
        keyword,
        areNames ? fieldsOf(inner as OpenApiObject, components, shared) : structureOf(inner, components, shared), // `properties` is an object
      ] as const;
    });
  return inOrder(entries);
}

function fieldsOf(fields: OpenApiObject, components: Components, shared: ReadonlySet<string>): OpenApiObject {
  return inOrder(Object.entries(fields).map(([name, field]) => [name, structureOf(field, components, shared)]));
}

function inOrder(entries: readonly (readonly [string, unknown])[]): OpenApiObject {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the closed form of a schema. The comparison ignores openness, because it changes no value that is sent. */
function closed(schema: OpenApiObject): OpenApiObject {
  const { 'x-extensible-enum': values, ...rest } = schema;
  const { additionalProperties, ...record } = rest;
  const own = typeof additionalProperties === 'boolean' && rest.properties !== undefined ? record : rest;
  if (!Array.isArray(values)) return own;
  const { pattern: _pattern, maxLength: _maxLength, ...set } = own;
  return { ...set, enum: values };
}

/** Returns "or null" in one form. A value matches one alternative, so `oneOf` and `anyOf` accept the same values. */
function nullable(schema: OpenApiObject): OpenApiObject {
  const { oneOf, ...rest } = schema;
  const isNullable =
    Array.isArray(oneOf) && oneOf.length === 2 && oneOf.some((one: OpenApiObject) => one.type === 'null');
  return isNullable ? { ...rest, anyOf: oneOf } : schema;
}

function compareOperations(was: Operation, is: Operation, sides: Sides): string[] {
  const id = was.operationId;
  const renamed = is.operationId === id ? [] : [`${id}: is now called ${is.operationId}`];
  const changes = [
    ...compareSecurity(was, is),
    ...compareParameters(was, is, sides),
    ...compareBodies(was, is, sides),
    ...compareResponses(was, is, sides),
  ];
  return [...renamed, ...changes.map((change) => `${id} ${change}`)];
}

function compareSecurity(was: Operation, is: Operation): string[] {
  const needs = (operation: Operation): string[] =>
    (operation.security ?? []).flatMap((one) => Object.entries(one).flatMap(([name, scopes]) => [name, ...scopes]));
  const had = needs(was);
  return needs(is)
    .filter((need) => !had.includes(need))
    .map((need) => `security: now needs ${need}`);
}

function compareParameters(was: Operation, is: Operation, sides: Sides): string[] {
  const keyOf = (parameter: { name: string; in: string }): string => `${parameter.in} ${parameter.name}`;
  const current = new Map((is.parameters ?? []).map((parameter) => [keyOf(parameter), parameter]));
  const known = new Map((was.parameters ?? []).map((parameter) => [keyOf(parameter), parameter]));
  const kept = [...known].flatMap(([key, old]) => {
    const parameter = current.get(key);
    if (!parameter) return [`${key}: removed`];
    const narrowed = compareSchemas(old.schema, parameter.schema, 'request', sides).map((change) => `${key} ${change}`);
    return parameter.required && !old.required ? [...narrowed, `${key}: is now required`] : narrowed;
  });
  const added = [...current].filter(([key, { required }]) => required && !known.has(key));
  return [...kept, ...added.map(([key]) => `${key}: is new and required`)];
}

function compareBodies(was: Operation, is: Operation, sides: Sides): string[] {
  if (!was.requestBody) return is.requestBody?.required ? ['request: a body is now required'] : [];
  return Object.entries(was.requestBody.content).flatMap(([type, { schema }]) => {
    const current = is.requestBody?.content[type];
    if (!current) return [`request ${type}: no longer taken`];
    return compareSchemas(schema, current.schema, 'request', sides).map((change) => `request ${change}`);
  });
}

// New problems are compatible, because clients know that the list of codes is open.
const isAnswer = (status: string): boolean => /^2/.test(status);

function compareResponses(was: Operation, is: Operation, sides: Sides): string[] {
  const kept = Object.entries(was.responses)
    .filter(([status]) => isAnswer(status))
    .flatMap(([status, given]) => {
      const old = responseOf(given, sides.before);
      const current = responseOf(is.responses[status], sides.now);
      if (!current || !old) return [`response ${status}: removed`];
      const headers = Object.keys(old.headers ?? {}).filter((name) => !(name in (current.headers ?? {})));
      const bodies = Object.entries(old.content ?? {}).flatMap(([type, { schema }]) => {
        const body = current.content?.[type];
        return body ? compareSchemas(schema, body.schema, 'response', sides) : [`${type}: no longer answered`];
      });
      const changes = [...headers.map((name) => `header ${name}: removed`), ...bodies];
      return changes.map((change) => `response ${status} ${change}`);
    });
  const added = Object.keys(is.responses).filter((status) => isAnswer(status) && !was.responses[status]);
  return [...kept, ...added.map((status) => `response ${status}: is new`)];
}

function responseOf(given: Response | { $ref: string } | undefined, { responses }: Components): Response | undefined {
  if (given === undefined || !('$ref' in given)) return given;
  const found = responses?.[given.$ref.replace('#/components/responses/', '')];
  if (!found) throw new Error(`The contract has no ${given.$ref}.`);
  return found;
}

function compareWebhooks(name: string, was: Operation, is: Operation, sides: Sides): string[] {
  const headers = (operation: Operation): string[] => (operation.parameters ?? []).map((parameter) => parameter.name);
  const gone = headers(was).filter((header) => !headers(is).includes(header));
  const [old, current] = [versionsOf(was), versionsOf(is)];
  const removed = [...old].filter(([version]) => !current.has(version)).map(([version]) => `${version}: removed`);
  const changed = [...old].flatMap(([version, schema]) =>
    current.has(version)
      ? compareSchemas(schema, current.get(version), 'response', sides).map((change) => `${version} ${change}`)
      : [],
  );
  return [...gone.map((header) => `header ${header}: removed`), ...removed, ...changed].map(
    (one) => `webhook ${name} ${one}`,
  );
}

/**
 * Returns the schema versions of an event by component. An additional version breaks no client that is pinned to an old
 * one.
 */
function versionsOf(operation: Operation): Map<string, unknown> {
  const schema = operation.requestBody?.content['application/json']?.schema as { anyOf?: unknown[] } | undefined; // the structure of a generated document
  const all = (schema?.anyOf ?? [schema]) as { $ref?: string }[]; // each event version is a component
  return new Map(all.map((one) => [one.$ref?.replace('#/components/schemas/', '') ?? 'body', one]));
}

// Types of the contract's OpenAPI 3.1 subset that the reference shows, and functions that follow references.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  default?: unknown;
  deprecated?: boolean;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  maxProperties?: number;
}

type Referable<T> = T | { $ref: string };

export interface Example {
  summary?: string;
  value: unknown;
  /** Headers that are sent with an event. */
  'x-headers'?: Record<string, string>;
}

interface Content {
  schema?: Schema;
  examples?: Record<string, Referable<Example>>;
}

export interface Parameter {
  name: string;
  /** The name of the argument of a client, if another argument has the name of the parameter. */
  'x-argument'?: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  deprecated?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, Referable<Example>>;
}

interface Header {
  description?: string;
  schema?: Schema;
}

interface Reply {
  description: string;
  headers?: Record<string, Referable<Header>>;
  content?: Record<string, Content>;
}

interface OperationNode {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  security?: Record<string, string[]>[];
  parameters?: Referable<Parameter>[];
  requestBody?: Referable<{ description?: string; content?: Record<string, Content> }>;
  responses?: Record<string, Referable<Reply>>;
  /** Versions of an event's schema, newest first. */
  'x-event-versions'?: number[];
}

type PathItem = Record<string, OperationNode>;

export interface Document {
  info: { title: string; version: string; description?: string };
  servers?: { url: string }[];
  tags?: { name: string; description?: string }[];
  paths?: Record<string, PathItem>;
  webhooks?: Record<string, PathItem>;
  components?: { schemas?: Record<string, Schema> };
  'x-problems'?: Record<string, ExplainedProblem>;
}

/** The text of a problem's page, and an example of the problem. */
export interface ExplainedProblem {
  meaning: string;
  cause: string;
  /** How to fix the problem, under the released name of the contract of /v1. */
  mend: string;
  /** The only API that returns the problem. Empty if /v1 does. */
  servedBy: string;
  example: { type: string; title: string; status: number };
}

export interface NamedExample extends Example {
  name: string;
}

export interface BodyDescription {
  contentType: string;
  schema: Schema | undefined;
  examples: NamedExample[];
}

export interface ReplyDescription {
  status: string;
  description: string;
  headers: [string, Header][];
  body: BodyDescription | undefined;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'] as const;

/** Returns a node, or the target of its reference. */
export function resolve<T>(document: Document, node: Referable<T>): T {
  if (typeof node !== 'object' || node === null || !('$ref' in node)) return node as T; // not a reference, so the node itself
  let found: unknown = document;
  for (const part of node.$ref.replace(/^#\//, '').split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[name] : undefined;
  }
  return (found ?? {}) as T; // the contract's tests check that every reference resolves
}

export function nameOfReference(schema: Schema): string | undefined {
  return schema.$ref?.replace('#/components/schemas/', '');
}

/** Returns a schema with the target of its reference. Keywords next to the reference take precedence. */
export function resolveSchema(document: Document, schema: Schema): Schema {
  const { $ref, ...beside } = schema;
  return $ref === undefined ? schema : { ...resolve<Schema>(document, { $ref }), ...beside };
}

export interface DocumentOperation {
  method: string;
  path: string;
  node: OperationNode;
}

export function nodesOf(items: Record<string, PathItem> | undefined): DocumentOperation[] {
  return Object.entries(items ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const node = item[method];
      return node ? [{ method: method.toUpperCase(), path, node }] : [];
    }),
  );
}

export function bodyOf(document: Document, content: Record<string, Content> | undefined): BodyDescription | undefined {
  const [found] = Object.entries(content ?? {});
  if (!found) return undefined;
  const [contentType, { schema, examples = {} }] = found;
  const named = Object.entries(examples).map(([name, one]) => ({ name, ...resolve<Example>(document, one) }));
  return { contentType, schema, examples: named };
}

export function repliesOf(document: Document, node: OperationNode): ReplyDescription[] {
  return Object.entries(node.responses ?? {}).map(([status, one]) => {
    const { description, headers = {}, content } = resolve<Reply>(document, one);
    return {
      status,
      description,
      headers: Object.entries(headers).map(([name, header]) => [name, resolve<Header>(document, header)]),
      body: bodyOf(document, content),
    };
  });
}

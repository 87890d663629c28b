// Generates the types and the operation table of a TypeScript client from an OpenAPI document.
import { doc, type JsonSchema, keyOf, typeOf } from './generate-types.ts';

interface Content {
  content?: Record<string, { schema: JsonSchema; examples?: Record<string, unknown> }>;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  /** The name of the argument, if another argument has the name of the parameter. */
  'x-argument'?: string;
  schema: JsonSchema;
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  deprecated?: boolean;
  'x-environments'?: string[];
  /** Security schemes, of which each is sufficient. */
  security?: Record<string, string[]>[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content | { $ref: string }>;
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: { requestBody: Content } }>;
  components: { schemas: Record<string, JsonSchema> };
}

/** An operation with the facts that its types and its table entry need. */
export interface ClientCall {
  id: string;
  method: string;
  path: string;
  words: string;
  isDeprecated: boolean;
  parameters: Parameter[];
  body: JsonSchema | undefined;
  isBodyRequired: boolean;
  /** Schemas of successful responses. Empty if no response has a body. */
  outputs: JsonSchema[];
  /** True if a successful response can also have no body. */
  isSometimesEmpty: boolean;
  /** True if a successful response is text, not JSON. */
  isText: boolean;
  /** True if a successful response can be a file whose type is neither text nor JSON. */
  isBinary: boolean;
  /** True for a stream of events, for which a call cannot wait. */
  isEndless: boolean;
  takesIdempotencyKey: boolean;
  /** True if the session of a browser is the only way to authenticate. */
  isSessionOnly: boolean;
  /** True if the operation belongs to an environment and exists in the sandbox only. */
  isSandboxOnly: boolean;
  /** The parameter of the next page, and the schema of an item. */
  page: { parameter: string; item: JsonSchema } | undefined;
}

/** Parameters of the next page, each with the field of a page that holds its value. */
const POSITIONS: Record<string, string> = { cursor: 'nextCursor', after: 'nextAfter' };

/** Media types that the client decodes. */
const TEXT = /^text\/|[/+.-](?:json|ndjson|xml|yaml|javascript)(?:;|$)/i;

function resolve<T>(document: Document, value: T | { $ref: string }): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T; // not a reference, so the value itself
  const path = value.$ref.replace(/^#\//, '').split('/');
  const found = path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], document);
  if (found === undefined) throw new Error(`The document has no ${value.$ref}.`);
  return found as T; // a reference resolves to the value that it replaces
}

/** Returns the operations of a document in its order. */
export function callsOf(document: Document): ClientCall[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toCall(document, method.toUpperCase(), path, operation)),
  );
}

function toCall(document: Document, method: string, path: string, operation: Operation): ClientCall {
  const all = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter));
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolve<Content>(document, response)] as const,
  );
  const successes = responses.filter(([status]) => status.startsWith('2')).map(([, response]) => response);
  const contents = successes.flatMap(({ content = {} }) => Object.entries(content).slice(0, 1));
  const [type, content] = contents[0] ?? [];
  const types = successes.flatMap((one) => Object.keys(one.content ?? {}));
  // A response can have each of the types, and the client returns one type.
  const isBinary = types.some((one) => !TEXT.test(one));
  const ways = (operation.security ?? []).flatMap((way) => Object.keys(way));
  // An operation takes an idempotency key if it documents the problem `idempotency_in_progress`.
  const conflicts = Object.values(responses.find(([status]) => status === '409')?.[1].content ?? {});
  return {
    id: operation.operationId,
    method,
    path,
    words: `${operation.summary}. ${operation.description}`,
    isDeprecated: operation.deprecated === true,
    parameters: all.filter((parameter) => parameter.in !== 'header'),
    body: operation.requestBody?.content?.['application/json']?.schema,
    isBodyRequired: operation.requestBody?.required !== false,
    outputs: contents.map(([, { schema }]) => schema),
    isSometimesEmpty: successes.some((one) => Object.keys(one.content ?? {}).length === 0),
    isText: !isBinary && types.some((one) => !/\bjson\b/.test(one)),
    isBinary,
    isEndless: type === 'text/event-stream',
    takesIdempotencyKey: conflicts.some(({ examples }) => examples && 'idempotency_in_progress' in examples),
    isSessionOnly: ways.length > 0 && ways.every((way) => way === 'session'),
    isSandboxOnly: path.startsWith('/api/sandbox/') && operation['x-environments'] === undefined,
    page: pageOf(document, all, content?.schema),
  };
}

function pageOf(document: Document, parameters: Parameter[], output: JsonSchema | undefined): ClientCall['page'] {
  const parameter = parameters.find(({ name }) => name in POSITIONS)?.name;
  const fields = output && resolve<JsonSchema>(document, output as JsonSchema & { $ref: string }).properties;
  const position = POSITIONS[parameter ?? ''];
  if (parameter === undefined || position === undefined || !fields || !(position in fields)) return undefined;
  const item = fields.data?.items;
  return item && { parameter, item };
}

const argumentOf = ({ name, 'x-argument': argument = name }: Pick<Parameter, 'name' | 'x-argument'>): string =>
  argument;

function inputOf({ parameters, body, isBodyRequired }: ClientCall): string {
  const fields = parameters.map(
    ({ required, description, schema, ...parameter }) =>
      `${doc(description, '      ')}      ${keyOf(argumentOf(parameter))}${required ? '' : '?'}: ${typeOf(schema, '      ')};\n`,
  );
  if (body) fields.push(`      body${isBodyRequired ? '' : '?'}: ${typeOf(body, '      ')};\n`);
  return fields.length === 0 ? 'Record<never, never>' : `{\n${fields.join('')}    }`;
}

function outputOf({ outputs, isSometimesEmpty, isBinary }: ClientCall): string {
  if (isBinary) return 'Blob';
  if (outputs.length === 0) return 'undefined';
  const types = outputs.map((output) => typeOf(output, '    '));
  return [...new Set(types), ...(isSometimesEmpty ? ['undefined'] : [])].join(' | ');
}

function signatureOf(call: ClientCall): string {
  const lines = [
    `    input: ${inputOf(call)};\n`,
    call.isEndless ? '' : `    output: ${outputOf(call)};\n`,
    call.page ? `    item: ${typeOf(call.page.item, '    ')};\n` : '',
    call.takesIdempotencyKey ? '    takesIdempotencyKey: true;\n' : '',
  ];
  return `${doc(call.words, '  ', call.isDeprecated)}  ${call.id}: {\n${lines.join('')}  };\n`;
}

function entryOf({ id, method, path, parameters, page, ...call }: ClientCall): string {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const renamed = query.filter((parameter) => argumentOf(parameter) !== parameter.name);
  const parts = [
    `method: '${method}', path: '${withArguments(path, parameters)}'`,
    query.length > 0 ? `query: [${query.map((one) => `'${argumentOf(one)}'`).join(', ')}]` : '',
    renamed.length > 0
      ? `names: { ${renamed.map((one) => `${keyOf(argumentOf(one))}: '${one.name}'`).join(', ')} }`
      : '',
    page ? `page: '${page.parameter}'` : '',
    call.takesIdempotencyKey ? 'takesIdempotencyKey: true' : '',
    call.isText ? 'isText: true' : '',
    call.isBinary ? 'isBinary: true' : '',
    call.isSessionOnly ? 'isSessionOnly: true' : '',
    call.isSandboxOnly ? 'isSandboxOnly: true' : '',
  ];
  return `  ${id}: { ${parts.filter((part) => part !== '').join(', ')} },\n`;
}

/** Returns the path with the names of the arguments in braces. */
const withArguments = (path: string, parameters: readonly Parameter[]): string =>
  parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((changed, one) => changed.replace(`{${one.name}}`, `{${argumentOf(one)}}`), path);

/** Returns the union of all event types of the document's webhooks, which `type` distinguishes. */
function webhookEvent(document: Document): string[] {
  const schemas = Object.values(document.webhooks ?? {}).flatMap(({ post }) =>
    Object.values(post.requestBody.content ?? {}).map(({ schema }) => typeOf(schema, '')),
  );
  const types = schemas.length > 0 ? [...new Set(schemas)] : 'Event' in document.components.schemas ? ['Event'] : [];
  if (types.length === 0) return [];
  return [
    `/** The event in the body of a webhook; \`type\` distinguishes the types. */\nexport type WebhookEvent = ${types.join(' | ')};\n`,
  ];
}

function declarationOf([name, schema]: [string, JsonSchema]): string {
  const isCombined = [schema.anyOf, schema.oneOf, schema.allOf].some((one) => one !== undefined);
  const isInterface = !isCombined && Object.keys(schema.properties ?? {}).length > 0;
  const text = typeOf(schema, '');
  return `${doc(schema.description, '')}export ${isInterface ? `interface ${name} ${text}` : `type ${name} = ${text};`}\n`;
}

/** Returns types and table of streams, separate from the calls. */
function streamsOf(calls: ClientCall[]): string[] {
  return [
    `/** Operations that return a stream of events, which does not end by itself. */\nexport interface Streams {\n${calls.map(signatureOf).join('')}}\n`,
    `export const streams = {\n${calls.map(entryOf).join('')}} as const;\n`,
  ];
}

/** Returns the TypeScript source of one API. `head` is the text before the types. */
export function generateSource(document: Document, head: string): string {
  const all = callsOf(document);
  const calls = all.filter(({ isEndless }) => !isEndless);
  const streams = all.filter(({ isEndless }) => isEndless);
  return [
    head,
    ...Object.entries(document.components.schemas).map(declarationOf),
    ...webhookEvent(document),
    `export interface Operations {\n${calls.map(signatureOf).join('')}}\n`,
    `export const operations = {\n${calls.map(entryOf).join('')}} as const;\n`,
    ...(streams.length === 0 ? [] : streamsOf(streams)),
  ].join('\n');
}

// Turns a request into code that repeats it: for a POSIX shell, for Node and for the SDK. Everything in a record came
// from outside, so it is quoted as a value. The key is read from an environment variable and never in the code. Pure.
import { isOperatorContract } from '../../access/contracts/index.ts';
import type { AnyOperation } from '../../kit/http/operation.ts';
import { namedObject, nullable, type Static, Type, text } from '../../kit/http/schema.ts';
import { renamedArguments } from '../../kit/openapi/argument-names.ts';

export const RequestSnippets = namedObject(
  'RequestSnippets',
  'A request as code. The code reads the key from `SLIPWAY_KEY`.',
  {
    curl: text('A command for a POSIX shell.', { maxLength: 250_000 }),
    fetch: text('JavaScript for Node, as a module.', { maxLength: 250_000 }),
    sdk: nullable(text('The same with the SDK; null if the SDK has no method for it.', { maxLength: 250_000 })),
    isComplete: Type.Boolean({
      description:
        'True if the code repeats the request completely. Records do not store bodies: the code contains the example of the contract instead, and no body for GET and HEAD. Only the code that `revealCapture` returns can have the real body. Masked or truncated parts of the address are missing, as are headers that affect the response, such as `If-None-Match` for a 304.',
    }),
  },
);
export type RequestSnippets = Static<typeof RequestSnippets>;

/** The parts of an operation that a snippet needs. */
export type KnownOperation = Pick<AnyOperation<never>, 'id' | 'method' | 'path' | 'query' | 'body' | 'examples'>;

export interface SnippetRequest {
  method: string;
  /** The base URL of the API, without a slash at its end. */
  baseUrl: string;
  path: string;
  query: string | null;
  operation: KnownOperation | undefined;
  /** True if the request had a body. */
  hasBody: boolean;
  /** The body as it was sent; absent if it is not stored. */
  body?: string | undefined;
  /** The simulated fault, as the value of the header that requests it. */
  simulated: string | null;
}

type AnnotatedRequest = SnippetRequest & { hasPlaceholder: boolean };

const NOT_KEPT = 'The record does not store the body that was sent: this is an example.';
const NO_PLACE = 'A body was sent, which has no place here: a request with this method has no body.';
const SIMULATE = 'Sandbox-Simulate';

const PLACEHOLDER =
  'The record does not keep all of the address: replace NAME, VALUE and {...}, or leave the parameter out.';

/** Replaces each masked part of the address by a placeholder. */
function withPlaceholders(request: SnippetRequest): AnnotatedRequest {
  const path = request.path.replace(/(?<=\/)\*(?=\/|$)/g, 'VALUE');
  const query = request.query?.replace(/(?<=^|&)\*=/g, 'NAME=').replace(/=\*(?=&|$)/g, '=VALUE') ?? null;
  const hasPlaceholder = path !== request.path || query !== request.query || /\/\{\w+\}(?=\/|$)/.test(path);
  return { ...request, path, query, hasPlaceholder };
}

export function snippetsOf(recorded: SnippetRequest): Omit<RequestSnippets, 'isComplete'> {
  const request = withPlaceholders(recorded);
  return { curl: curlOf(request), fetch: fetchOf(request), sdk: sdkOf(request) };
}

const urlOf = ({ baseUrl, path, query }: SnippetRequest): string =>
  baseUrl + path + (query === null ? '' : `?${query}`);

/** The body of a snippet: the text that was sent, and its value; without a text, an example. */
interface SnippetBody {
  text: string | undefined;
  value: unknown;
}

// With a body, curl changes the method of a GET or HEAD, and fetch throws.
function bodyOf({ hasBody, method, operation, body }: SnippetRequest): SnippetBody | undefined {
  const takesBody = method !== 'GET' && method !== 'HEAD';
  if (!hasBody || !takesBody) return undefined;
  if (body !== undefined) return { text: body, value: JSON.parse(body) };
  return { text: undefined, value: Object.values(operation?.examples ?? {})[0] ?? {} };
}

/** Returns the notes as comments that begin with `sign`. */
function notesOf({ hasBody, hasPlaceholder }: AnnotatedRequest, body: SnippetBody | undefined, sign: string): string[] {
  const isExample = body !== undefined && body.text === undefined;
  const notes = [
    ...(hasPlaceholder ? [PLACEHOLDER] : []),
    ...(hasBody && body === undefined ? [NO_PLACE] : []),
    ...(isExample ? [NOT_KEPT] : []),
  ];
  return notes.map((note) => `${sign} ${note}`);
}

/** Quotes a value as one argument for a POSIX shell. */
export function shellQuote(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

function curlOf(request: AnnotatedRequest): string {
  const { method, simulated } = request;
  const body = bodyOf(request);
  const verb = method === 'GET' ? '' : method === 'HEAD' ? ' --head' : ` -X ${shellQuote(method)}`;
  // Without these options curl expands brackets as patterns and resolves dot segments.
  const lines = [`curl -sS -i${verb} --globoff --path-as-is ${shellQuote(urlOf(request))}`];
  lines.push('-H "Authorization: Bearer $SLIPWAY_KEY"');
  if (simulated !== null) lines.push(`-H ${shellQuote(`${SIMULATE}: ${simulated}`)}`);
  // `-d` would read a file if the value began with @.
  if (body !== undefined)
    lines.push(
      "-H 'Content-Type: application/json'",
      `--data-raw ${shellQuote(body.text ?? JSON.stringify(body.value))}`,
    );
  return [...notesOf(request, body, '#'), lines.join(' \\\n  ')].join('\n');
}

/** Returns a value as JavaScript, of which JSON is a subset. */
const literal = (value: unknown): string => JSON.stringify(value, null, 2);
const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

/** A text is repeated exactly: numbers and repeated names can differ in its value. */
const fetchBodyOf = ({ text, value }: SnippetBody): string =>
  text === undefined ? `JSON.stringify(${indented(literal(value), '  ')})` : literal(text);

function fetchOf(request: AnnotatedRequest): string {
  const { simulated } = request;
  const body = bodyOf(request);
  const isGet = request.method === 'GET';
  return [
    ...notesOf(request, body, '//'),
    `const response = await fetch(${literal(urlOf(request))}, {`,
    ...(isGet ? [] : [`  method: ${literal(request.method)},`]),
    '  headers: {',
    "    authorization: 'Bearer ' + process.env.SLIPWAY_KEY,",
    ...(simulated === null ? [] : [`    ${literal(SIMULATE)}: ${literal(simulated)},`]),
    ...(body === undefined ? [] : ["    'content-type': 'application/json',"]),
    '  },',
    ...(body === undefined ? [] : [`  body: ${fetchBodyOf(body)},`]),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

/** The client of `/v1`. `slipway-server contract sdk` writes the client of the contract of an operator. */
const CLIENT = isOperatorContract
  ? { module: './client.js', maker: 'createApi', name: 'api' }
  : { module: '@slipway/sdk', maker: 'createSlipway', name: 'slipway' };

function sdkOf(request: AnnotatedRequest): string | null {
  const { operation, method, baseUrl, simulated } = request;
  const input = operation?.method === method ? inputOf(operation, request) : undefined;
  if (!operation || input === undefined) return null;
  const options = simulated === null ? [] : [{ headers: { [SIMULATE]: simulated } }];
  const isBare = Object.keys(input).length === 0 && options.length === 0;
  const call = isBare ? '' : [input, ...options].map(literal).join(', ');
  return [
    `import { ${CLIENT.maker} } from '${CLIENT.module}';`,
    '',
    ...notesOf(request, operation.body && bodyOf(request), '//'),
    `const ${CLIENT.name} = ${CLIENT.maker}({ baseUrl: ${literal(baseUrl)}, key: process.env.SLIPWAY_KEY ?? '' });`,
    `console.log(await ${CLIENT.name}.${operation.id}(${call}));`,
  ].join('\n');
}

/** Returns the input of the operation. Returns undefined if the address holds a part that the method cannot express. */
function inputOf(operation: KnownOperation, request: SnippetRequest): Record<string, unknown> | undefined {
  const names = operation.path.split('/');
  const parts = request.path.split('/');
  if (names.length !== parts.length) return undefined;
  const known = (operation.query as { properties?: Record<string, { type?: string }> } | undefined)?.properties ?? {};
  const inPath = names.flatMap((name) => /^\{(\w+)\}$/.exec(name)?.[1] ?? []);
  const renamed = renamedArguments({ path: inPath, query: Object.keys(known) });
  const input: Record<string, unknown> = {};
  for (const [at, name] of names.entries()) {
    const part = parts[at] ?? '';
    const parameter = /^\{(\w+)\}$/.exec(name)?.[1];
    if (parameter !== undefined) input[renamed.path.get(parameter) ?? parameter] = decoded(part);
    else if (name !== part) return undefined;
  }
  for (const [name, value] of new URLSearchParams(request.query ?? '')) {
    const argument = renamed.query.get(name) ?? name;
    if (!Object.hasOwn(known, name) || argument in input) return undefined;
    input[argument] = typed(known[name]?.type, value);
  }
  const body = operation.body && bodyOf(request);
  return body === undefined ? input : { ...input, body: body.value };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function typed(type: string | undefined, value: string): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value);
  return type === 'boolean' && /^(true|false)$/.test(value) ? value === 'true' : value;
}

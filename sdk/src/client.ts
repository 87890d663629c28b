// The client behind every API of Slipway: one method per operation of the contract, problems as errors.

interface OperationEntry {
  method: string;
  path: string;
  query: readonly string[];
}

type OperationTypes<O> = { [K in keyof O]: { input: object; output: unknown } };

export interface CallOptions {
  signal?: AbortSignal;
  /** Makes a repeated POST safe for 24 hours: the first answer is given again. */
  idempotencyKey?: string;
}

/** One method per operation; an operation without inputs may be called without any. */
export type Client<O extends OperationTypes<O>> = {
  [K in keyof O]: object extends O[K]['input']
    ? (input?: O[K]['input'], options?: CallOptions) => Promise<O[K]['output']>
    : (input: O[K]['input'], options?: CallOptions) => Promise<O[K]['output']>;
};

export interface ClientOptions {
  /** The address of the API without a slash at its end; empty for the page's own origin. */
  baseUrl: string;
  headers?: Record<string, string>;
  fetch?: typeof globalThis.fetch;
}

/** A problem that the API answered with (RFC 9457). */
export class SlipwayProblem extends Error {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly detail: string | undefined;
  readonly errors: readonly { pointer: string; detail: string }[];

  constructor(body: ProblemFields) {
    super(`${body.title} (${body.code}, ${body.requestId})${body.detail ? `: ${body.detail}` : ''}`);
    this.name = 'SlipwayProblem';
    this.type = body.type;
    this.title = body.title;
    this.status = body.status;
    this.code = body.code;
    this.requestId = body.requestId;
    this.detail = body.detail;
    this.errors = body.errors ?? [];
  }
}

interface ProblemFields {
  type: string;
  title: string;
  status: number;
  code: string;
  requestId: string;
  detail?: string;
  errors?: { pointer: string; detail: string }[];
}

export function createClient<O extends OperationTypes<O>>(
  operations: Record<keyof O & string, OperationEntry>,
  options: ClientOptions,
): Client<O> {
  const methods = Object.entries<OperationEntry>(operations).map(([name, entry]) => [
    name,
    (input: Record<string, unknown> = {}, call: CallOptions = {}) => send(entry, input, call, options),
  ]);
  return Object.fromEntries(methods) as Client<O>; // each method is typed by the contract it was generated from
}

async function send(
  entry: OperationEntry,
  input: Record<string, unknown>,
  call: CallOptions,
  options: ClientOptions,
): Promise<unknown> {
  const headers: Record<string, string> = { accept: 'application/json', ...options.headers };
  if (input.body !== undefined) headers['content-type'] = 'application/json';
  if (call.idempotencyKey !== undefined) headers['idempotency-key'] = call.idempotencyKey;
  const response = await (options.fetch ?? globalThis.fetch)(options.baseUrl + addressOf(entry, input), {
    method: entry.method,
    headers,
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    ...(call.signal && { signal: call.signal }),
  });
  return read(response);
}

function addressOf(entry: OperationEntry, input: Record<string, unknown>): string {
  const path = entry.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const query = new URLSearchParams();
  for (const name of entry.query) {
    if (input[name] !== undefined) query.set(name, String(input[name]));
  }
  const search = query.toString();
  return search === '' ? path : `${path}?${search}`;
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.ok) return text === '' ? undefined : JSON.parse(text);
  throw new SlipwayProblem(problemOf(response, text));
}

// A proxy on the way may answer with something that is no problem of ours.
function problemOf(response: Response, text: string): ProblemFields {
  const requestId = response.headers.get('request-id') ?? '';
  const fallback = {
    type: 'about:blank',
    title: response.statusText,
    status: response.status,
    code: 'unknown',
    requestId,
  };
  try {
    return { ...fallback, ...(JSON.parse(text) as Partial<ProblemFields>) };
  } catch {
    return fallback;
  }
}

// Builds the request of a call once for all its attempts.
import type { PreparedRequest } from './attempt.ts';
import type { MutationOptions, OperationEntry } from './operation.ts';

type Input = Readonly<Record<string, unknown>>;

export function prepare(
  entry: OperationEntry,
  input: Input,
  options: MutationOptions,
  client: { baseUrl: string; headers: Readonly<Record<string, string>> },
): PreparedRequest {
  const headers = new Headers({
    accept: entry.isText || entry.isBinary ? '*/*' : 'application/json',
    ...options.headers,
  });
  const body = input.body === undefined ? null : JSON.stringify(input.body);
  if (body !== null) headers.set('content-type', 'application/json');
  if (options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey);
  else if (entry.takesIdempotencyKey && !headers.has('idempotency-key')) {
    headers.set('idempotency-key', crypto.randomUUID());
  }
  // Set last, so that a call cannot replace the client's headers.
  for (const [name, value] of Object.entries(client.headers)) headers.set(name, value);
  return { ...entry, url: client.baseUrl + addressOf(entry, input), headers, body };
}

/** Returns path and query of an operation. */
export function addressOf(entry: OperationEntry, input: Input): string {
  const path = entry.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, input[name]));
  const query = new URLSearchParams();
  for (const name of entry.query ?? []) {
    if (input[name] !== undefined) query.set(entry.names?.[name] ?? name, String(input[name]));
  }
  const search = query.toString();
  return search === '' ? path : `${path}?${search}`;
}

// An empty segment or dots would address another operation.
function segmentOf(name: string, value: unknown): string {
  const text = String(value ?? '');
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${name} must be an identifier, not ${JSON.stringify(value)}`);
  return encodeURIComponent(text);
}

export type EnvironmentName = 'sandbox' | 'production';

/** Returns the operation for an environment. Production operations have other paths. */
export function entryForEnvironment<E extends OperationEntry>(environment: EnvironmentName | undefined, entry: E): E {
  return environment === 'production'
    ? { ...entry, path: entry.path.replace(/^\/api\/sandbox\//, '/api/production/') }
    : entry;
}

// Server-sent events over fetch: a browser's EventSource tells nothing of why it was refused, and Node 20 has none.
import type { Prepared } from './attempt.ts';
import { SlipwayConnectionError, SlipwayError, SlipwayTimeoutError } from './errors.ts';
import type { CallOptions, ClientOptions, OperationEntry } from './operation.ts';
import { type EnvironmentName, entryIn, prepare } from './prepare.ts';
import { readAnswer } from './response.ts';
import { pause, waitBefore } from './retry.ts';

export interface ServerSentEvent {
  /** The place behind it. */
  id: string | undefined;
  /** Undefined of what is only a sign of life. */
  data: string | undefined;
}

export interface StreamOptions extends Omit<CallOptions, 'maxRetries' | 'timeoutMs' | 'onRetry'> {
  /** How long nothing may come before the connection is taken for lost; 30,000 unless given. */
  timeoutMs?: number | undefined;
  /** Told of each interruption; the stream goes on by itself, and the next that comes says that it does. */
  onInterrupted?: ((error: SlipwayError) => void) | undefined;
}

/** Whose streams they are. */
export type StreamClient = ClientOptions & {
  headers: Readonly<Record<string, string>>;
  environment?: EnvironmentName | undefined;
};

const TIMEOUT_MS = 30_000;

/** The events of a stream from `after` on, each with what it says and the place behind it. It goes on by itself after an interruption. */
export async function* followStream(
  client: StreamClient,
  entry: OperationEntry,
  { after, ...input }: Readonly<Record<string, unknown>> & { after?: string },
  { headers, ...options }: StreamOptions,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const { fetch = globalThis.fetch } = client;
  const { signal, onInterrupted, timeoutMs = client.timeoutMs ?? TIMEOUT_MS } = options;
  // In a header, where a browser's own reader has it: an address has no room for the longest.
  const prepareFrom = (position: string | undefined) => {
    const own = {
      ...headers,
      accept: 'text/event-stream',
      ...(position !== undefined && { 'last-event-id': position }),
    };
    return prepare(entryIn(client.environment, entry), input, { headers: own }, client);
  };
  let position = after;
  for await (const { id, data } of streamFrom(prepareFrom, after, { fetch, signal, onInterrupted, timeoutMs })) {
    position = id ?? position;
    yield { id: position, data };
  }
}

interface ConnectOptions {
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/** The request of a connection that goes on from a place. */
type PrepareFrom = (position: string | undefined) => Prepared;

/** The events from a place on, over as many connections as it takes. Throws what does not pass by itself. */
async function* streamFrom(
  prepare: PrepareFrom,
  from: string | undefined,
  options: ConnectOptions & Pick<StreamOptions, 'onInterrupted'>,
): AsyncGenerator<ServerSentEvent, never, undefined> {
  let position = from;
  for (let failures = 0; ; failures += 1) {
    let error: unknown = new SlipwayConnectionError('The stream has ended.');
    try {
      for await (const event of connect(prepare(position), options)) {
        failures = 0;
        position = event.id ?? position;
        yield event;
      }
    } catch (thrown) {
      error = thrown;
    }
    const waitMs = waitBefore(error, failures);
    if (waitMs === undefined || !(error instanceof SlipwayError)) throw error;
    options.onInterrupted?.(error);
    await pause(waitMs, options.signal);
  }
}

/** The events of one connection, until it ends. Whoever leaves the iteration closes it. */
async function* connect(
  request: Prepared,
  { fetch, timeoutMs, signal }: ConnectOptions,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const late = (): void => controller.abort(new SlipwayTimeoutError(`Nothing came for ${timeoutMs} ms.`));
  let timer = setTimeout(late, timeoutMs);
  try {
    const { method, url, headers } = request;
    const response = await fetch(url, { method, headers, redirect: 'manual', signal: controller.signal });
    for await (const text of piecesOf(await bodyOf(response))) {
      clearTimeout(timer);
      yield* eventsOf(text);
      timer = setTimeout(late, timeoutMs); // the time that whoever reads takes is theirs
    }
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    if (error instanceof SlipwayError) throw error;
    throw new SlipwayConnectionError('The connection broke off.', { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    controller.abort();
  }
}

type Body = NonNullable<Response['body']>;

async function bodyOf(response: Response): Promise<Body> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (response.ok && isStream && response.body) return response.body;
  readAnswer(response, await response.text(), true); // throws the problem of a refusal
  throw new SlipwayError('The answer is no stream of events; is this the address of an API?');
}

/** Whole events: each ends with an empty line. */
async function* piecesOf(body: Body): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const end = text.lastIndexOf('\n\n');
    if (end < 0) continue;
    yield text.slice(0, end);
    text = text.slice(end + 2);
  }
}

function* eventsOf(text: string): Generator<ServerSentEvent, void, undefined> {
  for (const block of text.split('\n\n')) {
    const lines = block.split('\n');
    const valuesOf = (name: string): string[] =>
      lines.flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, '')] : []));
    const data = valuesOf('data');
    yield { id: valuesOf('id').at(-1), data: data.length === 0 ? undefined : data.join('\n') };
  }
}

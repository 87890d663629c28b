// Reads server-sent events over `fetch`: EventSource does not report why it was refused, and Node 20 has no
// EventSource.
import { type AttemptOptions, type PreparedRequest, startTimer } from './attempt.ts';
import { SlipwayConnectionError, SlipwayError, SlipwayTimeoutError } from './errors.ts';
import type { CallOptions, ClientOptions, OperationEntry } from './operation.ts';
import { type EnvironmentName, entryForEnvironment, prepare } from './prepare.ts';
import { readAnswer } from './response.ts';
import { pause, retryDelayMs } from './retry.ts';

export interface ServerSentEvent {
  /** The position after this event. */
  id: string | undefined;
  /** Undefined for a keep-alive. */
  data: string | undefined;
}

export interface StreamOptions extends Omit<CallOptions, 'maxRetries' | 'timeoutMs' | 'onRetry'> {
  /** Milliseconds without data after which the connection counts as lost. Default: 30,000. */
  timeoutMs?: number | undefined;
  /** Called on each interruption. The stream reconnects by itself; the next item shows that it has. */
  onInterrupted?: ((error: SlipwayError) => void) | undefined;
}

/** The client whose streams are read. */
export type StreamClient = ClientOptions & {
  headers: Readonly<Record<string, string>>;
  environment?: EnvironmentName | undefined;
};

const TIMEOUT_MS = 30_000;

/**
 * Yields the events of a stream after the position `after`, each with its own position. Reconnects after an
 * interruption. Throws an error that is not transient.
 */
export async function* followStream(
  client: StreamClient,
  entry: OperationEntry,
  { after, ...input }: Readonly<Record<string, unknown>> & { after?: string },
  { headers, ...options }: StreamOptions,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const { fetch = globalThis.fetch } = client;
  const { signal, onInterrupted, timeoutMs = client.timeoutMs ?? TIMEOUT_MS } = options;
  // In a header, as EventSource sends it: the longest position does not fit into an address.
  const prepareFrom = (position: string | undefined) => {
    const own = {
      ...headers,
      accept: 'text/event-stream',
      ...(position !== undefined && { 'last-event-id': position }),
    };
    return prepare(entryForEnvironment(client.environment, entry), input, { headers: own }, client);
  };
  let position = after;
  for (let failures = 0; ; failures += 1) {
    let error: unknown = new SlipwayConnectionError('The stream has ended.');
    try {
      for await (const { id, data } of connect(prepareFrom(position), { fetch, signal, timeoutMs })) {
        failures = 0;
        position = id ?? position;
        yield { id: position, data };
      }
    } catch (thrown) {
      error = thrown;
    }
    const waitMs = retryDelayMs(error, failures);
    if (waitMs === undefined || !(error instanceof SlipwayError)) throw error;
    onInterrupted?.(error);
    await pause(waitMs, signal);
  }
}

/** Yields the events of one connection until it ends. Leaving the iteration closes the connection. */
async function* connect(
  request: PreparedRequest,
  { fetch, timeoutMs, signal }: AttemptOptions,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const late = (): void => controller.abort(new SlipwayTimeoutError(`Nothing came for ${timeoutMs} ms.`));
  let timer = startTimer(late, timeoutMs);
  try {
    const { method, url, headers } = request;
    const response = await fetch(url, { method, headers, redirect: 'manual', signal: controller.signal });
    for await (const text of eventChunks(await bodyOf(response))) {
      clearTimeout(timer);
      yield* eventsOf(text);
      timer = startTimer(late, timeoutMs); // the deadline does not include the reader's time
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
  throw new SlipwayError('The response is not an event stream. Check that baseUrl is the address of an API.');
}

/** Yields text that ends at an event boundary: each event ends with an empty line. */
async function* eventChunks(body: Body): AsyncGenerator<string, void, undefined> {
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

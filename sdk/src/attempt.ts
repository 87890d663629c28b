// Performs one attempt: a request with a deadline, and its whole response.
import { SlipwayConnectionError, SlipwayTimeoutError } from './errors.ts';
import type { OperationEntry } from './operation.ts';
import { infoOf, type ResponseInfo, readAnswer } from './response.ts';

export interface PreparedRequest extends Pick<OperationEntry, 'method' | 'isText' | 'isBinary'> {
  url: string;
  headers: Headers;
  body: string | null;
}

export interface Answer {
  data: unknown;
  response: ResponseInfo;
}

export interface AttemptOptions {
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

// Node runs a longer timer immediately.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Starts a timer of at most 24.8 days. */
export const startTimer = (run: () => void, ms: number): ReturnType<typeof setTimeout> =>
  setTimeout(run, Math.min(ms, LONGEST_TIMER_MS));

export async function attempt(request: PreparedRequest, options: AttemptOptions): Promise<Answer> {
  const [response, body] = await exchange(request, options);
  const data = typeof body === 'string' ? readAnswer(response, body, request.isText) : body;
  return { data, response: infoOf(response) };
}

async function exchange(request: PreparedRequest, options: AttemptOptions): Promise<[Response, string | Blob]> {
  const { fetch, timeoutMs, signal } = options;
  signal?.throwIfAborted();
  // Not `AbortSignal.any`: a long-lived signal would keep a reference to each derived signal.
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const late = new SlipwayTimeoutError(`No answer within ${timeoutMs} ms.`);
  const timer = startTimer(() => controller.abort(late), timeoutMs);
  try {
    const { method, url, headers, body, isBinary } = request;
    const response = await fetch(url, {
      method,
      headers,
      body,
      redirect: 'manual', // the key is sent only to the configured origin
      signal: controller.signal,
    });
    return [response, await response[isBinary && response.ok ? 'blob' : 'text']()];
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    throw new SlipwayConnectionError(`No answer: ${reasonOf(error)}.`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

// `fetch` says "fetch failed" and keeps the reason as the cause. If several addresses were tried, only the code of the
// cause is set.
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { code?: string; message?: string } };
  return cause?.message || cause?.code || message || String(error);
}

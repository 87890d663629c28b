// Performs one attempt: a request with a deadline, and its whole response.
import { SlipwayConnectionError, SlipwayTimeoutError } from './errors.ts';
import { infoOf, type ResponseInfo, readAnswer } from './response.ts';

export interface PreparedRequest {
  method: string;
  url: string;
  headers: Headers;
  body: string | undefined;
  /** The response is text, not JSON. */
  isText: boolean | undefined;
}

export interface Answer {
  data: unknown;
  response: ResponseInfo;
}

interface AttemptOptions {
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

// Node runs a longer timer immediately.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export async function attempt(request: PreparedRequest, options: AttemptOptions): Promise<Answer> {
  const { response, text } = await exchange(request, options);
  return { data: readAnswer(response, text, request.isText), response: infoOf(response) };
}

async function exchange(
  request: PreparedRequest,
  options: AttemptOptions,
): Promise<{ response: Response; text: string }> {
  const { fetch, timeoutMs, signal } = options;
  signal?.throwIfAborted();
  // Not `AbortSignal.any`: a long-lived signal would keep a reference to each derived signal.
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const late = new SlipwayTimeoutError(`No answer within ${timeoutMs} ms.`);
  const timer = setTimeout(() => controller.abort(late), Math.min(timeoutMs, LONGEST_TIMER_MS));
  try {
    const { method, url, headers, body } = request;
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: 'manual', // the key is sent only to the configured origin
      signal: controller.signal,
    });
    return { response, text: await response.text() };
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

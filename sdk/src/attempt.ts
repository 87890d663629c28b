// One attempt: a request, its deadline, and its whole answer.
import { SlipwayConnectionError, SlipwayTimeoutError } from './errors.ts';
import { infoOf, type ResponseInfo, readAnswer } from './response.ts';

export interface Prepared {
  method: string;
  url: string;
  headers: Headers;
  body: string | undefined;
  /** The answer is a text, not JSON. */
  isText: boolean;
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

// A timer that is set for longer runs out at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export async function attempt(request: Prepared, options: AttemptOptions): Promise<Answer> {
  const { response, text } = await exchange(request, options);
  return { data: readAnswer(response, text, request.isText), response: infoOf(response) };
}

async function exchange(request: Prepared, options: AttemptOptions): Promise<{ response: Response; text: string }> {
  const { fetch, timeoutMs, signal } = options;
  signal?.throwIfAborted();
  // Not AbortSignal.any: a signal that outlives its calls would keep what was made of it.
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
      redirect: 'manual', // the key goes to the origin that it was given for, and nowhere else
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

// fetch says "fetch failed" and keeps what went wrong in the cause; of several addresses tried, only its code tells.
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { code?: string; message?: string } };
  return cause?.message || cause?.code || message || String(error);
}

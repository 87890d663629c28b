// Builds the client of each Slipway API, with one method per operation of the contract.
import { type Answer, attempt, type PreparedRequest } from './attempt.ts';
import type { CallOptions, ClientOptions, MutationOptions, OperationEntry, OperationTypes } from './operation.ts';
import { itemsOf, pagesFrom } from './pages.ts';
import { prepare } from './prepare.ts';
import type { ResponseInfo } from './response.ts';
import { pause, retryDelayMs } from './retry.ts';

/** A promise of the response's value. */
export interface ResponsePromise<Output> extends Promise<Output> {
  /** Returns the value together with status, headers and request id of the response. */
  withResponse(): Promise<{ data: Output; response: ResponseInfo }>;
}

/** A promise of the first page, and an async iteration over all items of the list. */
export interface ListCall<Page, Item> extends ResponsePromise<Page>, AsyncIterable<Item> {
  pages(): AsyncIterable<Page>;
}

type Result<T extends OperationTypes> = T extends { item: infer Item }
  ? ListCall<T['output'], Item>
  : ResponsePromise<T['output']>;

type Options<T extends OperationTypes> = T extends { takesIdempotencyKey: true } ? MutationOptions : CallOptions;

/** One method per operation. The input of an operation without required inputs is optional. */
export type Client<O extends { [K in keyof O]: OperationTypes }> = {
  readonly [K in keyof O]: object extends O[K]['input']
    ? (input?: O[K]['input'], options?: Options<O[K]>) => Result<O[K]>
    : (input: O[K]['input'], options?: Options<O[K]>) => Result<O[K]>;
};

type Input = Readonly<Record<string, unknown>>;

const MAX_RETRIES = 2;
const TIMEOUT_MS = 30_000;

/** Returns a client. Only its methods hold the headers, so that a printed client shows no credential. */
export function createClient<O extends { [K in keyof O]: OperationTypes }>(
  operations: Readonly<Record<keyof O & string, OperationEntry>>,
  options: ClientOptions,
  headers: Readonly<Record<string, string>>,
): Client<O> {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const methods = Object.entries<OperationEntry>(operations).map(([name, entry]) => {
    const call = (input: Input = {}, callOptions: MutationOptions = {}): Promise<Answer> =>
      perform(entry, () => prepare(entry, input, callOptions, { baseUrl, headers }), {
        ...options,
        ...definedOptions(callOptions),
      });
    return [name, (input?: Input, callOptions?: MutationOptions) => toCall(entry, call, input, callOptions)];
  });
  return Object.fromEntries(methods) as Client<O>; // each method is typed by the contract it was generated from
}

// An option with the value undefined keeps the client's own option.
function definedOptions(options: CallOptions): CallOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

type Perform = (input?: Input, options?: MutationOptions) => Promise<Answer>;

function toCall(
  entry: OperationEntry,
  perform: Perform,
  input?: Input,
  options?: MutationOptions,
): ResponsePromise<unknown> {
  const answer = perform(input, options);
  const data = answer.then((one) => one.data);
  const withResponse = (): Promise<Answer> => {
    data.catch(() => {}); // the caller handles the failure of the response
    return answer;
  };
  const { page } = entry;
  if (!page) return Object.assign(data, { withResponse });
  const next = async (position: string): Promise<unknown> =>
    (await perform({ ...input, [page]: position }, options)).data;
  const pages = () => pagesFrom(page, data, next);
  return Object.assign(data, { withResponse, pages, [Symbol.asyncIterator]: () => itemsOf(pages()) });
}

async function perform(
  entry: OperationEntry,
  prepared: () => PreparedRequest,
  options: Omit<ClientOptions, 'baseUrl'> & CallOptions,
): Promise<Answer> {
  const { signal, maxRetries = MAX_RETRIES, timeoutMs = TIMEOUT_MS, onRetry, fetch = globalThis.fetch } = options;
  // One request for all attempts: the same bytes and the same idempotency key.
  const request = prepared();
  const isRepeatable = entry.takesIdempotencyKey || entry.method === 'GET';
  for (let retry = 0; ; retry += 1) {
    try {
      return await attempt(request, { fetch, timeoutMs, signal });
    } catch (error) {
      const waitMs = isRepeatable && retry < maxRetries ? retryDelayMs(error, retry) : undefined;
      if (waitMs === undefined) throw error;
      onRetry?.({ error, waitMs, attempt: retry + 2, maxAttempts: maxRetries + 1 });
      await pause(waitMs, signal);
    }
  }
}

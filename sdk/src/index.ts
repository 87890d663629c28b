// Entry point of the SDK: the client of /v1. Verification of webhooks is in './webhooks', for servers only.
import { type Client, createClient } from './client.ts';
import { type Operations, operations } from './generated/public.ts';
import type { ClientOptions, OperationEntry, OperationTypes } from './operation.ts';

export type { Client, ListCall, ResponsePromise } from './client.ts';
export {
  type ProblemCode,
  SlipwayConnectionError,
  SlipwayError,
  SlipwayProblem,
  SlipwayTimeoutError,
} from './errors.ts';
export type * from './generated/public.ts';
export type { CallOptions, ClientOptions, MutationOptions, Retry } from './operation.ts';
export type { RateLimit, ResponseInfo } from './response.ts';

export type SlipwayClient = Client<Operations>;

export interface SlipwayOptions extends ClientOptions {
  /** An API key of your app. Keep it on a server: the API refuses a key that a browser page sends. */
  key: string;
}

/** Returns a client of /v1. Throws a `TypeError` if the key or the address is malformed. */
export const createSlipway = (options: SlipwayOptions): SlipwayClient => createApi<Operations>(operations, options);

/**
 * Returns a client of an API with another contract, whose types and operations `slipway-server contract sdk` generates.
 * Throws a `TypeError` if the key or the address is malformed.
 */
export function createApi<O extends { [K in keyof O]: OperationTypes }>(
  table: Readonly<Record<keyof O & string, OperationEntry>>,
  { key, ...options }: SlipwayOptions,
): Client<O> {
  // Refused here without printing the key: `fetch` would print a header that it cannot send.
  if (typeof key !== 'string' || !/^[!-~]+$/.test(key)) {
    throw new TypeError('key must be an API key: it is missing or contains invalid characters.');
  }
  if (!isAddress(options.baseUrl)) {
    throw new TypeError('baseUrl must be an http(s) address with only a host and a path.');
  }
  return createClient<O>(table, options, { authorization: `Bearer ${key}` });
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}

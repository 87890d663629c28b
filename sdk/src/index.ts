// Slipway's SDK: the client of /v1. Webhooks are verified by './webhooks', which is for servers alone.
import { type Client, createClient } from './client.ts';
import { type Operations, operations } from './generated/public.ts';
import type { ClientOptions } from './operation.ts';

export type { Call, Client, ListCall } from './client.ts';
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
  /** A key of your app. It belongs on a server: a browser's call with a key is refused. */
  key: string;
}

/** A client of /v1. */
export function createSlipway({ key, ...options }: SlipwayOptions): SlipwayClient {
  // Refused here without being repeated: fetch would print a header that it cannot send.
  if (typeof key !== 'string' || !/^[!-~]+$/.test(key)) {
    throw new TypeError('The key is missing, or holds characters that no key has.');
  }
  if (!isAddress(options.baseUrl)) {
    throw new TypeError('baseUrl is no http(s) address, or holds more than a host and a path.');
  }
  return createClient<Operations>(operations, options, { authorization: `Bearer ${key}` });
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}

// Slipway's SDK: typed clients of the API and of the management API, and the verification of webhooks.
import { type Client, type ClientOptions, createClient } from './client.ts';
import { type Operations as ConsoleOperations, operations as consoleOperations } from './generated/console.ts';
import { type Operations, operations } from './generated/public.ts';

export { type CallOptions, type Client, type ClientOptions, SlipwayProblem } from './client.ts';
export type * as management from './generated/console.ts';
export type * from './generated/public.ts';

export type SlipwayClient = Client<Operations>;
export type ManagementClient = Client<ConsoleOperations>;

/** A client of /v1. The key belongs on a server: a browser's call with a key is refused. */
export function createSlipway(options: { baseUrl: string; key: string; fetch?: typeof fetch }): SlipwayClient {
  const { baseUrl, key, ...rest } = options;
  return createClient<Operations>(operations, { baseUrl, headers: { authorization: `Bearer ${key}` }, ...rest });
}

/** A client of the management API, for the Console's own pages: the session is the browser's cookie. */
export function createManagement(options: Pick<ClientOptions, 'baseUrl' | 'fetch'>): ManagementClient {
  return createClient<ConsoleOperations>(consoleOperations, { ...options, headers: { 'slipway-console': '1' } });
}

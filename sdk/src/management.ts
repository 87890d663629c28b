// The client of the management API, for the Console's own pages: the session is the browser's cookie.
import { type Client, createClient } from './client.ts';
import { type Operations, operations } from './generated/console.ts';
import type { ClientOptions } from './operation.ts';

export type * from './generated/console.ts';

export type ManagementClient = Client<Operations>;

export function createManagement(options: ClientOptions): ManagementClient {
  return createClient<Operations>(operations, options, { 'slipway-console': '1' });
}

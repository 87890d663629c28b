// The client of the management API: for the Console's own pages, where the session is the browser's cookie, and for terminals
// and scripts with an access token.
import { type Client, createClient } from './client.ts';
import { type Operations, operations } from './generated/console.ts';
import type { ClientOptions } from './operation.ts';

export type * from './generated/console.ts';

export type ManagementClient = Client<Operations>;

export interface ManagementOptions extends ClientOptions {
  /** A personal access token, `slp_...`. Without one it is the session that counts. */
  token?: string | undefined;
}

export function createManagement({ token, ...options }: ManagementOptions): ManagementClient {
  const authorization = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  return createClient<Operations>(operations, options, { 'slipway-console': '1', ...authorization });
}

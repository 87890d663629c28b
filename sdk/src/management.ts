// The client of the management API: for the Console's own pages, where the session is the browser's cookie, and for terminals
// and scripts with an access token.
import { type Client, createClient } from './client.ts';
import { type Operations, operations } from './generated/console.ts';
import type { ClientOptions, OperationEntry } from './operation.ts';
import { addressOf } from './prepare.ts';
import type { StreamOptions } from './stream.ts';
import { type Tail, type TailInput, tailRequests } from './tail.ts';

export type * from './generated/console.ts';
/** Method, path and query of each operation, for whoever makes something of all of them. */
export { operations } from './generated/console.ts';
export type { StreamOptions } from './stream.ts';
export type { MissedRequests, Tail, TailedRequests, TailInput } from './tail.ts';

export type ManagementClient = Client<Operations> & {
  /** The requests of an app as they are answered, until `signal` or whoever reads ends it. */
  readonly tailRequests: (input: TailInput, options?: StreamOptions) => Tail;
  /** Where an operation is read: for what a browser fetches by itself with its session, as a download. */
  readonly addressOf: <K extends keyof Operations>(operation: K, input: Operations[K]['input']) => string;
  /** Whether an access token may be sent to it; some operations want the person themselves. */
  readonly takesToken: (operation: keyof Operations) => boolean;
};

export interface ManagementOptions extends ClientOptions {
  /** A personal access token, `slp_...`. Without one it is the session that counts. */
  token?: string | undefined;
}

export function createManagement({ token, ...options }: ManagementOptions): ManagementClient {
  const authorization = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  const headers = { 'slipway-console': '1', ...authorization };
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  return {
    ...createClient<Operations>(operations, options, headers),
    tailRequests: (input, tailOptions = {}) => tailRequests({ ...options, baseUrl, headers }, input, tailOptions),
    addressOf: (operation, input) => baseUrl + addressOf(operations[operation], { ...input }),
    takesToken: (operation) => (operations[operation] as OperationEntry).isSessionOnly !== true,
  };
}

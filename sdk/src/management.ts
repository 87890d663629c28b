// The client of the management API: for the Console's own pages, where the session is the browser's cookie, and for terminals
// and scripts with an access token.
import { type Changes, type ChangesInput, followChanges } from './changes.ts';
import { type Client, createClient } from './client.ts';
import { type Operations, operations } from './generated/console.ts';
import type { ClientOptions, OperationEntry } from './operation.ts';
import { addressOf, type EnvironmentName, entryIn } from './prepare.ts';
import type { StreamOptions } from './stream.ts';
import { type Tail, type TailInput, tailRequests } from './tail.ts';

export type { Changes, ChangesInput } from './changes.ts';
export type * from './generated/console.ts';
/** Method, path and query of each operation, for whoever makes something of all of them. */
export { operations } from './generated/console.ts';
export type { StreamOptions } from './stream.ts';
export type { MissedRequests, Tail, TailedRequests, TailInput } from './tail.ts';

export type ManagementClient = Client<Operations> & {
  /** The requests of an app as they are answered, until `signal` or whoever reads ends it. */
  readonly tailRequests: (input: TailInput, options?: StreamOptions) => Tail;
  /** Which reads of an app are no longer answered as before, until `signal` or whoever reads ends it. */
  readonly followChanges: (input: ChangesInput, options?: StreamOptions) => AsyncGenerator<Changes, void, undefined>;
  /** Where an operation is read: for what a browser fetches by itself with its session, as a download. */
  readonly addressOf: <K extends keyof Operations>(operation: K, input: Operations[K]['input']) => string;
  /** Whether an access token may be sent to it; some operations want the person themselves. */
  readonly takesToken: (operation: keyof Operations) => boolean;
};

export interface ManagementOptions extends ClientOptions {
  /** A personal access token, `slp_...`. Without one it is the session that counts. */
  token?: string | undefined;
  /** Whose apps are managed: the sandbox's unless given. What the sandbox alone has is not found in production. */
  environment?: EnvironmentName | undefined;
}

function operationsOf(environment: ManagementOptions['environment']): typeof operations {
  if (environment !== 'production') return operations;
  const moved = Object.entries<OperationEntry>(operations).map(([name, entry]) => [name, entryIn(environment, entry)]);
  return Object.fromEntries(moved) as typeof operations; // the same names, of which only the paths are others
}

export function createManagement({ token, environment, ...options }: ManagementOptions): ManagementClient {
  const table = operationsOf(environment);
  const authorization = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  const headers = { 'slipway-console': '1', ...authorization };
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const ofStreams = { ...options, baseUrl, headers, environment };
  return {
    ...createClient<Operations>(table, options, headers),
    tailRequests: (input, tailOptions = {}) => tailRequests(ofStreams, input, tailOptions),
    followChanges: (input, changesOptions = {}) => followChanges(ofStreams, input, changesOptions),
    addressOf: (operation, input) => baseUrl + addressOf(table[operation], { ...input }),
    takesToken: (operation) => (operations[operation] as OperationEntry).isSessionOnly !== true,
  };
}

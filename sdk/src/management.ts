// The client of the management API. Pages of the Console use it with the session cookie; terminals and scripts use it
// with an access token.
import { type Changes, type ChangesInput, followChanges } from './changes.ts';
import { type Client, createClient } from './client.ts';
import { type Operations, operations } from './generated/console.ts';
import type { ClientOptions, OperationEntry } from './operation.ts';
import { addressOf, type EnvironmentName, entryForEnvironment } from './prepare.ts';
import type { StreamOptions } from './stream.ts';
import { type Tail, type TailInput, tailRequests } from './tail.ts';

export type { Changes, ChangesInput } from './changes.ts';
export { type ForecastParts, forecastParts } from './forecast.ts';
export type * from './generated/console.ts';
/** Method, path and query parameters of each operation, for tools that cover all operations. */
export { operations } from './generated/console.ts';
export { addKeyActivity, keyActivityTable } from './key-activity.ts';
export type { StreamOptions } from './stream.ts';
export type { MissedRequests, Tail, TailedRequests, TailInput } from './tail.ts';

export type ManagementClient = Client<Operations> & {
  /** Follows the requests of an app as they are answered. Ends with `signal`, or when the reader stops. */
  readonly tailRequests: (input: TailInput, options?: StreamOptions) => Tail;
  /** Follows which reads of an app would return a changed result. Ends with `signal`, or when the reader stops. */
  readonly followChanges: (input: ChangesInput, options?: StreamOptions) => AsyncGenerator<Changes, void, undefined>;
  /** Returns the address of a read, for a browser that fetches it with its session, such as a download. */
  readonly addressOf: <K extends keyof Operations>(operation: K, input: Operations[K]['input']) => string;
  /** Returns whether an operation accepts an access token. Some operations require a session. */
  readonly takesToken: (operation: keyof Operations) => boolean;
};

export interface ManagementOptions extends ClientOptions {
  /** A personal access token, `slp_...`. Without it the session cookie authenticates. */
  token?: string | undefined;
  /** The environment whose apps are managed. Default: the sandbox. Sandbox operations return 404 in production. */
  environment?: EnvironmentName | undefined;
}

function operationsOf(environment: ManagementOptions['environment']): typeof operations {
  if (environment !== 'production') return operations;
  const moved = Object.entries<OperationEntry>(operations).map(([name, entry]) => [
    name,
    entryForEnvironment(environment, entry),
  ]);
  return Object.fromEntries(moved) as typeof operations; // the same names with other paths
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

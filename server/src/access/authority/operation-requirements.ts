// The properties of an operation of /v1 that determine its access rules.
import type { Scope } from './scopes.ts';

export interface OperationRequirements {
  id: string;
  scope: Scope | undefined;
  /** Scopes that a request also needs. */
  further: readonly Scope[];
  /**
   * The server whose grants decide: the server of the object that the request names, an optional server of the query, or
   * the account of the app. `each`: a list over all servers.
   */
  server: 'in_path' | 'in_query' | 'account' | 'each' | 'none';
}

// The properties of an operation of /v1 that determine its access rules.
import type { Scope } from './scopes.ts';

export interface OperationRequirements {
  id: string;
  scope: Scope | undefined;
  /** Scopes that a request also needs. */
  further: readonly Scope[];
  /** How the operation refers to a server: in its path, optionally in its query, or as a list over all servers. */
  server: 'in_path' | 'in_query' | 'each' | 'none';
}

// An app whose access changes, and the APIs through which it is asked.
import type { Environment, Peppers, Scope } from '../src/access/authority/index.ts';
import type { Superuser } from './database-time.ts';

export interface AccessProbeResponse {
  status: number;
  code: string | undefined;
  text: string;
}

export interface AccessProbe {
  scope: Scope | undefined;
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  /** The scope of the resource if it differs: an event requires both scopes. */
  resourceScope?: Scope;
  /** The name of the object in a list. A list leaves out objects without access. */
  names?: string;
}

export interface TestEnvironment {
  environment: Environment;
  /** Sends the question to the API of a node. */
  ask(node: number, token: string, question: AccessProbe): Promise<AccessProbeResponse>;
  /** Calls the management API; rejects if the call fails. */
  manage(method: 'GET' | 'PATCH' | 'POST' | 'PUT', path: string, body?: object): Promise<{ text: string }>;
  superuser: Superuser;
  peppers: Peppers;
  /**
   * In production: waits until the upstream API has read every request that was sent before this call. Resolves to a
   * function that returns the number of the app's mutations that arrived later.
   */
  observeForwarded?(appId: string): Promise<() => number>;
}

export interface Subject {
  testEnvironment: TestEnvironment;
  appId: string;
  serverIds: readonly string[];
}

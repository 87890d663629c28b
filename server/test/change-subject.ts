// An app whose access changes, and where it is asked.
import type { Environment, Peppers, Scope } from '../src/access/authority/index.ts';
import type { Superuser } from './database-moment.ts';

export interface Told {
  status: number;
  code: string | undefined;
  text: string;
}

export interface Question {
  scope: Scope | undefined;
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  /** The scope of the resource that is asked for, where that is another: an event needs both. */
  resourceScope?: Scope;
  /** The name by which a list shows the object. A list leaves out objects that are not allowed. */
  names?: string;
}

export interface Place {
  environment: Environment;
  /** Asks the API as a node of the service. */
  ask(node: number, token: string, question: Question): Promise<Told>;
  /** Asks the management API; rejects unless it is done. */
  manage(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<{ text: string }>;
  superuser: Superuser;
  peppers: Peppers;
  /** In production: how many mutations of the app have reached the upstream API. */
  countForwarded?(appId: string): number;
}

export interface Subject {
  place: Place;
  appId: string;
  serverIds: readonly string[];
}

// The scopes of the contract. A key holds scopes and a server authorises scopes, independently of each other.
import { oneOf } from '../../kit/http/schema.ts';
import { contract, isOperatorContract, type Scope } from '../contracts/index.ts';

export type { Scope } from '../contracts/index.ts';

export const SCOPES = Object.keys(contract.scopes) as unknown as readonly [Scope, ...Scope[]]; // Object.keys loses the type of the keys

/** The scopes of a key in examples. */
export const EXAMPLE_SCOPES: readonly Scope[] = isOperatorContract
  ? SCOPES.slice(0, 2)
  : ['servers:read', 'tickets:create'];

export const ScopeSchema = oneOf(SCOPES, 'A scope.');

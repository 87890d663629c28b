// The scopes of the contract. A key holds scopes and a server authorises scopes, independently of each other.
import { oneOf } from '../../kit/http/schema.ts';
import { contract, type Scope } from '../contracts/index.ts';

export type { Scope } from '../contracts/index.ts';

export const SCOPES = Object.keys(contract.scopes) as unknown as readonly [Scope, ...Scope[]]; // Object.keys loses the type of the keys

export const ScopeSchema = oneOf(SCOPES, 'A scope.');

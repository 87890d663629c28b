import { expect, test } from 'vitest';
import { allowKeyRead, type Plane, SCOPES } from '../access/authority/index.ts';
import type { AnyOperation } from '../kit/http/operation.ts';
import { requirementsOf } from './management.ts';

test('requirementsOf() returns the scopes of an operation in declared order, in which a request needs them', () => {
  const [first = SCOPES[0], ...further] = SCOPES.slice(0, 3).toReversed();
  const operation = { id: 'x', path: '/v1/x', access: allowKeyRead(first, { further }) };
  const { scope, further: returned } = requirementsOf(operation as unknown as AnyOperation<Plane>); // it reads only these
  expect([scope, ...returned]).toEqual(SCOPES.slice(0, 3).toReversed());
});

// The gateway: production forwards requests about servers to the operator's upstream API after authority has checked
// them. It validates responses against the contract.

import type { ApiCaller, Plane } from '../../access/authority/index.ts';
import type { AnyOperation, Reply } from '../../kit/http/operation.ts';
import { communityMutations } from './community-mutations.ts';
import { declaredMutations } from './declared-mutations.ts';
import { declaredOf } from './declared-operation.ts';
import { forwardDeclaredRead } from './declared-read.ts';
import { type ForwardContext, forwardRead } from './forward-read.ts';
import { forwardWrite } from './forward-write.ts';
import type { Gateway } from './gateway.ts';
import { UpstreamFailureError, UpstreamRefusalError } from './upstream-response.ts';

export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';
export { ISSUER } from './identity-token.ts';

/**
 * Returns the same operation, answered by the upstream API. Without a gateway the operation serves only the contract.
 */
export function forwardTo(gateway: Gateway | undefined): (operation: AnyOperation<Plane>) => AnyOperation<Plane> {
  return (operation) => ({
    ...operation,
    access: {
      ...operation.access,
      problems: [...operation.access.problems, 'upstream_invalid'],
      enter(caller, request, plane) {
        if (!gateway) throw new Error('This operation exists for the contract only.');
        // Only a key can authenticate here, so the principal is a caller.
        return runForward({ gateway, caller: caller as ApiCaller, plane, ...request, operation });
      },
    },
  });
}

async function runForward(forwarded: ForwardContext): Promise<Reply> {
  const { gateway, operation } = forwarded;
  try {
    const declared = declaredOf(operation.id);
    if (operation.method === 'GET')
      return await (declared ? forwardDeclaredRead(forwarded, declared) : forwardRead(forwarded));
    return await forwardWrite(forwarded, declared ? declaredMutations(declared) : communityMutations);
  } catch (error) {
    if (error instanceof UpstreamRefusalError) throw error.problem;
    if (!(error instanceof UpstreamFailureError)) throw error;
    gateway.recordFailure(forwarded, error);
    throw error.problem;
  }
}

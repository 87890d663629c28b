// The gateway: production forwards requests about servers to the operator's upstream API after authority has checked
// them. It validates responses against the contract.

import type { Caller, Plane } from '../../access/authority/index.ts';
import type { AnyOperation, Reply } from '../../kit/http/operation.ts';
import { UpstreamFailed, UpstreamRefused } from './answer.ts';
import { type Forwarded, forwardRead } from './forward-read.ts';
import { forwardWrite } from './forward-write.ts';
import type { Gateway } from './gateway.ts';

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
        return explained({ gateway, caller: caller as Caller, plane, ...request, operation });
      },
    },
  });
}

async function explained(forwarded: Forwarded): Promise<Reply> {
  const { gateway, operation } = forwarded;
  try {
    return await (operation.method === 'GET' ? forwardRead(forwarded) : forwardWrite(forwarded));
  } catch (error) {
    if (error instanceof UpstreamRefused) throw error.problem;
    if (!(error instanceof UpstreamFailed)) throw error;
    gateway.note(forwarded, error);
    throw error.problem;
  }
}

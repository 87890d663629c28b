// Makes a plane's management operation an operation of the Console: the same declaration under another path. It
// forwards the call to the plane in the name of the signed-in member.

import {
  ACTIONS,
  type Action,
  actionIn,
  type Environment,
  isActionAllowed,
  needsSecondFactor,
  type Plane,
  signAssertion,
} from '../../access/authority/index.ts';
import {
  allowMember,
  type ConsoleServices,
  type MemberContext,
  requireFreshFactor,
} from '../../identity/sessions/index.ts';
import type { Secret } from '../../kit/crypto/secret.ts';
import type { AnyOperation } from '../../kit/http/operation.ts';
import { fillPath } from '../../kit/http/paths.ts';
import { runInSpan } from '../../kit/telemetry/trace.ts';
import type { PlaneLink } from './link.ts';

export interface PlaneConnection {
  environment: Environment;
  link: PlaneLink;
  managementKey: Secret;
}

/** Returns the operation. `connection` is undefined if only the contract is needed. */
export function forwardToPlane(
  operation: AnyOperation<Plane>,
  environment: Environment,
  connection: PlaneConnection | undefined,
): AnyOperation<ConsoleServices> {
  const access = allowMember();
  return {
    ...operation,
    path: `/api/${environment}${operation.path}`,
    access: {
      ...access,
      ...(operation.access.action !== undefined && { action: operation.access.action }),
      summary: operation.access.summary,
      problems: [...new Set([...access.problems, ...operation.access.problems])],
      // Both contexts belong to the same member; only the operation's own type is lost here.
    } as AnyOperation<ConsoleServices>['access'],
    async run(context, inputs) {
      if (!connection) throw new Error('The contract lists this operation, but no handler serves it.');
      const hasFreshFactor = await verifyFreshFactor(context as MemberContext, operation, environment); // allowMember() made the context
      const actor = { ...(context as MemberContext).actor, hasFreshFactor };
      const span = (context as MemberContext).workScope.span?.begin(`management ${environment}`, 'client');
      const response = connection.link({
        method: operation.method,
        path: pathOf(operation.path, inputs.params as Record<string, string>, inputs.query as Record<string, unknown>),
        assertion: await signAssertion(actor, environment, connection.managementKey),
        body: operation.body ? JSON.stringify(inputs.body) : undefined,
        traceparent: span?.traceparent,
      });
      const { status, headers, body } = await runInSpan(span, response);
      return body === '' ? { status, headers } : { status, headers, json: body };
    },
  };
}

/**
 * Returns true if the second factor is fresh. A member whose role does not allow the action is not asked for a code:
 * the plane refuses them.
 */
async function verifyFreshFactor(
  context: MemberContext,
  { access: { action } }: AnyOperation<Plane>,
  environment: Environment,
): Promise<boolean> {
  const actionName = ACTION_NAMES.find((known) => known === action);
  const needed = actionName && actionIn(environment, actionName);
  if (!needed || !needsSecondFactor(needed) || !isActionAllowed(context.actor.role, needed)) return false;
  await requireFreshFactor(context);
  return true;
}

const ACTION_NAMES = Object.keys(ACTIONS) as Action[]; // Object.keys loses the literal types

function pathOf(path: string, params: Record<string, string>, query: Record<string, unknown>): string {
  const filled = fillPath(path, params);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

// Access to a management operation: authenticates the member, and opens a unit of work inside the member's
// organisation.

import { uuidText } from '../../kit/crypto/ids.ts';
import type { Transaction } from '../../kit/db/db.ts';
import type { Access, Incoming, Inputs } from '../../kit/http/operation.ts';
import { type ProblemCode, problem } from '../../kit/openapi/problems.ts';
import { type Actor, verifyAssertion } from './assertion.ts';
import { readBearerToken, readOrganisationOfUrl } from './bearer.ts';
import { createListContext, type ListContext } from './paged.ts';
import type { Plane } from './plane.ts';
import { ACTIONS, type Action, actionIn, isActionAllowed, needsSecondFactor, requireAction } from './roles.ts';
import { type AppStatusRow, findApp } from './store.ts';
import {
  type PlaneScope,
  type PlaneWork,
  planeWork,
  planeWorkOn,
  requestScopeOf,
  type TenantWork,
  withTenant,
} from './unit-of-work.ts';

const ACTOR_PROBLEMS: readonly ProblemCode[] = [
  'sign_in_required',
  'role_not_allowed',
  'not_found',
  'unavailable',
  'timeout',
];

interface ManagedOrganisationContext extends PlaneWork, ListContext {
  plane: Plane;
  actor: Actor;
}

export interface ManagedAppContext extends TenantWork, ListContext {
  plane: Plane;
  actor: Actor;
  app: AppStatusRow;
}

async function admitActor(incoming: Incoming, action: Action, plane: Plane): Promise<Actor> {
  const assertion = readBearerToken(incoming);
  const actor = assertion && (await verifyAssertion(assertion, plane.environment, plane.secrets.managementKey));
  if (!actor) throw problem('sign_in_required');
  if (actor.organisationId !== readOrganisationOfUrl(incoming)) throw problem('not_found');
  const required = actionIn(plane.environment, action);
  if (!isActionAllowed(actor.role, required)) await enterRefusal(plane, actor, required, incoming);
  requireAction(actor.role, required);
  // A script with an access token cannot enter a code.
  if (needsSecondFactor(required) && (actor.kind !== 'person' || actor.hasFreshFactor !== true)) {
    throw problem('second_factor_required');
  }
  return actor;
}

// Only a member reaches this line, so an outsider cannot write to the log of an organisation.
function enterRefusal(plane: Plane, actor: Actor, action: Action, incoming: Incoming): Promise<void> {
  const { role } = actor;
  return planeWork(plane, scopeOf(actor, incoming), async ({ audit }) =>
    audit('access.refused', actor.personId, { action, role }),
  );
}

type ManagementAccess<Context> = Access<Plane, Actor, Context>;

function managementAccess<Context>(
  action: Action,
  enter: ManagementAccess<Context>['enter'],
): ManagementAccess<Context> {
  return {
    security: 'assertion',
    action,
    summary: `A member whose role allows \`${action}\`: ${ACTIONS[action].join(', ')}.`,
    problems: needsSecondFactor(actionIn('production', action))
      ? [...ACTOR_PROBLEMS, 'second_factor_required']
      : ACTOR_PROBLEMS,
    admit(incoming, plane) {
      return admitActor(incoming, action, plane);
    },
    enter,
  };
}

/** Requires a member of the organisation in the path, with a role that allows the action. */
export function allowOrganisationManagement(action: Action): ManagementAccess<ManagedOrganisationContext> {
  return managementAccess(action, (actor, request, plane, run) =>
    planeWork(plane, managingScope(plane, action, actor, request.incoming), (work) =>
      run({ ...work, plane, ...createListContext(request, actor.organisationId, plane.secrets.cursorKey), actor }),
    ),
  );
}

/** Requires the same for an app of the organisation, and loads the app before the operation runs. */
export function allowAppManagement(action: Action): ManagementAccess<ManagedAppContext> {
  return managementAccess(action, (actor, request, plane, run) =>
    planeWorkOn(
      plane,
      managingScope(plane, action, actor, request.incoming),
      loadApp(actor, request.inputs),
      (work, app) => {
        const lists = createListContext(request, app.app_id, plane.secrets.cursorKey);
        return run({ ...withTenant(work, app.app_id), plane, ...lists, actor, app });
      },
    ),
  );
}

function managingScope(plane: Plane, action: Action, actor: Actor, incoming: Incoming): PlaneScope {
  const isRead = action.endsWith('.read');
  return {
    ...scopeOf(actor, incoming),
    db: isRead ? plane.db.readerOf(actor.organisationId) : plane.db.manager,
    changeAuthor: { actor: actor.name, requestUuid: uuidText(incoming.exchange.uuid) },
    requiresOpen: !isRead,
  };
}

const scopeOf = (actor: Actor, incoming: Incoming): PlaneScope => ({
  ...requestScopeOf(incoming),
  organisationId: actor.organisationId,
  actor: { kind: actor.kind, id: actor.tokenId ?? actor.personId, name: actor.name },
  clientAddress: actor.address,
});

const loadApp =
  (actor: Actor, { ids: { appId } }: Inputs) =>
  async (tx: Transaction): Promise<AppStatusRow> => {
    const app = appId === undefined ? undefined : await findApp(tx, actor.organisationId, appId);
    if (!app) throw problem('not_found');
    return app;
  };

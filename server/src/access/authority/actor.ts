// What a management operation may demand of the person behind it, and the context that it gets in return: one
// transaction inside their organisation, with the audit log in it.

import { fromId, uuidText } from '../../kit/crypto/ids.ts';
import type { Transaction } from '../../kit/db/db.ts';
import type { Access, Incoming, Inputs, Reply } from '../../kit/http/operation.ts';
import { type ProblemCode, problem } from '../../kit/openapi/problems.ts';
import { traced } from '../../kit/telemetry/trace.ts';
import { type AuditEntry, appendAuditEntry } from '../audit/index.ts';
import { type AfterCommit, committed } from './after-commit.ts';
import { type Actor, verifyAssertion } from './assertion.ts';
import { bearerOf, organisationOf } from './bearer.ts';
import { requireOpen } from './gate.ts';
import type { Denial, Plane, Reader } from './plane.ts';
import { ACTIONS, type Action, actionIn, mayDo, needsSecondFactor, requireAction } from './roles.ts';
import { type AppRow, findApp, type TenantTransaction } from './store.ts';
import { type Changer, openTenant, setChanger, setOrganisation } from './tenant-store.ts';

const ACTOR_PROBLEMS: readonly ProblemCode[] = [
  'sign_in_required',
  'role_not_allowed',
  'not_found',
  'unavailable',
  'timeout',
];

export interface OrganisationContext {
  plane: Plane;
  actor: Actor;
  tx: Transaction;
  /** Enters what this operation does in the audit log, with its transaction. */
  audit(action: string, target: string, detail?: Record<string, unknown>, appId?: string): void;
  stopAfterCommit: AfterCommit['stopAfterCommit'];
}

export interface AppContext extends OrganisationContext {
  app: AppRow;
  tenant: TenantTransaction;
  /** The same, of this app. */
  stopAfterCommit(denial: Omit<Denial, 'appId'>): void;
  wakeAfterCommit: AfterCommit['wakeAfterCommit'];
  /** Once this transaction is committed: makes the answer, which takes longer than a connection may be held. */
  answerAfterCommit(make: () => Promise<Reply>): Reply;
}

async function admitActor(incoming: Incoming, action: Action, plane: Plane): Promise<Actor> {
  const assertion = bearerOf(incoming);
  const actor = assertion && (await verifyAssertion(assertion, plane.environment, plane.managementKey));
  if (!actor) throw problem('sign_in_required');
  if (actor.organisationId !== organisationOf(incoming)) throw problem('not_found');
  const asked = actionIn(plane.environment, action);
  if (!mayDo(actor.role, asked)) await enterRefusal(plane, actor, asked, incoming);
  requireAction(actor.role, asked);
  // A script that holds a token is nobody who can be asked for a code.
  if (needsSecondFactor(asked) && (actor.kind !== 'person' || actor.hasFreshFactor !== true)) {
    throw problem('second_factor_required');
  }
  return actor;
}

// Who tries what their role does not allow is a member: outsiders enter nothing in an organisation's log.
function enterRefusal(plane: Plane, actor: Actor, action: Action, incoming: Incoming): Promise<void> {
  return plane.db.manager.transaction(async (tx) => {
    setOrganisation(tx, actor.organisationId);
    const { role } = actor;
    organisationContext(plane, actor, tx, incoming).audit('access.refused', actor.personId, { action, role });
  });
}

const poolOf = ({ db }: Plane, action: Action, { organisationId }: Actor): Reader =>
  action.endsWith('.read') ? db.readerOf(organisationId) : db.manager;

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

/** A member of the path's organisation whose role allows the action. */
export function managesOrganisation(action: Action): ManagementAccess<OrganisationContext> {
  return managementAccess(action, (actor, { incoming }, plane, run) =>
    committed(plane, inTransaction(plane, action, actor, incoming), (tx, { stopAfterCommit }) =>
      run({ ...organisationContext(plane, actor, tx, incoming), stopAfterCommit }),
    ),
  );
}

/** The same, on one app of the organisation, which is loaded before the operation runs. */
export function managesApp(action: Action): ManagementAccess<AppContext> {
  return managementAccess(action, async (actor, { incoming, inputs }, plane, run) => {
    let makeAnswer: (() => Promise<Reply>) | undefined;
    const transaction = inTransaction(plane, action, actor, incoming);
    const reply = await committed<Reply>(plane, transaction, async (tx, { stopAfterCommit, wakeAfterCommit }) => {
      const app = await requireApp(tx, actor, inputs);
      return run({
        ...organisationContext(plane, actor, tx, incoming),
        app,
        tenant: openTenant(tx, app.app_id),
        stopAfterCommit: (denial) => stopAfterCommit({ appId: app.app_id, ...denial }),
        wakeAfterCommit,
        answerAfterCommit(make) {
          makeAnswer = make;
          return { status: 200 };
        },
      });
    });
    return makeAnswer ? makeAnswer() : reply;
  });
}

/** Inside the organisation, in the actor's name. */
const inTransaction =
  (plane: Plane, action: Action, actor: Actor, incoming: Incoming) =>
  (run: (tx: Transaction) => Promise<Reply>): Promise<Reply> => {
    const done = poolOf(plane, action, actor).transaction(async (tx) => {
      setOrganisation(tx, actor.organisationId);
      setChanger(tx, changerOf(actor, incoming));
      if (!action.endsWith('.read')) await requireOpen(tx);
      return run(tx);
    });
    return traced(incoming.exchange.span, 'transaction', done);
  };

const changerOf = ({ name }: Actor, { exchange }: Incoming): Changer => ({
  actor: name,
  requestUuid: uuidText(exchange.uuid),
});

async function requireApp(tx: Transaction, actor: Actor, inputs: Inputs): Promise<AppRow> {
  const appId = fromId('app', inputs.params.appId ?? '');
  const app = appId && (await findApp(tx, actor.organisationId, appId));
  if (!app) throw problem('not_found');
  return app;
}

function organisationContext(
  plane: Plane,
  actor: Actor,
  tx: Transaction,
  incoming: Incoming,
): Omit<OrganisationContext, 'stopAfterCommit'> {
  return {
    plane,
    actor,
    tx,
    audit: (action, target, detail = {}, appId) =>
      appendAuditEntry(tx, { ...auditedBy(actor, incoming), appId: appId ?? null, action, target, detail }),
  };
}

/** Who did it and by which request, as the audit log has it. */
function auditedBy(
  actor: Actor,
  incoming: Incoming,
): Pick<AuditEntry, 'organisationId' | 'actor' | 'requestId' | 'clientAddress'> {
  return {
    organisationId: actor.organisationId,
    actor: { kind: actor.kind, id: actor.tokenId ?? actor.personId, name: actor.name },
    requestId: incoming.exchange.id,
    clientAddress: actor.address,
  };
}

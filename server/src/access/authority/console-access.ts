// What only the Console's server itself may ask of a plane, for an organisation as a whole. No member can: the Console
// forwards none of these, and an assertion that names a person is refused.
import type { Transaction } from '../../kit/db/db.ts';
import type { Access } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { appendAuditEntry } from '../audit/index.ts';
import { type AfterCommit, committed } from './after-commit.ts';
import { type Actor, verifyAssertion } from './assertion.ts';
import { bearerOf, organisationOf } from './bearer.ts';
import { requireOpen } from './gate.ts';
import type { Plane } from './plane.ts';
import { setOrganisation } from './tenant-store.ts';

export interface ConsoleContext extends AfterCommit {
  plane: Plane;
  organisationId: string;
  tx: Transaction;
  /** Enters what this operation does in the audit log, with its transaction. */
  audit(action: string, target: string, detail: Record<string, unknown>): void;
}

/** Who the Console's server is when it asks for itself. */
export const consoleActor = (organisationId: string): Actor => ({
  kind: 'machine',
  personId: 'console',
  name: 'Slipway Console',
  organisationId,
  role: 'owner',
  address: null,
});

export function consoleItself(): Access<Plane, Actor, ConsoleContext> {
  return {
    security: 'assertion',
    summary: "The Console's server itself.",
    problems: ['sign_in_required', 'not_found', 'unavailable', 'timeout'],
    async admit(incoming, plane) {
      const assertion = bearerOf(incoming);
      const actor = assertion ? await verifyAssertion(assertion, plane.environment, plane.managementKey) : undefined;
      if (actor?.kind !== 'machine') throw problem('sign_in_required');
      if (actor.organisationId !== organisationOf(incoming)) throw problem('not_found');
      return actor;
    },
    enter(actor, { incoming }, plane, run) {
      const { organisationId } = actor;
      const manager = plane.db.manager.transaction;
      return committed(plane, manager, async (tx, after) => {
        setOrganisation(tx, organisationId);
        await requireOpen(tx);
        return run({
          plane,
          organisationId,
          tx,
          audit: (action, target, detail) =>
            appendAuditEntry(tx, {
              organisationId,
              appId: null,
              actor: { kind: actor.kind, id: actor.personId, name: actor.name },
              action,
              target,
              detail,
              requestId: incoming.exchange.id,
              clientAddress: null,
            }),
          ...after,
        });
      });
    },
  };
}

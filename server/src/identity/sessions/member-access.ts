// Access to the Console's own operations on an organisation: a role that allows the action, read in the transaction of
// the operation.

import {
  ACTIONS,
  type Action,
  type Actor,
  createListContext,
  type ListContext,
  requireAction,
  type UnitOfWork,
  unitOfWork,
} from '../../access/authority/index.ts';
import type { Access, Reply } from '../../kit/http/operation.ts';
import { type ProblemCode, ProblemError } from '../../kit/openapi/problems.ts';
import {
  type ConsoleCaller,
  type ConsoleServices,
  type MemberContext,
  PERSON_PROBLEMS,
  personContext,
  readOnly,
  requireConsoleCaller,
  requireMember,
  requireOrganisationId,
  requirePerson,
} from './console-access.ts';
import { lockConsoleOrganisation } from './store.ts';

/** A unit of work in which the role of the member was read. */
interface MemberWork extends UnitOfWork {
  actor: Actor;
}

export interface ConsoleOrganisationContext extends MemberContext, MemberWork, ListContext {
  /** Runs another unit of work with the same checks, for a change that follows a call without a transaction. */
  runAgain(run: (work: MemberWork) => Promise<Reply>): Promise<Reply>;
}

function enterOrganisation(
  action: Action,
  isChange: boolean,
): Access<ConsoleServices, ConsoleCaller, ConsoleOrganisationContext>['enter'] {
  return async (caller, request, services, run) => {
    const { incoming } = request;
    const organisationId = requireOrganisationId(request.inputs);
    const lists = createListContext(request, organisationId, services.cursorKey);
    const context = personContext(caller, incoming);
    const scope = { organisationId, ...context.workScope };
    const inside: ConsoleOrganisationContext['runAgain'] = (body) =>
      unitOfWork(services.db, scope, async (unit) => {
        if (isChange) await lockConsoleOrganisation(unit.tx, organisationId);
        const actor = await requireMember(unit.tx, caller, organisationId, incoming);
        requireAction(actor.role, action);
        return body({ ...unit, actor });
      });
    return inside((work) => run({ services, ...context, ...lists, ...work, runAgain: inside })).catch(
      async (error: unknown) => {
        // The refused transaction is rolled back, so the audit entry has a separate transaction.
        if (error instanceof ProblemError && error.code === 'role_not_allowed') {
          await unitOfWork(services.db, scope, async ({ audit }) =>
            audit('access.refused', caller.person.id, { action }),
          );
        }
        throw error;
      },
    );
  };
}

const summaryOf = (action: Action): string =>
  `A member whose role allows \`${action}\`: ${ACTIONS[action].join(', ')}.`;
const PROBLEMS: readonly ProblemCode[] = [
  ...PERSON_PROBLEMS,
  'role_not_allowed',
  'not_found',
  'organisation_suspended',
  'timeout',
];

/** Requires a member whose role allows the reading action, or an access token of the member. */
export function allowMemberRead(action: Action): Access<ConsoleServices, ConsoleCaller, ConsoleOrganisationContext> {
  return {
    security: 'session',
    alternativeSecurity: 'token',
    action,
    summary: summaryOf(action),
    problems: PROBLEMS,
    admit: requireConsoleCaller,
    enter: enterOrganisation(action, false),
  };
}

/**
 * Requires a member whose role allows the change, or an access token of the member that may write. For changes that
 * give no access to people or tokens.
 */
export function allowMemberWrite(action: Action): Access<ConsoleServices, ConsoleCaller, ConsoleOrganisationContext> {
  return {
    ...allowMemberRead(action),
    async admit(incoming, services) {
      const caller = await requireConsoleCaller(incoming, services);
      if (caller.token?.scope === 'read') throw readOnly();
      return caller;
    },
    enter: enterOrganisation(action, true),
  };
}

/**
 * Requires a signed-in member whose role allows the change. Changes of one organisation run one after the other, and
 * each reads the role after the previous change.
 */
export function allowMemberChange(action: Action): Access<ConsoleServices, ConsoleCaller, ConsoleOrganisationContext> {
  return {
    security: 'session',
    action,
    summary: summaryOf(action),
    problems: PROBLEMS,
    async admit(incoming, services) {
      return { person: await requirePerson(incoming, services), token: undefined };
    },
    enter: enterOrganisation(action, true),
  };
}

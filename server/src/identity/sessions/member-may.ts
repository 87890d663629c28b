// What the Console's own operations on an organisation demand: a role that allows the action, read in the transaction that does
// it.

import { ACTIONS, type Action, type Actor, requireAction } from '../../access/authority/index.ts';
import type { Transaction } from '../../kit/db/db.ts';
import type { Access, Reply } from '../../kit/http/operation.ts';
import { type ProblemCode, ProblemError } from '../../kit/openapi/problems.ts';
import { traced } from '../../kit/telemetry/trace.ts';
import {
  type Caller,
  type ConsoleServices,
  type MemberContext,
  organisationOf,
  PERSON_PROBLEMS,
  personContext,
  requireCaller,
  requireMember,
  requirePerson,
} from './access.ts';
import { holdOrganisation } from './store.ts';

/** What a transaction of a member's is given, in which their role was read. */
interface InOrganisation {
  actor: Actor;
  tx: Transaction;
  /** Enters what this operation does in the audit log, with its transaction. */
  audit(action: string, target: string, detail?: Record<string, unknown>): void;
}

export interface OrganisationContext extends Omit<MemberContext, 'audit'>, InOrganisation {
  /** Once this transaction is committed: makes the answer, which needs more than the Console's own database. */
  answerAfterCommit(make: () => Promise<Reply>): Reply;
  /** Another transaction, entered as this one was: for what comes after something that must hold none. */
  again<T>(run: (inside: InOrganisation) => Promise<T>): Promise<T>;
}

function enterOrganisation(
  action: Action,
  isChange: boolean,
): Access<ConsoleServices, Caller, OrganisationContext>['enter'] {
  return async (caller, { incoming, inputs }, services, run) => {
    const organisationId = organisationOf(inputs);
    let makeAnswer: (() => Promise<Reply>) | undefined;
    const { audit: enterEntry, ...context } = personContext(caller, incoming);
    const inside = <T>(work: (inside: InOrganisation) => Promise<T>): Promise<T> =>
      services.db.transaction(async (tx) => {
        if (isChange) await holdOrganisation(tx, organisationId);
        const actor = await requireMember(tx, caller, organisationId, incoming);
        requireAction(actor.role, action);
        const audit: InOrganisation['audit'] = (name, target, detail) =>
          enterEntry(tx, { organisationId, action: name, target, ...(detail && { detail }) });
        return work({ actor, tx, audit });
      });
    const answerAfterCommit = (make: () => Promise<Reply>): Reply => {
      makeAnswer = make;
      return { status: 200 };
    };
    const enter = (given: InOrganisation): Promise<Reply> =>
      run({ services, ...context, ...given, answerAfterCommit, again: inside });
    const reply = await traced(incoming.exchange.span, 'transaction', inside(enter)).catch(async (error: unknown) => {
      // What their role does not allow, or who is beyond it. Of the change itself nothing is left.
      if (error instanceof ProblemError && error.code === 'role_not_allowed') {
        const entry = { organisationId, action: 'access.refused', target: caller.person.id, detail: { action } };
        await services.db.transaction(async (tx) => enterEntry(tx, entry));
      }
      throw error;
    });
    return makeAnswer ? makeAnswer() : reply;
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

/** A member whose role allows to look at something of the organisation, or a token of theirs. */
export function memberReads(action: Action): Access<ConsoleServices, Caller, OrganisationContext> {
  return {
    security: 'session',
    orSecurity: 'token',
    action,
    summary: summaryOf(action),
    problems: PROBLEMS,
    admit: requireCaller,
    enter: enterOrganisation(action, false),
  };
}

/**
 * A member who is signed in, and whose role allows to change something of the organisation. Its changes come one after the
 * other, and each reads the role behind those before it.
 */
export function memberMay(action: Action): Access<ConsoleServices, Caller, OrganisationContext> {
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

// Access of operators. Their realm is separate from organisations and gives access to none of them.

import { requestScopeOf, type UnitOfWork, unitOfWork } from '../../access/authority/index.ts';
import { allowPerson, type ConsoleServices, type Person } from '../../identity/sessions/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import type { Queryable } from '../../kit/db/db.ts';
import type { Access } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { insertOperatorAction, isListedOperator } from './store.ts';

export interface OperatorContext extends Pick<UnitOfWork, 'tx' | 'afterCommit'> {
  services: ConsoleServices;
  person: Person;
  /** Records an action permanently, in the transaction of the operation. */
  record(action: string, target: string, detail?: Record<string, unknown>): Promise<void>;
  /** Records an action that concerns an organisation, in its own audit log too. */
  recordOf(organisationId: string, action: string, detail?: Record<string, unknown>): Promise<void>;
}

/**
 * Returns true if the person is an operator. `emails` are the addresses in the settings, in lower case. The address of
 * a signed-in person is verified.
 */
export async function isOperator(db: Queryable, emails: readonly string[], person: Person): Promise<boolean> {
  return emails.includes(person.email.toLowerCase()) || (await isListedOperator(db, person.id));
}

export function operator(): Access<ConsoleServices, Person, OperatorContext> {
  const access = allowPerson();
  return {
    ...access,
    summary: 'An operator of this Slipway.',
    problems: [...access.problems, 'operator_required', 'timeout'],
    async admit(incoming, services) {
      const person = await access.admit(incoming, services);
      if (!(await services.isOperator(person))) throw problem('operator_required');
      return person;
    },
    enter(person, { incoming }, services, run) {
      const actor = { kind: 'operator', id: person.id, name: person.email } as const;
      return unitOfWork(services.db, { actor, ...requestScopeOf(incoming) }, ({ tx, audit, afterCommit }) => {
        const record: OperatorContext['record'] = (action, target, detail = {}) =>
          insertOperatorAction(tx, { actionId: newUuid(), operator: person.email, action, target, detail });
        const recordOf: OperatorContext['recordOf'] = (organisationId, action, detail) => {
          const target = toId('org', organisationId);
          audit(action, target, detail, { organisationId });
          return record(action, target, detail);
        };
        return run({ services, person, tx, record, recordOf, afterCommit });
      });
    },
  };
}

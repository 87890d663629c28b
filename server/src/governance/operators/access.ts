// Access of operators. Their realm is separate from organisations and gives access to none of them.

import { appendAuditEntry } from '../../access/audit/index.ts';
import { type ConsoleServices, type Person, type PersonContext, signedIn } from '../../identity/sessions/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import type { Queryable, Transaction } from '../../kit/db/db.ts';
import type { Access, Incoming, Reply } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { traced } from '../../kit/telemetry/trace.ts';
import { insertOperatorAction, isListedOperator } from './store.ts';

export interface OperatorContext {
  services: ConsoleServices;
  person: Person;
  tx: Transaction;
  /** Records an action permanently, in the transaction of the operation. */
  record(action: string, target: string, detail?: Record<string, unknown>): Promise<void>;
  /** Records an action that concerns an organisation, in its own audit log too. */
  recordOf(organisationId: string, action: string, detail?: Record<string, unknown>): Promise<void>;
  /** Runs after the commit of this transaction and before the response. */
  afterCommit(run: () => Promise<void>): void;
}

/**
 * Returns true if the person is an operator. `emails` are the addresses in the settings, in lower case. The address of
 * a signed-in person is verified.
 */
export async function isOperator(db: Queryable, emails: readonly string[], person: Person): Promise<boolean> {
  return emails.includes(person.email.toLowerCase()) || (await isListedOperator(db, person.id));
}

export function operator(): Access<ConsoleServices, Person, OperatorContext> {
  const person = signedIn();
  return {
    ...person,
    summary: 'An operator of this Slipway.',
    problems: [...person.problems, 'operator_required', 'timeout'],
    async admit(incoming, services) {
      const admitted = await person.admit(incoming, services);
      if (!(await services.isOperator(admitted))) throw problem('operator_required');
      return admitted;
    },
    enter: (admitted, request, services, run) =>
      person.enter(admitted, request, services, (context) => inTransaction(context, request.incoming, run)),
  };
}

async function inTransaction(
  { services, person }: PersonContext,
  incoming: Incoming,
  run: (context: OperatorContext) => Promise<Reply>,
): Promise<Reply> {
  let later: (() => Promise<void>)[] = [];
  const done = services.db.transaction((tx) => {
    later = [];
    const record: OperatorContext['record'] = (action, target, detail = {}) =>
      insertOperatorAction(tx, { actionId: newUuid(), operator: person.email, action, target, detail });
    const recordOf: OperatorContext['recordOf'] = (organisationId, action, detail = {}) => {
      const target = toId('org', organisationId);
      appendAuditEntry(tx, {
        organisationId,
        appId: null,
        actor: { kind: 'operator', id: person.id, name: person.email },
        action,
        target,
        detail,
        requestId: incoming.exchange.id,
        clientAddress: incoming.ip,
      });
      return record(action, target, detail);
    };
    return run({ services, person, tx, record, recordOf, afterCommit: (one) => later.push(one) });
  });
  const reply = await traced(incoming.exchange.span, 'transaction', done);
  for (const one of later) await one();
  return reply;
}

import { toId } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { allowPerson } from './console-access.ts';
import { hasProviderLink } from './provider-link-store.ts';
import { toRemoval } from './second-factor-removal.ts';
import { findRemoval } from './second-factor-removal-store.ts';
import { readSecondFactor } from './second-factor-store.ts';
import { exampleSession, Session } from './session-body.ts';
import { listMemberships, listSuspendedMemberships } from './store.ts';

export const getSession = operation({
  id: 'getSession',
  route: 'GET /api/session',
  tag: 'Sessions',
  summary: 'Get the session',
  description:
    "Returns the signed-in person, the person's organisations, and the organisations in which the membership is suspended.",
  access: allowPerson(),
  replies: ok('The session.', Session, { aSession: exampleSession }),
  async run({ services, person }) {
    const [memberships, suspended, hasPassword, secondFactor, isOperator, removal, isLinkedToProvider] =
      await Promise.all([
        listMemberships(services.db, person.id),
        listSuspendedMemberships(services.db, person.id),
        services.identity.hasPassword(person),
        readSecondFactor(services.db, person.id),
        services.isOperator(person),
        findRemoval(services.db, person.id),
        hasProviderLink(services.db, person.id),
      ]);
    const organisations = memberships.map((row) => ({
      id: toId('org', row.organisation_id),
      name: row.name,
      role: row.role,
    }));
    const suspendedIn = suspended.map((row) => ({
      id: toId('org', row.organisation_id),
      name: row.name,
      suspendedAt: row.suspended_at.toISOString(),
      reason: 'restore' as const,
      owners: row.owners,
    }));
    const { email, name } = person;
    const secondFactorRemoval = removal ? toRemoval(removal) : null;
    const { isOn: hasSecondFactor, methods: secondFactorMethods } = secondFactor;
    const shown = {
      email,
      name,
      hasPassword,
      hasSecondFactor,
      secondFactorMethods,
      secondFactorRemoval,
      isLinkedToProvider,
    };
    return { status: 200, body: { person: shown, organisations, suspendedIn, isOperator } };
  },
});

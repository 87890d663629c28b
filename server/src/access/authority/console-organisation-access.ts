// Access for the Console's server to one organisation as a whole. No member has it: the Console forwards none of these
// operations, and an assertion that names a person is refused.
import type { Access } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { type Actor, verifyAssertion } from './assertion.ts';
import { readBearerToken, readOrganisationOfUrl } from './bearer.ts';
import type { Plane } from './plane.ts';
import { type PlaneWork, planeWork } from './unit-of-work.ts';

/** Returns the actor of actions that the Console's server takes itself. */
export const consoleActor = (organisationId: string): Actor => ({
  kind: 'machine',
  personId: 'console',
  name: 'Slipway Console',
  organisationId,
  role: 'owner',
  address: null,
});

export function allowConsoleForOrganisation(): Access<Plane, Actor, PlaneWork> {
  return {
    security: 'assertion',
    summary: "The Console's server.",
    problems: ['sign_in_required', 'not_found', 'unavailable', 'timeout'],
    async admit(incoming, plane) {
      const assertion = readBearerToken(incoming);
      const actor = assertion
        ? await verifyAssertion(assertion, plane.environment, plane.secrets.managementKey)
        : undefined;
      if (actor?.kind !== 'machine') throw problem('sign_in_required');
      if (actor.organisationId !== readOrganisationOfUrl(incoming)) throw problem('not_found');
      return actor;
    },
    enter({ organisationId, kind, personId: id, name }, { incoming }, plane, run) {
      const scope = { organisationId, actor: { kind, id, name }, requestId: incoming.exchange.id, requiresOpen: true };
      return planeWork(plane, scope, run);
    },
  };
}

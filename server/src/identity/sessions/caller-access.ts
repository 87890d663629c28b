// Access to operations that only describe the caller. People and their access tokens may call them.
import type { Access } from '../../kit/http/operation.ts';
import {
  type ConsoleCaller,
  type ConsoleServices,
  PERSON_PROBLEMS,
  requireConsoleCaller,
  requireMember,
} from './console-access.ts';

interface CallerContext {
  services: ConsoleServices;
  caller: ConsoleCaller;
}

/** Requires a signed-in person, or an access token. */
export function allowPersonOrToken(): Access<ConsoleServices, ConsoleCaller, CallerContext> {
  return {
    security: 'session',
    alternativeSecurity: 'token',
    summary: 'A signed-in person, or an access token.',
    problems: [...PERSON_PROBLEMS, 'not_found', 'organisation_suspended'],
    admit: requireConsoleCaller,
    async enter(caller, { incoming }, services, run) {
      const { token } = caller;
      // A token without a valid membership learns nothing.
      if (token) await requireMember(services.db, caller, token.organisationId, incoming);
      return run({ services, caller });
    },
  };
}

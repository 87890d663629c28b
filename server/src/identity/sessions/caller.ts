// What tells a caller nothing but who they are and where they are: open to people and to their tokens alike.
import type { Access } from '../../kit/http/operation.ts';
import { type Caller, type ConsoleServices, PERSON_PROBLEMS, requireCaller, requireMember } from './access.ts';

export interface CallerContext {
  services: ConsoleServices;
  caller: Caller;
}

/** Whoever is signed in, or a token of theirs. */
export function caller(): Access<ConsoleServices, Caller, CallerContext> {
  return {
    security: 'session',
    orSecurity: 'token',
    summary: 'A person who is signed in, or an access token.',
    problems: [...PERSON_PROBLEMS, 'not_found', 'organisation_suspended'],
    admit: requireCaller,
    async enter(caller, { incoming }, services, run) {
      const { token } = caller;
      // One that is of no use any more learns nothing else either.
      if (token) await requireMember(services.db, caller, token.organisationId, incoming);
      return run({ services, caller });
    },
  };
}

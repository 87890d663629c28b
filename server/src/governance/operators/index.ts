// Operators: a realm separate from organisations. They manage the installation: mail, sign-up policy, suspensions,
// quotas.
import { getMessage } from './get-message.ts';
import { getSignUpPolicy } from './get-sign-up-policy.ts';
import { listMessages } from './list-messages.ts';
import { listOrganisations } from './list-organisations.ts';
import { listUnauthenticatedRequests } from './list-unauthenticated-requests.ts';
import { listUpstreamFailures } from './list-upstream-failures.ts';
import { resumeOrganisation } from './resume-organisation.ts';
import { setQuotas } from './set-quotas.ts';
import { setSignUpPolicy } from './set-sign-up-policy.ts';
import { suspendOrganisation } from './suspend-organisation.ts';

export const operatorOperations = [
  listMessages,
  getMessage,
  getSignUpPolicy,
  setSignUpPolicy,
  listOrganisations,
  suspendOrganisation,
  resumeOrganisation,
  setQuotas,
  listUnauthenticatedRequests,
  listUpstreamFailures,
];
export { isOperator, type OperatorContext, operator } from './access.ts';
export { newestReplies, pageQuery } from './operator.ts';
export { hasOperators, insertOperator, insertOperatorAction } from './store.ts';

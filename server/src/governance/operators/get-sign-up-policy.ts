import { findSignUpPolicy, SignUpPolicy } from '../../identity/accounts/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { operator } from './access.ts';

export const getSignUpPolicy = operation({
  id: 'getSignUpPolicy',
  route: 'GET /api/operator/sign-up-policy',
  tag: 'Operators',
  summary: 'Get the sign-up policy',
  description: 'Returns who may sign up.',
  access: operator(),
  replies: ok('The policy.', SignUpPolicy, { byDomain: { policy: 'domain', domains: ['example.org'] } }),
  async run({ tx }) {
    return { status: 200, body: await findSignUpPolicy(tx) };
  },
});

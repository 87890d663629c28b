import { SignUpPolicy, updateSignUpPolicy } from '../../identity/accounts/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { operator } from './access.ts';

export const setSignUpPolicy = operation({
  id: 'setSignUpPolicy',
  route: 'PUT /api/operator/sign-up-policy',
  tag: 'Operators',
  summary: 'Set the sign-up policy',
  description: 'Sets who may sign up. Links that were mailed earlier keep working.',
  access: operator(),
  body: SignUpPolicy,
  examples: { byDomain: { policy: 'domain', domains: ['example.org'] } },
  replies: ok('The policy.', SignUpPolicy, { byDomain: { policy: 'domain', domains: ['example.org'] } }),
  async run({ tx, record }, { body }) {
    if ((body.policy === 'domain') !== body.domains.length > 0) {
      const detail = 'must contain a domain if the policy is `domain`, and must be empty otherwise';
      throw problem('invalid_request', { errors: [{ pointer: '/domains', detail }] });
    }
    await updateSignUpPolicy(tx, body);
    await record('sign_up_policy.set', body.policy, { domains: body.domains });
    return { status: 200, body };
  },
});

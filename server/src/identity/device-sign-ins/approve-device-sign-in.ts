import { organisationParams } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { ProblemError } from '../../kit/openapi/problems.ts';
import { allowMemberChange, requireLiveSession, requireTokenQuota } from '../sessions/index.ts';
import { ApprovedDeviceSignIn, hashUserCode } from './device-sign-in.ts';
import { approveByUserCode } from './store.ts';
import { findByTypedCode } from './typed-user-code.ts';

export const approveDeviceSignIn = operation({
  id: 'approveDeviceSignIn',
  route: 'POST /api/organisations/{organisationId}/device-sign-ins',
  tag: 'Access tokens',
  summary: 'Sign in a terminal',
  description:
    'Approves an access token in your name and this organisation for the terminal that shows the code, like `createAccessToken`. The token is created when the terminal polls next. Until then, the approval ends with your membership and with the code.',
  access: allowMemberChange('tokens.create'),
  params: organisationParams,
  body: ApprovedDeviceSignIn,
  examples: { aCode: { userCode: 'WDJB-MJHT', scope: 'write', expiresInDays: 30 } },
  replies: { 204: { description: 'The sign-in is approved.' } },
  problems: ['rate_limited', 'quota_exceeded'],
  async run(context, { body: { userCode, ...as } }) {
    const { visitor, actor, person, tx, audit, afterCommit } = context;
    const { address } = visitor;
    await requireLiveSession(context);
    const { organisationId } = actor;
    await requireTokenQuota(tx, organisationId, person.id);
    const input = { organisationId, personId: person.id, ...as };
    const row = await findByTypedCode(tx, { address, personId: person.id }, () =>
      approveByUserCode(tx, hashUserCode(userCode), input),
    );
    // The problem is thrown after the commit, so that the attempt is counted.
    if (row instanceof ProblemError) return afterCommit(() => Promise.reject(row));
    audit('device_sign_in.approve', person.id, { device: row.device, address: row.address, ...as });
    return { status: 204 };
  },
});

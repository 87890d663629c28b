import { operation } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import { organisationParams } from '../authority/index.ts';
import { memberMay, refuseManyTokens } from '../sessions/index.ts';
import { ApprovedDeviceSignIn, hashOfUserCode } from './device-sign-in.ts';
import { approveByUserCode } from './store.ts';

export const approveDeviceSignIn = operation({
  id: 'approveDeviceSignIn',
  method: 'POST',
  path: '/api/organisations/{organisationId}/device-sign-ins',
  tag: 'Access tokens',
  summary: 'Sign a terminal in',
  description:
    'Gives the terminal that shows the code an access token in your name and this organisation, as `createAccessToken` would. It is made when the terminal asks next; until then it ends with your membership and with the code.',
  access: memberMay('tokens.create'),
  params: organisationParams,
  body: ApprovedDeviceSignIn,
  examples: { aCode: { userCode: 'WDJB-MJHT', scope: 'write', expiresInDays: 30 } },
  replies: { 204: { description: 'It is approved.' } },
  problems: ['rate_limited', 'quota_exceeded'],
  async run({ services, visitor: { address }, actor, person, tx, audit }, { body: { userCode, ...as } }) {
    const { organisationId } = actor;
    services.userCodes.refuse(address);
    await refuseManyTokens(tx, organisationId, person.id);
    const wish = { organisationId, personId: person.id, ...as };
    const row = await approveByUserCode(tx, hashOfUserCode(userCode), wish);
    if (!row) {
      services.userCodes.count(address);
      throw problem('not_found');
    }
    audit('device_sign_in.approve', person.id, { device: row.device, address: row.address, ...as });
    return { status: 204 };
  },
});

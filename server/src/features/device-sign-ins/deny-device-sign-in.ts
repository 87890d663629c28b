import { operation } from '../../kit/operation.ts';
import { problem } from '../../kit/problems.ts';
import { signedIn } from '../sessions/index.ts';
import { hashOfUserCode, TypedUserCode } from './device-sign-in.ts';
import { denyByUserCode } from './store.ts';

export const denyDeviceSignIn = operation({
  id: 'denyDeviceSignIn',
  method: 'POST',
  path: '/api/device-sign-ins/deny',
  tag: 'Access tokens',
  summary: 'Refuse a terminal',
  description: 'The terminal that shows the code is told so when it asks next, and its code is of no use any more.',
  access: signedIn(),
  body: TypedUserCode,
  examples: { aCode: { userCode: 'WDJB-MJHT' } },
  replies: { 204: { description: 'It is refused.' } },
  problems: ['not_found', 'rate_limited'],
  async run({ services, visitor: { address } }, { body }) {
    services.userCodes.refuse(address);
    if (await denyByUserCode(services.db, hashOfUserCode(body.userCode))) return { status: 204 };
    services.userCodes.count(address);
    throw problem('not_found');
  },
});

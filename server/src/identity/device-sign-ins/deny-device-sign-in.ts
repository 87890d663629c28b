import { operation } from '../../kit/http/operation.ts';
import { allowPerson } from '../sessions/index.ts';
import { hashUserCode, TypedUserCode } from './device-sign-in.ts';
import { denyByUserCode } from './store.ts';
import { requireByTypedCode } from './typed-user-code.ts';

export const denyDeviceSignIn = operation({
  id: 'denyDeviceSignIn',
  route: 'POST /api/device-sign-ins/deny',
  tag: 'Access tokens',
  summary: 'Deny a terminal',
  description:
    'Denies the sign-in of the terminal that shows the code. The next poll of the terminal returns `access_denied`, and the code is no longer valid.',
  access: allowPerson(),
  body: TypedUserCode,
  examples: { aCode: { userCode: 'WDJB-MJHT' } },
  replies: { 204: { description: 'The sign-in is denied.' } },
  problems: ['not_found', 'rate_limited'],
  async run({ services: { db }, visitor: { address }, person }, { body }) {
    const deny = async (): Promise<true | undefined> =>
      (await denyByUserCode(db, hashUserCode(body.userCode))) || undefined;
    await requireByTypedCode(db, { address, personId: person.id }, deny);
    return { status: 204 };
  },
});

import { operation } from '../../kit/http/operation.ts';
import { signedIn } from '../sessions/index.ts';
import { hashOfUserCode, TypedUserCode } from './device-sign-in.ts';
import { denyByUserCode } from './store.ts';
import { requireTyped } from './typed.ts';

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
  async run({ services: { db }, visitor: { address }, person }, { body }) {
    const deny = async (): Promise<true | undefined> =>
      (await denyByUserCode(db, hashOfUserCode(body.userCode))) || undefined;
    await requireTyped(db, { address, personId: person.id }, deny);
    return { status: 204 };
  },
});

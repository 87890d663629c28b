import { ok, operation } from '../../kit/http/operation.ts';
import { allowPerson } from '../sessions/index.ts';
import { DeviceSignIn, hashUserCode, TypedUserCode, toDeviceSignIn } from './device-sign-in.ts';
import { findByUserCode } from './store.ts';
import { requireByTypedCode } from './typed-user-code.ts';

export const findDeviceSignIn = operation({
  id: 'findDeviceSignIn',
  route: 'POST /api/device-sign-ins/find',
  tag: 'Access tokens',
  summary: 'Find the terminal that shows a code',
  description:
    'Returns the terminal that shows the code, and its address, to be checked before the approval. The code is in the body, because URLs appear in logs.',
  access: allowPerson(),
  body: TypedUserCode,
  examples: { aCode: { userCode: 'WDJB-MJHT' } },
  replies: ok('The terminal.', DeviceSignIn, {
    aLaptop: {
      device: 'slipway on imkes-laptop',
      address: '203.0.113.9',
      hasYourAddress: true,
      requestedAt: '2026-11-02T10:15:30.000Z',
      expiresAt: '2026-11-02T10:25:30.000Z',
    },
  }),
  problems: ['not_found', 'rate_limited'],
  async run({ services: { db }, visitor: { address }, person }, { body }) {
    const row = await requireByTypedCode(db, { address, personId: person.id }, () =>
      findByUserCode(db, hashUserCode(body.userCode)),
    );
    return { status: 200, body: toDeviceSignIn(row, address), headers: { 'cache-control': 'no-store' } };
  },
});

import { created, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowVisitor } from '../sessions/index.ts';
import {
  DeviceSignInInput,
  EXPIRES_IN_SECONDS,
  hashDeviceCode,
  hashUserCode,
  INTERVAL_SECONDS,
  MAX_DEVICE_SIGN_INS_PER_NETWORK,
  newDeviceCode,
  newUserCode,
  StartedDeviceSignIn,
} from './device-sign-in.ts';
import { insertDeviceSignIn } from './store.ts';

export const startDeviceSignIn = operation({
  id: 'startDeviceSignIn',
  route: 'POST /api/device-sign-ins',
  tag: 'Access tokens',
  summary: "Start a terminal's sign-in",
  description:
    'Starts the sign-in of a terminal, which receives an access token after an approval (RFC 8628). The terminal shows `userCode` and `verificationUrl`, and polls with `deviceCode` until a person has decided. Both codes are valid for ten minutes.',
  access: allowVisitor(),
  body: DeviceSignInInput,
  examples: { aLaptop: { device: 'slipway on imkes-laptop' } },
  replies: created('Both codes, shown only in this response.', StartedDeviceSignIn, {
    started: {
      deviceCode: 'EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleE',
      userCode: 'WDJB-MJHT',
      verificationUrl: 'https://console.example.org/device',
      expiresInSeconds: EXPIRES_IN_SECONDS,
      intervalSeconds: INTERVAL_SECONDS,
    },
  }),
  problems: ['rate_limited'],
  async run({ services, visitor: { address } }, { body }) {
    const [deviceCode, userCode] = [newDeviceCode(), newUserCode()];
    const hashes = { deviceCodeHash: hashDeviceCode(deviceCode), userCodeHash: hashUserCode(userCode) };
    const count = await services.db.transaction((tx) =>
      insertDeviceSignIn(tx, { ...hashes, device: body.device.trim(), address }),
    );
    if (count >= MAX_DEVICE_SIGN_INS_PER_NETWORK) throw problem('rate_limited', { headers: { 'retry-after': '3600' } });
    const verificationUrl = `${services.consoleUrl}/device`;
    const times = { expiresInSeconds: EXPIRES_IN_SECONDS, intervalSeconds: INTERVAL_SECONDS };
    return {
      status: 201,
      body: { deviceCode, userCode, verificationUrl, ...times },
      headers: { 'cache-control': 'no-store' },
    };
  },
});

import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { visitor } from '../sessions/index.ts';
import {
  EXPIRES_IN_SECONDS,
  hashOfCode,
  hashOfUserCode,
  INTERVAL_SECONDS,
  MAX_PER_NETWORK,
  NewDeviceSignIn,
  newDeviceCode,
  newUserCode,
  StartedDeviceSignIn,
} from './device-sign-in.ts';
import { insertDeviceSignIn } from './store.ts';

export const startDeviceSignIn = operation({
  id: 'startDeviceSignIn',
  method: 'POST',
  path: '/api/device-sign-ins',
  tag: 'Access tokens',
  summary: 'Ask to be signed in',
  description:
    'A terminal asks for an access token (RFC 8628). It shows `userCode` and the address of the page that takes it, and polls with `deviceCode` until a person has decided there. Both are of use for ten minutes.',
  access: visitor(),
  body: NewDeviceSignIn,
  examples: { aLaptop: { device: 'slipway on imkes-laptop' } },
  replies: {
    201: {
      description: 'Both codes, this once.',
      schema: StartedDeviceSignIn,
      examples: {
        started: {
          deviceCode: 'EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleE',
          userCode: 'WDJB-MJHT',
          verificationUrl: 'https://console.example.org/device',
          expiresInSeconds: EXPIRES_IN_SECONDS,
          intervalSeconds: INTERVAL_SECONDS,
        },
      },
    },
  },
  problems: ['rate_limited'],
  async run({ services, visitor: { address } }, { body }) {
    const [deviceCode, userCode] = [newDeviceCode(), newUserCode()];
    const hashes = { deviceCodeHash: hashOfCode(deviceCode), userCodeHash: hashOfUserCode(userCode) };
    const count = await services.db.transaction((tx) =>
      insertDeviceSignIn(tx, { ...hashes, device: body.device.trim(), address }),
    );
    if (count >= MAX_PER_NETWORK) throw problem('rate_limited', { headers: { 'retry-after': '3600' } });
    const verificationUrl = `${services.consoleUrl}/device`;
    const times = { expiresInSeconds: EXPIRES_IN_SECONDS, intervalSeconds: INTERVAL_SECONDS };
    return {
      status: 201,
      body: { deviceCode, userCode, verificationUrl, ...times },
      headers: { 'cache-control': 'no-store' },
    };
  },
});

// A sign-in of a terminal and its two codes (RFC 8628). The terminal authenticates itself with the long code. A person
// reads the short code on the terminal and enters it in the Console.
import { createHash, randomBytes, randomInt } from 'node:crypto';
import {
  dateTime,
  displayName,
  integer,
  namedObject,
  nullable,
  oneOf,
  type Static,
  Type,
  text,
} from '../../kit/http/schema.ts';
import { AccessToken, exampleAccessToken, TOKEN_DAYS, TokenScope } from '../sessions/index.ts';

export const EXPIRES_IN_SECONDS = 600;
export const INTERVAL_SECONDS = 5;
/** The maximum of sign-ins that one network may start within an hour. */
export const MAX_DEVICE_SIGN_INS_PER_NETWORK = 20;

/** The maximum of codes, correct or not, that one network or one person may enter within TRIES_MINUTES. */
export const MAX_TRIES = 40;
export const TRIES_MINUTES = 10;

/** Consonants form no words, and none can be confused with another or with a digit. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** Returns 34 random bits as XXXX-XXXX. They are sufficient for ten minutes with at most MAX_TRIES attempts. */
export function newUserCode(): string {
  const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

export const newDeviceCode = (): string => randomBytes(32).toString('base64url');

export const hashDeviceCode = (code: string): Buffer => createHash('sha256').update(code).digest();

/** Hashes a code as people type it: in any case, with any separator or none. */
export const hashUserCode = (typed: string): Buffer => hashDeviceCode(typed.toUpperCase().replaceAll(/[^A-Z]/g, ''));

const UserCode = text('The code that the terminal shows, in upper or lower case, with or without the dash.', {
  minLength: LENGTH,
  maxLength: 20,
});
const Device = displayName('The name that the terminal gives itself. It is not verified.');

const seconds = (description: string) => integer(description, 1, 3600);

export const DeviceSignInInput = namedObject('DeviceSignInInput', 'A sign-in of a terminal to start.', {
  device: Device,
});

export const StartedDeviceSignIn = namedObject('StartedDeviceSignIn', 'A started sign-in of a terminal.', {
  deviceCode: text('The code with which the terminal polls. The terminal must not show it.', {
    minLength: 43,
    maxLength: 43,
  }),
  userCode: text('The code that the terminal shows, for a person to enter in the Console.', {
    minLength: 9,
    maxLength: 9,
  }),
  verificationUrl: text('The page of the Console on which a person enters the code.', { maxLength: 2000 }),
  expiresInSeconds: seconds('The lifetime of both codes.'),
  intervalSeconds: seconds('The minimum time between two polls.'),
});

export const DeviceCode = namedObject('DeviceCode', 'A poll of a terminal.', {
  deviceCode: text('The `deviceCode` of the started sign-in.', { minLength: 43, maxLength: 43 }),
});

const DEVICE_STATES = ['authorization_pending', 'slow_down', 'access_denied', 'expired_token', 'approved'] as const;

export const PolledDeviceSignIn = namedObject('PolledDeviceSignIn', 'The state of a sign-in.', {
  state: oneOf(
    DEVICE_STATES,
    'The states of RFC 8628: no person has decided yet; the terminal polls too often; the sign-in was denied; the code is unknown, used or expired; the sign-in was approved.',
  ),
  intervalSeconds: seconds('The minimum time before the next poll.'),
  accessToken: nullable(AccessToken),
  token: nullable(text('The whole token, shown only in this response.', { minLength: 55, maxLength: 55 })),
});
export type PolledDeviceSignIn = Static<typeof PolledDeviceSignIn>;

export const TypedUserCode = namedObject('TypedUserCode', 'A code that a person has entered.', { userCode: UserCode });

export const ApprovedDeviceSignIn = namedObject('ApprovedDeviceSignIn', 'The approval of a terminal.', {
  userCode: UserCode,
  scope: TokenScope,
  expiresInDays: TOKEN_DAYS,
});

export const DeviceSignIn = namedObject('DeviceSignIn', 'A terminal that waits for a decision.', {
  device: Device,
  address: text('The client address of the terminal.', { maxLength: 64 }),
  hasYourAddress: Type.Boolean({ description: 'True if the terminal has the same client address as you.' }),
  requestedAt: dateTime('When the terminal started the sign-in.'),
  expiresAt: dateTime('When its code stops being valid.'),
});

export interface DeviceSignInRow {
  sign_in_id: string;
  device: string;
  address: string;
  asked_at: Date;
  expires_at: Date;
}

export function toDeviceSignIn(row: DeviceSignInRow, address: string): Static<typeof DeviceSignIn> {
  return {
    device: row.device,
    address: row.address,
    hasYourAddress: row.address === address,
    requestedAt: row.asked_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}

export const createPendingPoll = (intervalSeconds = INTERVAL_SECONDS): PolledDeviceSignIn => ({
  state: 'authorization_pending',
  intervalSeconds,
  accessToken: null,
  token: null,
});

export const examplePolled = {
  waiting: createPendingPoll(),
  approved: {
    state: 'approved',
    intervalSeconds: INTERVAL_SECONDS,
    accessToken: exampleAccessToken,
    token: 'slp_7Qh2mXc04LpA_EXAMPLEexampleEXAMPLEexampleEXAM000000',
  },
} satisfies Record<string, PolledDeviceSignIn>;

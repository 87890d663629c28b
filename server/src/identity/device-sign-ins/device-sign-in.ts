// A sign-in of a terminal and its two codes (RFC 8628): a long code, with which the terminal authenticates itself, and
// a short code, which a person reads on the terminal and types into the Console.
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { closed, displayName, moment, named, nullable, oneOf, type Static, Type, text } from '../../kit/http/schema.ts';
import { AccessToken, exampleAccessToken, TOKEN_DAYS, TokenScope } from '../sessions/index.ts';

export const EXPIRES_IN_SECONDS = 600;
export const INTERVAL_SECONDS = 5;
/** The maximum of sign-ins that one network may start within an hour. */
export const MAX_PER_NETWORK = 20;

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

export const hashOfCode = (code: string): Buffer => createHash('sha256').update(code).digest();

/** Hashes a code as people type it: in any case, with any separator or none. */
export const hashOfUserCode = (typed: string): Buffer => hashOfCode(typed.toUpperCase().replaceAll(/[^A-Z]/g, ''));

const UserCode = text('The code that the terminal shows, in capitals or small letters, with or without the dash.', {
  minLength: LENGTH,
  maxLength: 20,
});
const Device = displayName('What the terminal says it is. Nobody has proved that.');

const seconds = (description: string) => Type.Integer({ minimum: 1, maximum: 3600, description });

export const NewDeviceSignIn = named(
  'NewDeviceSignIn',
  closed({ device: Device }, { description: 'A terminal that asks to be signed in.' }),
);

export const StartedDeviceSignIn = named(
  'StartedDeviceSignIn',
  closed(
    {
      deviceCode: text('What the terminal polls with. It shows it to nobody.', { minLength: 43, maxLength: 43 }),
      userCode: text('What the terminal shows, for a person to type into the Console.', { minLength: 9, maxLength: 9 }),
      verificationUrl: text('The page of the Console that takes the code.', { maxLength: 2000 }),
      expiresInSeconds: seconds('After how long both codes are of no use.'),
      intervalSeconds: seconds('How long to wait between two polls.'),
    },
    { description: 'What the terminal goes on with.' },
  ),
);

export const DeviceCode = named(
  'DeviceCode',
  closed(
    { deviceCode: text('What the start answered.', { minLength: 43, maxLength: 43 }) },
    { description: 'Which terminal polls.' },
  ),
);

export const DEVICE_STATES = [
  'authorization_pending',
  'slow_down',
  'access_denied',
  'expired_token',
  'approved',
] as const;

export const PolledDeviceSignIn = named(
  'PolledDeviceSignIn',
  closed(
    {
      state: oneOf(
        DEVICE_STATES,
        'In the words of RFC 8628: nobody has decided yet; it polls too often; it was denied; its codes are of no use (any more); or it has its token.',
      ),
      intervalSeconds: seconds('How long to wait before the next poll.'),
      accessToken: nullable(AccessToken),
      token: nullable(text('The whole token, shown this once and never again.', { minLength: 55, maxLength: 55 })),
    },
    { description: 'How it stands.' },
  ),
);
export type PolledDeviceSignIn = Static<typeof PolledDeviceSignIn>;

export const TypedUserCode = named(
  'TypedUserCode',
  closed({ userCode: UserCode }, { description: 'The code that a person has typed.' }),
);

export const ApprovedDeviceSignIn = named(
  'ApprovedDeviceSignIn',
  closed(
    { userCode: UserCode, scope: TokenScope, expiresInDays: TOKEN_DAYS },
    { description: 'What the terminal is given.' },
  ),
);

export const DeviceSignIn = named(
  'DeviceSignIn',
  closed(
    {
      device: Device,
      address: text('The address that it asks from.', { maxLength: 64 }),
      isFromHere: Type.Boolean({ description: 'Whether that is the address that you come from, too.' }),
      askedAt: moment('When it asked.'),
      expiresAt: moment('When its code stops being valid.'),
    },
    { description: 'A terminal that waits for a decision.' },
  ),
);

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
    isFromHere: row.address === address,
    askedAt: row.asked_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}

export const pending = (intervalSeconds = INTERVAL_SECONDS): PolledDeviceSignIn => ({
  state: 'authorization_pending',
  intervalSeconds,
  accessToken: null,
  token: null,
});

export const examplePolled = {
  waiting: pending(),
  approved: {
    state: 'approved',
    intervalSeconds: INTERVAL_SECONDS,
    accessToken: exampleAccessToken,
    token: 'slp_7Qh2mXc04LpA_EXAMPLEexampleEXAMPLEexampleEXAM000000',
  },
} satisfies Record<string, PolledDeviceSignIn>;

// Sign-ins of terminals with a code: the requests of the terminal, and the decision of a person in the Console.
import { approveDeviceSignIn } from './approve-device-sign-in.ts';
import { denyDeviceSignIn } from './deny-device-sign-in.ts';
import { findDeviceSignIn } from './find-device-sign-in.ts';
import { pollDeviceSignIn } from './poll-device-sign-in.ts';
import { startDeviceSignIn } from './start-device-sign-in.ts';

export const deviceSignInOperations = [
  startDeviceSignIn,
  pollDeviceSignIn,
  findDeviceSignIn,
  approveDeviceSignIn,
  denyDeviceSignIn,
];

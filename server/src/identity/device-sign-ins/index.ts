// Terminals that are signed in by a code: what they ask, and what a person decides in the Console.
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

// A name server whose responses change each time, like that of a DNS rebinding attack: a public address, a private one,
// or both. Linux answers on all of 127/8, so that no packet leaves the machine.
import type { Lookup } from '../../server/src/kit/outbound/outbound-socket.ts';

/** The range that an operator would have declared public. */
export const PUBLIC_CIDR = '127.77.0.0/16';
export const PUBLIC_ADDRESS = '127.77.0.1';
export const PRIVATE_ADDRESS = '127.88.0.1';

const ANSWERS = [
  [PUBLIC_ADDRESS],
  [PRIVATE_ADDRESS],
  [PUBLIC_ADDRESS, PRIVATE_ADDRESS],
  [PRIVATE_ADDRESS, PUBLIC_ADDRESS],
];
let lookups = 0;

export const flippingLookup: Lookup = async () => ANSWERS[lookups++ % ANSWERS.length] ?? [];

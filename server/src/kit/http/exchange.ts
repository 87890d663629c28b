// Creates the facts by which a request is known from its arrival on.

import { encodeBase32 } from '../crypto/base32.ts';
import { newUuidBytes } from '../crypto/ids.ts';
import { monotonicMs } from '../flow/clock.ts';
import type { Exchange } from './operation.ts';

/** Returns the id of a request, `req_...`. */
export const requestIdOf = (uuid: Buffer): string => `req_${encodeBase32(uuid)}`;

export function openExchange(): Exchange {
  const bytes = newUuidBytes();
  return {
    id: requestIdOf(bytes),
    uuid: bytes,
    startedAtMs: monotonicMs(),
    span: undefined,
    operation: undefined,
    route: undefined,
    principal: undefined,
    authorityUs: 0,
    operationUs: undefined,
    grantorId: undefined,
    idempotencyHash: undefined,
    isStoredAnswer: false,
    originalRequestId: undefined,
    problemCode: undefined,
    problemBody: undefined,
    headers: undefined,
  };
}

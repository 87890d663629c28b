// What a change can break, by its kind.
import { expect, test } from 'vitest';
import { type AccessChangeInput, forecastParts } from '../src/management.ts';

const keyId = 'key_01j9z3v8k6e5t8m2n4p6q8r0s7';
const serverIds = ['srv_01j9z3v8k6e5t8m2n4p6q8r0s2'];
const endpointId = 'whe_01j9z3v8k6e5t8m2n4p6q8r0s8';

test.each<[string, AccessChangeInput, boolean, string]>([
  ['a revoked key', { key: { keyId, state: 'revoked' } }, true, 'skipped'],
  ['a shorter lifetime of a key', { key: { keyId, expiresInDays: 1 } }, true, 'skipped'],
  ['a key without events:read', { key: { keyId, scopes: ['servers:read'] } }, true, 'skipped'],
  ['a key that keeps events:read', { key: { keyId, scopes: ['events:read'] } }, true, 'none'],
  ['address ranges of a key', { key: { keyId, allowedCidrs: ['192.0.2.0/24'] } }, true, 'none'],
  [
    'address ranges and a revocation of a key',
    { key: { keyId, allowedCidrs: ['192.0.2.0/24'], state: 'revoked' } },
    true,
    'skipped',
  ],
  ['a paused grant', { grants: { serverIds, state: 'paused' } }, true, 'held'],
  ['a revoked grant', { grants: { serverIds, state: 'revoked' } }, true, 'skipped'],
  ['a disabled endpoint', { endpoint: { endpointId, state: 'disabled' } }, false, 'skipped'],
  ['a narrower filter', { endpoint: { endpointId, eventTypes: ['ping'] } }, false, 'skipped'],
])('%s can break only these parts', (_name, change, requests, deliveries) => {
  expect(forecastParts(change)).toEqual({ requests, deliveries });
});

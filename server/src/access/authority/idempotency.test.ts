import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AnyOperation, Incoming } from '../../kit/http/operation.ts';
import { claimIdempotencyKey } from './idempotency.ts';
import type { TenantReader } from './store.ts';

// Replies are kept for 24 hours, so a new release compares requests with hashes of the last release.
test('claimIdempotencyKey() hashes the operation, path, query and body of a request as the last release does', async () => {
  const tenant = { each: async () => [] } as unknown as TenantReader; // no reply is stored
  const incoming = { headers: { 'idempotency-key': 'k' }, exchange: {} } as unknown as Incoming; // it reads only these
  const operation = { id: 'createTicket' } as AnyOperation<unknown>; // it reads only the id
  const inputs = {
    params: { serverId: 'srv_01j9z3v8k6e5t8m2n4p6q8r0s4' },
    query: {},
    body: { subject: 'Hello', priority: 'high' },
    ids: { serverId: '0192 is not part of the hash' },
  };
  const claimed = await claimIdempotencyKey(tenant, { incoming, operation, inputs });
  const hashed =
    '["createTicket",{"body":{"priority":"high","subject":"Hello"},"params":{"serverId":"srv_01j9z3v8k6e5t8m2n4p6q8r0s4"},"query":{}}]';
  expect(claimed?.requestHash).toEqual(createHash('sha256').update(hashed).digest());
});

// The rows of forwarded mutations when an attempt outlives its lease.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LiveApp, type Production, startProduction } from '../../../test/production.fixture.ts';
import { type IdempotencyClaim, runAsTenant, type TenantTransaction } from '../../access/authority/index.ts';
import { beginMutation, endMutation, keepForRepeat, type MutationLease } from './mutation-store.ts';

const LEASE_MS = 60_000;

let production: Production;
let app: LiveApp;
beforeAll(async () => {
  production = await startProduction();
  app = await production.newApp();
});
afterAll(() => production.close());

const inApp = <T>(run: (tenant: TenantTransaction) => Promise<T>): Promise<T> =>
  runAsTenant(production.plane.db.api, app.uuid, run);

/** Returns the claim of a request, of which the store reads two hashes. */
const claimOf = (keyHash: Buffer, body: string): IdempotencyClaim =>
  ({ keyHash, requestHash: createHash('sha256').update(body).digest() }) as IdempotencyClaim;

/** Begins an attempt that outlives its lease, and the repeat after it. */
async function beginTwice(keyHash: Buffer): Promise<[late: MutationLease, repeat: MutationLease]> {
  const leases: MutationLease[] = [];
  for (const leaseMs of [0, LEASE_MS]) {
    const lease = await inApp((tenant) => beginMutation(tenant, claimOf(keyHash, 'one'), leaseMs));
    if (typeof lease === 'string') throw new Error(`The mutation did not begin: ${lease}.`);
    leases.push(lease);
  }
  const [late, repeat] = leases;
  if (!late || !repeat) throw new Error('Two attempts were expected.');
  expect([late.isRepeat, repeat.isRepeat]).toEqual([false, true]);
  return [late, repeat];
}

test.each<[string, (tenant: TenantTransaction, lease: MutationLease) => void]>([
  ['ends the mutation', endMutation],
  ['keeps the mutation for a repeat', (tenant, lease) => keepForRepeat(tenant, lease, 0)],
])('an attempt that %s after its lease leaves the row of the repeat as it is', async (_, finish) => {
  const keyHash = randomBytes(32);
  const [late, repeat] = await beginTwice(keyHash);
  await inApp(async (tenant) => finish(tenant, late));
  const begin = (body: string) => inApp((tenant) => beginMutation(tenant, claimOf(keyHash, body), LEASE_MS));
  expect([await begin('one'), await begin('another')]).toEqual(['busy', 'other']);
  await inApp(async (tenant) => endMutation(tenant, repeat));
  expect(await begin('another')).toMatchObject({ isRepeat: false });
});

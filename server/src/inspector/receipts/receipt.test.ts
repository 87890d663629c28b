// The signed content of a receipt, from what was observed. A key pair belongs to one environment.
import { expect, test } from 'vitest';
import type { AccessCancellation, UnsignedReceipt, WorkerConfirmation } from '../../access/authority/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { type Observations, toReceiptPayload } from './receipt.ts';
import { deriveReceiptKey } from './receipt-key.ts';

const [first, second] = [newUuid(), newUuid()];
const receipt: UnsignedReceipt = {
  receiptId: newUuid(),
  organisationId: newUuid(),
  appId: newUuid(),
  requestId: null,
  keys: [],
  grants: [
    { serverId: first, scope: 'roadmap:read' },
    { serverId: second, scope: null },
    { serverId: first, scope: 'tickets:create' },
    { serverId: second, scope: 'tickets:create' },
  ],
};
const issue = {
  environment: 'production',
  issuer: 'https://api.example.org',
  createdAt: new Date('2026-11-03T08:00:00.000Z'),
  signedAt: new Date('2026-11-03T08:00:02.000Z'),
} as const;
const worker = (workerId: string): WorkerConfirmation => ({
  workerId,
  outcome: 'confirmed',
  waitedMs: 4,
  leaseMs: null,
});
const frozen: WorkerConfirmation = { workerId: 'two', outcome: 'deregistered', waitedMs: 1_600, leaseMs: 1_300 };
const cancellation = (change: Partial<AccessCancellation>): AccessCancellation => ({
  access: { appId: receipt.appId, keyId: null, serverId: first },
  epoch: 5,
  committedBy: new Date('2026-11-03T08:00:00.010Z'),
  attempts: 1,
  workers: [],
  ...change,
});
const contentOf = (observed?: Observations) => toReceiptPayload(receipt, issue, observed);

test('a receipt adds up the observations of all lost accesses, and names each worker and server once', () => {
  const cancellations = [
    cancellation({ epoch: 7, attempts: 2, workers: [worker('one'), frozen] }),
    cancellation({ committedBy: new Date('2026-11-03T08:00:00.030Z'), workers: [worker('one')] }),
  ];
  expect(contentOf({ cancelled: 4, cancellations, failoverWaitMs: 1_240 })).toMatchObject({
    revoked: {
      grants: [
        { serverId: toId('srv', first), scopes: ['roadmap:read', 'tickets:create'] },
        { serverId: toId('srv', second), scopes: null },
      ],
    },
    committed: { after: '2026-11-03T08:00:00.000Z', before: '2026-11-03T08:00:00.030Z' },
    epoch: 7,
    deliveries: { cancelled: 4, attemptsInFlight: 3 },
    mechanism: 'worker_confirmation',
    workers: [worker('one'), frozen],
    failoverWaitMs: 1_240,
    limits: { length: 3 },
  });
});

test('a receipt without observations states none of them', () => {
  expect(contentOf()).toMatchObject({
    committed: { after: '2026-11-03T08:00:00.000Z', before: '2026-11-03T08:00:02.000Z' },
    epoch: null,
    deliveries: { cancelled: null, attemptsInFlight: null },
    mechanism: 'claim_lifetime',
    workers: null,
    failoverWaitMs: null,
    limits: { length: 4 },
  });
});

test('the key of one environment does not verify receipts of the other, also with the same master key', () => {
  const masterKeys = { current: 'm1', keys: { m1: secret(Buffer.alloc(32, 7).toString('base64')) } };
  const [sandbox, production] = (['sandbox', 'production'] as const).map((one) => deriveReceiptKey(masterKeys, one));
  expect(sandbox?.publicKey).not.toEqual(production?.publicKey);
  expect(deriveReceiptKey(masterKeys, 'sandbox').publicKey).toEqual(sandbox?.publicKey);
});

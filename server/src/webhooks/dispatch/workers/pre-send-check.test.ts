import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  CLAIM_LIFETIME_MS,
  type ClaimToken,
  createPreSendCheck,
  type EpochDenial,
  type WorkerRegistration,
} from './pre-send-check.ts';

let monotonic = 1_000;
vi.mock('../../../kit/flow/clock.ts', () => ({ monotonicMs: () => monotonic }));

let me: WorkerRegistration | undefined;
let claimToken: ClaimToken;
let preSendCheck: ReturnType<typeof createPreSendCheck>;

beforeEach(() => {
  monotonic = 1_000;
  me = { workerId: 'w1', leaseUntilMs: 2_700 };
  claimToken = {
    appId: 'a',
    keyId: 'k',
    serverId: 's',
    endpointId: 'e',
    epoch: 4,
    beginByMs: 30_000,
    registration: me,
  };
  preSendCheck = createPreSendCheck(() => me);
});
afterEach(() => vi.restoreAllMocks());

const denial = (changes: Partial<EpochDenial> = {}): EpochDenial => {
  return { appId: 'a', keyId: null, serverId: null, epoch: 5, ...changes };
};

describe('pre-send check of a claimed delivery', () => {
  test('allows a delivery during the lease of its worker, and not at its end', () => {
    expect(preSendCheck.mayBegin(claimToken)).toBe(true);
    monotonic = 2_699.9;
    expect(preSendCheck.mayBegin(claimToken)).toBe(true);
    monotonic = 2_700;
    expect(preSendCheck.mayBegin(claimToken)).toBe(false);
  });

  test('refuses a delivery after the worker registered under another id', () => {
    me = { workerId: 'w2', leaseUntilMs: 9_000 };
    expect(preSendCheck.mayBegin(claimToken)).toBe(false);
    me = undefined;
    expect(preSendCheck.mayBegin(claimToken)).toBe(false);
  });

  test('refuses a delivery after its key has expired', () => {
    expect(preSendCheck.mayBegin({ ...claimToken, beginByMs: 1_000 })).toBe(false);
  });

  test.each([
    ['its app', denial()],
    ['its key', denial({ keyId: 'k' })],
    ['its server', denial({ serverId: 's' })],
  ])('refuses a delivery if %s was denied after the claim was judged', (_, denied) => {
    preSendCheck.remember(denied);
    expect(preSendCheck.mayBegin(claimToken)).toBe(false);
    expect(preSendCheck.isDenied(claimToken)).toBe(true);
  });

  test.each([
    ['another app', denial({ appId: 'b' })],
    ['another key', denial({ keyId: 'k2' })],
    ['another server', denial({ serverId: 's2' })],
    ['a stop that the claim was judged after', denial({ epoch: 4 })],
  ])('allows a delivery despite a denial for %s', (_, denied) => {
    preSendCheck.remember(denied);
    expect(preSendCheck.mayBegin(claimToken)).toBe(true);
  });

  test('refuses a denied delivery for as long as a claim from before the denial may exist', () => {
    const old = { ...claimToken, beginByMs: monotonic + CLAIM_LIFETIME_MS };
    monotonic += 1;
    preSendCheck.remember(denial());
    for (const laterMs of [10, CLAIM_LIFETIME_MS - 2, CLAIM_LIFETIME_MS, CLAIM_LIFETIME_MS + 10]) {
      monotonic = 1_001 + laterMs;
      me = { workerId: 'w1', leaseUntilMs: monotonic + 1_700 };
      preSendCheck.remember(denial({ appId: 'other' }));
      expect(preSendCheck.mayBegin({ ...old, registration: me })).toBe(false);
    }
    // The denial is forgotten by now, so a long-lived process does not accumulate memory.
    expect(preSendCheck.isDenied(claimToken)).toBe(false);
  });
});

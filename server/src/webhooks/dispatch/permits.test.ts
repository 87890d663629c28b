import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CLAIM_LIFE_MS, createPermits, type EpochDenial, type Incarnation, type Ticket } from './permits.ts';

let monotonic = 1_000;
vi.mock('../../kit/flow/clock.ts', () => ({ monotonicMs: () => monotonic }));

let me: Incarnation | undefined;
let ticket: Ticket;
let permits: ReturnType<typeof createPermits>;

beforeEach(() => {
  monotonic = 1_000;
  me = { workerId: 'w1', leaseUntilMs: 2_700 };
  ticket = { appId: 'a', keyId: 'k', serverId: 's', endpointId: 'e', epoch: 4, beginByMs: 30_000, incarnation: me };
  permits = createPermits(() => me);
});
afterEach(() => vi.restoreAllMocks());

const denial = (changes: Partial<EpochDenial> = {}): EpochDenial => {
  return { appId: 'a', keyId: null, serverId: null, epoch: 5, ...changes };
};

describe('a claimed delivery may begin', () => {
  test('while the lease of the same worker lasts, and not at its end', () => {
    expect(permits.mayBegin(ticket)).toBe(true);
    monotonic = 2_699.9;
    expect(permits.mayBegin(ticket)).toBe(true);
    monotonic = 2_700;
    expect(permits.mayBegin(ticket)).toBe(false);
  });

  test('not after the worker came back under another id', () => {
    me = { workerId: 'w2', leaseUntilMs: 9_000 };
    expect(permits.mayBegin(ticket)).toBe(false);
    me = undefined;
    expect(permits.mayBegin(ticket)).toBe(false);
  });

  test('not once its key has expired', () => {
    expect(permits.mayBegin({ ...ticket, beginByMs: 1_000 })).toBe(false);
  });

  test.each([
    ['its app', denial()],
    ['its key', denial({ keyId: 'k' })],
    ['its server', denial({ serverId: 's' })],
  ])('not when %s was denied after the claim was judged', (_, denied) => {
    permits.remember(denied);
    expect(permits.mayBegin(ticket)).toBe(false);
    expect(permits.isDenied(ticket)).toBe(true);
  });

  test.each([
    ['another app', denial({ appId: 'b' })],
    ['another key', denial({ keyId: 'k2' })],
    ['another server', denial({ serverId: 's2' })],
    ['a stop that the claim was judged after', denial({ epoch: 4 })],
  ])('whatever was denied to %s', (_, denied) => {
    permits.remember(denied);
    expect(permits.mayBegin(ticket)).toBe(true);
  });

  test('not for as long as a claim from before the denial could still be at large', () => {
    const old = { ...ticket, beginByMs: monotonic + CLAIM_LIFE_MS };
    monotonic += 1;
    permits.remember(denial());
    for (const laterMs of [10, CLAIM_LIFE_MS - 2, CLAIM_LIFE_MS, CLAIM_LIFE_MS + 10]) {
      monotonic = 1_001 + laterMs;
      me = { workerId: 'w1', leaseUntilMs: monotonic + 1_700 };
      permits.remember(denial({ appId: 'other' }));
      expect(permits.mayBegin({ ...old, incarnation: me })).toBe(false);
    }
    // Forgotten by now, so that a long life gathers no memory.
    expect(permits.isDenied(ticket)).toBe(false);
  });
});

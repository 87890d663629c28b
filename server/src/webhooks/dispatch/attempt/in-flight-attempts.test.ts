import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEndpointSpeeds, createInFlightAttempts, type NewInFlightAttempt } from './in-flight-attempts.ts';

const newAttempt = (deliveryId: string): NewInFlightAttempt => ({
  deliveryId,
  endpointId: 'an endpoint',
  host: 'receiver.example.org',
  claimToken: {
    appId: 'an app',
    keyId: 'a key',
    serverId: null,
    endpointId: 'an endpoint',
    epoch: 0,
    beginByMs: 0,
    registration: { workerId: 'a worker', leaseUntilMs: 0 },
  },
});

test('an attempt off the wire frees its slot and stays known until it is recorded', async () => {
  const attempts = createInFlightAttempts();
  const one = attempts.add(newAttempt('one'));
  attempts.add(newAttempt('two'));
  one.markOffWire();
  const slots = [attempts.ofEndpoint('an endpoint'), attempts.ofApp('an app')];
  expect([attempts.total, ...slots, attempts.unrecorded]).toEqual([1, 1, 1, 2]);
  expect(attempts.deliveryIds()).toEqual(['one', 'two']);
  attempts.remove(one);
  expect([attempts.total, attempts.ofEndpoint('an endpoint'), attempts.unrecorded]).toEqual([1, 1, 1]);
});

test('the end of all attempts of an access does not wait for a reserved attempt, which is aborted when it begins', async () => {
  const attempts = createInFlightAttempts();
  const [reserved, begun] = [attempts.add(newAttempt('reserved')), attempts.add(newAttempt('begun'))];
  reserved.isReserved = true;
  let isOver = false;
  const aborting = attempts
    .abort(() => true, 'revoke')
    .then(() => {
      isOver = true;
    });
  await Promise.resolve();
  expect([isOver, reserved.stoppedBy, reserved.stopper.aborted]).toEqual([false, 'revoke', true]);
  begun.markOffWire();
  await aborting;
});

describe('speed of an endpoint', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const HOST = 'receiver.example.org';
  /** Returns the in-flight attempts after consecutive attempts of these durations to one endpoint. */
  function after(...durationsMs: number[]) {
    const attempts = createInFlightAttempts();
    for (const durationMs of durationsMs) {
      const attempt = attempts.add(newAttempt('over'));
      attempt.onEnter();
      attempt.durationUs = durationMs * 1000;
      attempts.remove(attempt);
    }
    return attempts;
  }

  test.each([
    ['unknown before its first attempt', [], 'unknown'],
    ['fast while its attempts take 250 ms on average', [250, 230, 260], 'fast'],
    ['slow above that', [250, 252], 'slow'],
    ['slow after one attempt that took a second more than it', [250, 1_250], 'slow'],
    ['slow for five quick attempts after one of fifteen seconds', [15_000, 1, 1, 1, 1], 'slow'],
    ['fast after the fifth', [15_000, 1, 1, 1, 1, 1], 'fast'],
  ])('an endpoint is %s', (_, durationsMs, speed) => {
    expect(
      after(...durationsMs)
        .speeds()
        .of('an endpoint'),
    ).toBe(speed);
  });

  test.each([
    ['one before the first attempt has ended', [], 1],
    ['eight after it', [1], 8],
    ['one more after each quick attempt', [1, 250, 1], 10],
    ['all of an app at most', Array<number>(40).fill(1), 32],
    ['half after an attempt that took longer than 250 ms', [...Array<number>(40).fill(1), 251], 16],
    ['two while it is slow', [1, 1, 15_000], 2],
    ['few after slow times, and they grow again', [15_000, 15_000, 15_000, ...Array<number>(7).fill(1)], 9],
  ])('an endpoint gets slots: %s', (_, durationsMs, slots) => {
    expect(
      after(...durationsMs)
        .speeds()
        .slotsOf('an endpoint'),
    ).toBe(slots);
  });

  test('an endpoint is slow while an attempt is on the wire for more than 250 ms, and that attempt gives up its slot', () => {
    const attempts = after(1);
    const attempt = attempts.add(newAttempt('one'));
    attempt.onEnter();
    vi.advanceTimersByTime(250);
    expect(attempts.speeds()).toMatchObject({ notFast: 0 });
    expect(attempts.speeds().ofHost(HOST)).toEqual({ fast: 1, unknown: 0, slow: 0, hanging: 0 });
    vi.advanceTimersByTime(1);
    const { of, ofHost, notFast, notFastOfApp } = attempts.speeds();
    expect([of('an endpoint'), notFast, notFastOfApp('an app')]).toEqual(['slow', 1, 1]);
    expect(ofHost(HOST)).toEqual({ fast: 0, unknown: 0, slow: 0, hanging: 1 });
  });

  test('the wait for a slot, and an attempt without a slot or aborted, do not change the speed', () => {
    const attempts = after(1);
    const waiting = attempts.add(newAttempt('waits'));
    vi.advanceTimersByTime(10_000);
    expect(attempts.speeds().of('an endpoint')).toBe('fast');
    waiting.durationUs = 0;
    attempts.remove(waiting);
    const aborted = attempts.add(newAttempt('aborted'));
    aborted.onEnter();
    aborted.stoppedBy = 'revoke';
    aborted.durationUs = 900_000;
    attempts.remove(aborted);
    expect(attempts.speeds().of('an endpoint')).toBe('fast');
    const unknown = createInFlightAttempts();
    const dropped = unknown.add(newAttempt('dropped'));
    dropped.durationUs = 0;
    unknown.remove(dropped);
    expect(unknown.speeds().of('an endpoint')).toBe('unknown');
  });

  test('an endpoint is unknown again after ten thousand other endpoints had an attempt', () => {
    const speeds = createEndpointSpeeds(2);
    for (const endpointId of ['a', 'b', 'a', 'c']) speeds.note(endpointId, 1);
    expect(['a', 'b', 'c'].map(speeds.of)).toEqual(['fast', 'unknown', 'fast']);
  });
});

// Fault rules draw independently, hit their share of the calls, and combine to one effect.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawEffect, effectText, explainInvalidEffect, type FaultRule } from './fault.ts';

const rule = (effect: FaultRule['effect'], share = 1, operationId: string | null = null): FaultRule => ({
  operationId,
  share,
  effect,
});

describe('a fault rule', () => {
  test('a rule applies to the calls of its operation, or of all operations', () => {
    const rules = [rule({ code: 'gone' }, 1, 'getMe')];
    expect(drawEffect(rules, 'getMe', () => 0)).toEqual({ code: 'gone' });
    expect(drawEffect(rules, 'listServers', () => 0)).toBeUndefined();
    expect(drawEffect([rule({ code: 'gone' })], 'listServers', () => 0)).toEqual({ code: 'gone' });
  });

  test('a rule with share 0 hits no call, with 1 every call, and otherwise calls whose draw is below the share', () => {
    const draws = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(draws, draws, (draw, share) => {
        const hits = (of: number): boolean =>
          drawEffect([rule({ reset: true }, of)], 'getMe', () => draw) !== undefined;
        expect([hits(0), hits(1), hits(share)]).toEqual([false, true, draw < share]);
      }),
    );
  });
});

test('of several rules that hit, the longest latency and the oldest effect that ends the call apply', () => {
  const rules = [
    rule({ latencyMs: 100 }),
    rule({ latencyMs: 300, code: 'timeout' }),
    rule({ reset: true }, 0.5),
    rule({ latencyMs: 200, code: 'gone' }),
  ];
  expect(drawEffect(rules, 'getMe', () => 0)).toEqual({ latencyMs: 300, code: 'timeout' });
  expect(drawEffect(rules.slice(2), 'getMe', () => 0)).toEqual({ latencyMs: 200, reset: true });
  expect(drawEffect(rules.slice(2), 'getMe', () => 0.7)).toEqual({ latencyMs: 200, code: 'gone' });
});

test('each rule draws separately', () => {
  const draws = [0.9, 0.1];
  expect(
    drawEffect([rule({ reset: true }, 0.5), rule({ code: 'gone' }, 0.5)], 'getMe', () => draws.shift() ?? 1),
  ).toEqual({
    code: 'gone',
  });
});

test('explainInvalidEffect requires an effect with at most one end of the call', () => {
  expect(explainInvalidEffect({})).toBe('must contain a latency, a problem or a reset');
  expect(explainInvalidEffect({ reset: false })).toBe('must contain a latency, a problem or a reset');
  expect(explainInvalidEffect({ code: 'gone', reset: true })).toBe('must contain a problem or a reset, not both');
  expect(explainInvalidEffect({ latencyMs: 1 })).toBeUndefined();
});

test('effectText uses the syntax of the header', () => {
  expect(effectText({ latencyMs: 500, code: 'timeout' })).toBe('latency=500, code=timeout');
  expect(effectText({ reset: true })).toBe('reset');
});

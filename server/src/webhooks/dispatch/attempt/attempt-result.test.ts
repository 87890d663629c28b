import { describe, expect, test } from 'vitest';
import type { OutboundResult } from '../../../kit/outbound/outbound.ts';
import { type AttemptContext, evaluateResult } from './attempt-result.ts';

const context: AttemptContext = {
  attemptNo: 1,
  hasBegun: true,
  stoppedBy: undefined,
  random: 0,
  speed: 1,
  nowMs: 0,
  mask: (text) => text,
};
const response = (status: number, body: Buffer | string = ''): OutboundResult => ({
  kind: 'response',
  status,
  headers: { 'x-odd': 'a\0b' },
  body: Buffer.from(body),
  isBodyTruncated: false,
  durationUs: 5,
});
const failure = (kind: Extract<OutboundResult, { kind: 'failure' }>['failure']): OutboundResult => {
  return { kind: 'failure', failure: kind, detail: 'why', durationUs: 5 };
};

describe('result of an attempt', () => {
  test('keeps a response that Postgres would refuse, with unstorable characters replaced', () => {
    const bytes = Buffer.concat([Buffer.from('ok\0'), Buffer.from([0xff, 0xc3])]);
    expect(evaluateResult(response(200, bytes), context)).toMatchObject({
      next: 'succeeded',
      record: { outcome: 'response', status: 200, body: 'ok\uFFFD\uFFFD\uFFFD', headers: { 'x-odd': 'a\uFFFDb' } },
    });
  });

  test('records a redirect as such and schedules another attempt', () => {
    expect(evaluateResult(response(302), context)).toMatchObject({
      next: 'waiting',
      record: { outcome: 'redirect', status: 302 },
    });
  });

  test('treats a status beyond 599 as a protocol failure', () => {
    expect(evaluateResult(response(999), context)).toMatchObject({
      next: 'waiting',
      record: { outcome: 'protocol' },
    });
  });

  test('schedules another attempt after a failure until the schedule ends', () => {
    expect(evaluateResult(failure('timeout'), context)).toEqual({
      next: 'waiting',
      record: { outcome: 'timeout', detail: 'why' },
      inMs: 5_000,
    });
    expect(evaluateResult(failure('dns'), { ...context, attemptNo: 10 })).toMatchObject({ next: 'failed' });
  });

  test('records an attempt that a revocation or a changed endpoint stopped, and leaves the delivery to the next judgement', () => {
    for (const hasBegun of [true, false]) {
      expect(evaluateResult(failure('aborted'), { ...context, hasBegun, stoppedBy: 'revoke' })).toMatchObject({
        next: 'waiting',
        record: {
          outcome: 'aborted_by_revoke',
          detail: 'The attempt was stopped because access was revoked or the endpoint was changed.',
        },
        inMs: 0,
      });
    }
  });

  test('records an attempt that was cut off on the wire as interrupted, and none that never began', () => {
    const stopped = { ...context, stoppedBy: 'leave' as const };
    expect(evaluateResult(failure('aborted'), stopped)).toMatchObject({
      next: 'waiting',
      record: { outcome: 'interrupted' },
    });
    expect(evaluateResult(failure('aborted'), { ...stopped, hasBegun: false })).toEqual({ next: 'unsent', inMs: 0 });
    expect(evaluateResult(failure('aborted'), { ...context, hasBegun: false })).toMatchObject({ next: 'unsent' });
  });

  test('records the response that arrived while the attempt was being stopped', () => {
    expect(evaluateResult(response(204), { ...context, stoppedBy: 'revoke' })).toMatchObject({
      next: 'succeeded',
    });
  });
});

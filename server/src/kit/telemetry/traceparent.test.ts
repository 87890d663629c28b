// Only valid ids of a traceparent are used. Text that a caller hides in one is not.
import { expect, test } from 'vitest';
import { readTraceparent } from './traceparent.ts';

const SPAN = '00f067aa0ba902b7';
const hexOf = (text: string): string => Buffer.from(text).toString('hex');
test.each([
  ['4bf92f3577b34da6a3ce929d0e0e4736', true],
  ['00000000000000000000000000000001', true],
  ['00000000000000000000000000000000', false],
  [hexOf('slw_test_7Qh2mXc'), false],
  [hexOf('eA7f+/Zz09zAyBkQ'), false],
  [Buffer.from('s3cr3t-8', 'utf16le').toString('hex'), false],
  [Buffer.from('s3cr3t-8', 'utf16le').swap16().toString('hex'), false],
  ['000000000000000053995c3f42cd8ad8', true],
])('%s is a trace: %s', (trace, isTrace) => {
  expect(readTraceparent(`00-${trace}-${SPAN}-01`)?.traceId).toBe(isTrace ? trace : undefined);
});

test.each([
  [SPAN, true],
  ['0000000000000001', true],
  [hexOf('s3cr3t-8'), false],
  [Buffer.from('s3cr', 'utf16le').toString('hex'), false],
])('%s is a span: %s, and the trace is kept', (span, isSpan) => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  expect(readTraceparent(`00-${trace}-${span}-01`)).toEqual({
    traceId: trace,
    spanId: isSpan ? span : undefined,
    isSampled: true,
  });
});

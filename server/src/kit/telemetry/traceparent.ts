// The header in which a caller names the trace that a request belongs to (W3C Trace Context).

export interface TraceParent {
  /** In hexadecimal. */
  traceId: string;
  /** Likewise; undefined where it is a text. */
  spanId: string | undefined;
  isSampled: boolean;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Letters in hexadecimal, of one byte or with the zeros of UTF-16 and UTF-32: of random bytes, as W3C wants them, one trace in six
 * million and one span in 2,600 are that.
 */
const SPELT_TEXT = /^(?:00){0,3}(?:[2-7][0-9a-f](?:00){0,3})+$/;

/** Zeros alone are none, and make the whole of it void. A text, which may be a secret, is neither trace nor span. */
export function readTraceparent(header: string | string[] | undefined): TraceParent | undefined {
  const [, traceId = '', span = '', flags = ''] = (typeof header === 'string' && TRACEPARENT.exec(header)) || [];
  const isTrace = /[1-9a-f]/.test(traceId) && /[1-9a-f]/.test(span) && !SPELT_TEXT.test(traceId);
  if (!isTrace) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) !== 0;
  return { traceId, spanId: SPELT_TEXT.test(span) ? undefined : span, isSampled };
}

// The header in which a caller names the trace of a request (W3C Trace Context).

export interface TraceParent {
  /** In hexadecimal. */
  traceId: string;
  /** In hexadecimal; undefined if it spells a text. */
  spanId: string | undefined;
  isSampled: boolean;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Matches letters in hexadecimal, with the zero bytes of UTF-16 and UTF-32. Among random ids, as W3C requires, this
 * matches one trace in six million and one span in 2,600.
 */
const SPELT_TEXT = /^(?:00){0,3}(?:[2-7][0-9a-f](?:00){0,3})+$/;

/**
 * Parses the header. An id of zeros makes the whole header invalid. An id that spells a text, which may be a secret, is
 * ignored.
 */
export function readTraceparent(header: string | string[] | undefined): TraceParent | undefined {
  const [, traceId = '', span = '', flags = ''] = (typeof header === 'string' && TRACEPARENT.exec(header)) || [];
  const isTrace = /[1-9a-f]/.test(traceId) && /[1-9a-f]/.test(span) && !SPELT_TEXT.test(traceId);
  if (!isTrace) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) !== 0;
  return { traceId, spanId: SPELT_TEXT.test(span) ? undefined : span, isSampled };
}

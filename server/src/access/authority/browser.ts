// Detects that a browser made a request, and determines the origin of the page that made it.
import type { Incoming } from '../../kit/http/operation.ts';
import { redactKeys } from '../../kit/text/redact.ts';

/** A use of a valid key by a page. */
export interface BrowserUse {
  appId: string;
  keyId: string;
  /** Null if the origin cannot be shown. */
  pageOrigin: string | null;
}

export const MAX_PAGE_ORIGIN = 255;

/**
 * Returns true if a browser made the request. A browser names the page in Origin, or its relation to the page in
 * Sec-Fetch-Site. The fetch of Node sends neither.
 */
export function isFromBrowser({ headers }: Pick<Incoming, 'headers'>): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

// The form that browsers write (RFC 6454, section 6.2) is ASCII and has no user, no control character and no markup.
const ORIGIN = /^([a-z][a-z0-9+.-]{0,30}:\/\/(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?)(?:[/?#]|$)/i;

/**
 * Returns the origin of the page, in lower case. A GET from the page's own origin has no Origin header, so the origin
 * is then taken from Referer. Returns null for an origin that is absent, opaque ("null"), malformed or too long, or
 * that contains a secret.
 */
export function pageOriginOf({ headers }: Pick<Incoming, 'headers'>): string | null {
  const text = headers.origin ?? headers.referer;
  const origin = typeof text === 'string' ? ORIGIN.exec(text)?.[1]?.toLowerCase() : undefined;
  return origin && origin.length <= MAX_PAGE_ORIGIN && redactKeys(origin) === origin ? origin : null;
}

// Detects that a browser made a request, and determines the origin of the page that made it.
import type { Incoming } from '../../kit/http/operation.ts';
import { redactKeys } from '../../kit/text/redact.ts';

/** A page used a key that works. */
export interface BrowserUse {
  appId: string;
  keyId: string;
  /** Null where the origin cannot be shown. */
  pageOrigin: string | null;
}

export const MAX_PAGE_ORIGIN = 255;

/** A browser names the page in Origin, or its relation to the page in Sec-Fetch-Site. Node's fetch sends neither. */
export function isFromBrowser({ headers }: Pick<Incoming, 'headers'>): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

// The form that browsers write (RFC 6454, section 6.2), which is ASCII: no user, no control character, no markup.
const ORIGIN = /^([a-z][a-z0-9+.-]{0,30}:\/\/(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?)(?:[/?#]|$)/i;

/**
 * Returns the origin of the page, in lower case. A GET of the page's own origin has no Origin header, so the origin is taken from Referer
 * then. Returns null for an absent, opaque ("null"), malformed or longer origin, and for one that holds a secret.
 */
export function pageOriginOf({ headers }: Pick<Incoming, 'headers'>): string | null {
  const text = headers.origin ?? headers.referer;
  const origin = typeof text === 'string' ? ORIGIN.exec(text)?.[1]?.toLowerCase() : undefined;
  return origin && origin.length <= MAX_PAGE_ORIGIN && redactKeys(origin) === origin ? origin : null;
}

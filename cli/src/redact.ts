// Removes credentials from texts that leave the terminal: results of MCP tools, and reports of CI.

/** Keys, access tokens and signing secrets, by their prefixes. */
const CREDENTIAL = /\b(slw_(?:test|live)_|slp_|whsec_)[A-Za-z0-9+/=_-]{8,}/g;

/** Returns the text with `[redacted]` in place of the secret part of each credential. */
export const redactCredentials = (text: string): string => text.replaceAll(CREDENTIAL, '$1[redacted]');

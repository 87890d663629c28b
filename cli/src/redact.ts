// Removes credentials from texts that leave the terminal: results of MCP tools, and reports of CI.

/**
 * Keys, access tokens and signing secrets, by their prefixes. A prefix can follow a letter or digit: the text is often
 * JSON or an encoded URL, where the end of an escape such as `\n` or `%20` stands before the prefix.
 */
const CREDENTIAL = /(slw_(?:test|live)_|slp_|whsec_)[A-Za-z0-9+/=_-]{8,}/g;

/** Returns the text with `[redacted]` in place of the secret part of each credential. */
export const redactCredentials = (text: string): string => text.replaceAll(CREDENTIAL, '$1[redacted]');

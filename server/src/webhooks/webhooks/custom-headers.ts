// Custom headers of an endpoint's owner. Names and values have a narrow form, and headers that decide framing, routing,
// caller or authenticity are reserved. Values are stored sealed and never shown again.

import { toId } from '../../kit/crypto/ids.ts';
import { type MasterKeys, seal, unseal } from '../../kit/crypto/seal.ts';
import { secret } from '../../kit/crypto/secret.ts';
import { nullable, type Static, Type, text } from '../../kit/http/schema.ts';
import type { InvalidPart } from '../../kit/openapi/problems.ts';
import { escapePointer } from '../../kit/text/json-pointer.ts';
import { redactKeys } from '../../kit/text/redact.ts';

const MAX_HEADERS = 10;
// Bytes of names and values together. Some receivers, including Slipway's own, refuse a request with more than 8 KiB of
// headers.
const MAX_BYTES = 4_096;

/** Values by lower-case name. */
export type CustomHeaders = ReadonlyMap<string, string>;

// Narrower than a token (RFC 9110, section 5.6.2): gateways that pass headers as variables cannot distinguish
// `webhook_id` and `webhook-id`.
const NAME_PATTERN = '^[A-Za-z][A-Za-z0-9-]{0,63}$';
const NAME = new RegExp(NAME_PATTERN);
// Visible ASCII with inner spaces: no line break, no NUL, and nothing that two parsers read differently.
const VALUE_PATTERN = '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$';

// `authorization` is allowed: most receivers ask for it, and a URL may not contain credentials.
const RESERVED = new Set([
  ...['accept-encoding', 'expect', 'host', 'traceparent', 'tracestate', 'user-agent'],
  // Hop-by-hop headers (RFC 9110, section 7.6.1).
  ...['connection', 'http2-settings', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  // Headers that name the original caller or override the method.
  ...['forwarded', 'via', 'x-real-ip', 'x-http-method', 'x-http-method-override', 'x-method-override'],
  ...['client-ip', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip', 'x-cluster-client-ip'],
  ...['x-host', 'x-original-host', 'x-original-url', 'x-rewrite-url'],
  // By these headers, a cloud's metadata service recognises a deliberate request.
  ...['metadata', 'metadata-flavor', 'x-google-metadata-request'],
]);
const RESERVED_BEGINNINGS = [
  // Verification libraries read `svix-` before `webhook-`.
  ...['content-', 'proxy-', 'slipway-', 'svix-', 'webhook-'],
  ...['x-aws-ec2-metadata-', 'x-forwarded-'],
];

const isReserved = (name: string): boolean =>
  RESERVED.has(name) || RESERVED_BEGINNINGS.some((beginning) => name.startsWith(beginning));

const value = text('The header’s value: printable ASCII, without leading or trailing spaces.', {
  minLength: 1,
  maxLength: 2_048,
  pattern: VALUE_PATTERN,
});
const name = Type.String({ pattern: NAME_PATTERN });
const RULES =
  'A name consists of letters, digits and hyphens. `authorization` is allowed; headers that frame, route or sign a request are not. Values are encrypted at rest and never shown again. A listener (`listener:NAME`) takes no headers.';

export const newHeaders = Type.Record(name, value, {
  maxProperties: MAX_HEADERS,
  additionalProperties: false,
  description: `Headers to send with each delivery, by name. ${RULES}`,
});
export const headerChanges = Type.Record(name, nullable(value), {
  maxProperties: 2 * MAX_HEADERS,
  additionalProperties: false,
  description: `Headers to send with each delivery, by name. A null value removes a header; headers that are not named stay unchanged. ${RULES}`,
});
export type HeaderChanges = Static<typeof headerChanges>;

export const headerNames = Type.Array(text('The name of a header.', { minLength: 1, maxLength: 64 }), {
  maxItems: MAX_HEADERS,
  description: 'The names of the headers that are added to each delivery. Values are never shown.',
});

function validateName(spelling: string): string | undefined {
  if (!NAME.test(spelling)) return 'must have a name that consists of letters, digits and hyphens';
  return isReserved(spelling.toLowerCase()) ? 'must not be a reserved header' : undefined;
}

/** Returns the headers after a change, or its errors. An error never repeats a value. */
export function changeHeaders(
  present: CustomHeaders,
  changes: HeaderChanges,
): { headers: CustomHeaders; errors: InvalidPart[] } {
  const headers = new Map(present);
  const seen = new Set<string>();
  const errors: InvalidPart[] = [];
  const refuse = (pointer: string, detail: string): unknown => errors.push({ pointer, detail });
  for (const [spelling, given] of Object.entries(changes)) {
    const name = spelling.toLowerCase();
    const pointer = `/headers/${escapePointer(spelling)}`;
    const refusal = validateName(spelling) ?? (seen.has(name) ? 'must be named only once' : undefined);
    seen.add(name);
    if (refusal !== undefined) refuse(pointer, refusal);
    else if (given === null) headers.delete(name);
    // Every receiver of events would get it: a key of the app, or the secret that proves the sender.
    else if (redactKeys(given) !== given) refuse(pointer, 'must not contain the secret of a key or an endpoint');
    else headers.set(name, given);
  }
  if (headers.size > MAX_HEADERS) refuse('/headers', `must be at most ${MAX_HEADERS} headers in total`);
  const bytes = [...headers].reduce((sum, [name, held]) => sum + name.length + held.length, 0);
  if (bytes > MAX_BYTES) refuse('/headers', `must have at most ${MAX_BYTES} bytes in total, names and values together`);
  return { headers, errors };
}

// Differs from the binding of the signing secret, so neither value can be moved to the other's column.
export const headersBinding = (endpointId: string): string => `endpoint-headers:${toId('whe', endpointId)}`;

/** Returns null if there are no headers. */
export function sealHeaders(headers: CustomHeaders, endpointId: string, masterKeys: MasterKeys): Buffer | null {
  if (headers.size === 0) return null;
  return seal(secret(JSON.stringify(Object.fromEntries(headers))), headersBinding(endpointId), masterKeys);
}

export function openHeaders(sealed: Buffer | null, endpointId: string, masterKeys: MasterKeys): CustomHeaders {
  if (sealed === null) return new Map();
  const held: Record<string, string> = JSON.parse(unseal(sealed, headersBinding(endpointId), masterKeys).reveal());
  return new Map(Object.entries(held));
}

/** Returns the headers that an attempt adds to its own. Leaves out a name that became reserved after it was set. */
export function customHeadersOf(
  row: { endpoint_id: string; sealed_headers: Buffer | null },
  masterKeys: MasterKeys,
): Record<string, string> {
  const headers = openHeaders(row.sealed_headers, row.endpoint_id, masterKeys);
  return Object.fromEntries([...headers].filter(([name]) => !isReserved(name)));
}

// Verifies webhooks (Standard Webhooks) over the raw bytes of the body. A body that was parsed and serialised again has
// other bytes. Separate entry point, because it needs Node's crypto and browsers do not verify webhooks.
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookEvent } from './generated/public.ts';

export type { WebhookEvent } from './generated/public.ts';

/** The reason for a failed verification. Respond with 400: the message is forged, changed or too old. */
export type WebhookFault =
  | 'missing_header'
  | 'malformed_header'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'no_matching_signature'
  | 'malformed_body';

export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookFault;

  constructor(code: WebhookFault, message: string) {
    super(message);
    this.code = code;
  }
}

/** Headers as Node's `request.headers`, as a `Headers` object, or as any object of names and values. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Largest difference between the timestamp and now, in seconds. Default: 300. */
  toleranceSeconds?: number | undefined;
  /** Replaces the current time, to verify a stored message. */
  now?: Date | undefined;
}

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';

/**
 * Returns the event of a delivery after verifying its signature and age. During a rotation of the signing secret, pass
 * both secrets: a message passes if any of its signatures matches any of the secrets. Throws `WebhookVerificationError`
 * otherwise.
 */
export function verify(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): WebhookEvent {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new TypeError('rawBody must be the body as it arrived, as bytes or text, and not a parsed value.');
  }
  const keys = keysOf(secret);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  // With a dot in the id, two different messages could have the same signature.
  if (id.includes('.')) throw new WebhookVerificationError('malformed_header', 'webhook-id must not contain a dot.');
  requireRecent(timestamp, options);
  const isSigned = keys.some((key) => {
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody);
    const expected = Buffer.from(`v1,${hmac.digest('base64')}`);
    return signatures.some((signature) => isEqual(Buffer.from(signature), expected));
  });
  if (!isSigned) throw new WebhookVerificationError('no_matching_signature', 'No signature matches a given secret.');
  return parse(rawBody);
}

function isEqual(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}

// Environment variables can be undefined, whatever their type says.
function keysOf(secret: string | readonly string[]): Buffer[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const isList = Array.isArray(secrets) && secrets.length > 0 && secrets.every((one) => typeof one === 'string');
  if (!isList) throw new TypeError('secret must be a signing secret or a list of them.');
  return secrets.map(keyOf);
}

// `Buffer.from` accepts malformed base64. Such a secret would be another key, and every message would look forged. An
// error never contains the secret.
function keyOf(secret: string): Buffer {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : '';
  const key = Buffer.from(encoded, 'base64');
  if (key.length === 0 || key.toString('base64') !== encoded) {
    throw new TypeError(`A signing secret must be ${SECRET_PREFIX} and base64, as the Console shows it.`);
  }
  return key;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('missing_header', `The header ${name} is missing.`);
}

function requireRecent(timestamp: string, { toleranceSeconds = TOLERANCE_SECONDS, now }: VerifyOptions): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('malformed_header', 'webhook-timestamp must be in whole seconds.');
  }
  const ageSeconds = Math.floor((now?.getTime() ?? Date.now()) / 1000) - Number(timestamp);
  if (ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError('timestamp_too_old', `The message is ${ageSeconds} seconds old.`);
  }
  if (ageSeconds < -toleranceSeconds) {
    throw new WebhookVerificationError(
      'timestamp_too_new',
      `The message is ${-ageSeconds} seconds ahead of this clock.`,
    );
  }
}

function parse(rawBody: string | Uint8Array): WebhookEvent {
  try {
    const text = typeof rawBody === 'string' ? rawBody : new TextDecoder('utf-8', { fatal: true }).decode(rawBody);
    return JSON.parse(text) as WebhookEvent; // the signature proves that Slipway wrote it, in the contract's schema
  } catch {
    throw new WebhookVerificationError('malformed_body', 'The body is signed, but it is not JSON.');
  }
}

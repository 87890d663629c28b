// Masks headers before they are sealed: credentials, cookies, addresses of callers, and Slipway's keys in any header.
import { redactKeys } from '../../kit/text/redact.ts';
import { toMask } from '../requests/index.ts';

const CREDENTIAL =
  /(?:^|-)auth(?:-|$|orization|entication)|cookie|token|secret|passw|credential|api-?key|signature|session|csrf|jwt/;
/** Matches the name of a header with a key, except an idempotency key, which is no secret. */
const KEY = /(?<!idempotency-)key$/;
/** Addresses of callers, which `SLIPWAY_CLIENT_ADDRESSES` may forbid to store. */
const ADDRESS =
  /(?:^|-)(?:forwarded|forwarded-for|(?:client|connecting|real|remote|socket|user)-?(?:ip(?:v[46])?|addr)|external-address)$/;

interface MaskedHeaders {
  headers: Record<string, string>;
  maskedHeaders: string[];
}

export function maskHeaders(sent: Readonly<Record<string, unknown>>): MaskedHeaders {
  const headers: [string, string][] = [];
  const maskedHeaders: string[] = [];
  for (const [sentName, value] of Object.entries(sent)) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(', ') : String(value);
    const name = redactKeys(sentName);
    const isHidden = [CREDENTIAL, KEY, ADDRESS].some((form) => form.test(sentName));
    const masked = isHidden ? toMask(text) : redactKeys(text);
    if (masked !== text || name !== sentName) maskedHeaders.push(name);
    headers.push([name, masked]);
  }
  return { headers: Object.fromEntries(headers), maskedHeaders };
}

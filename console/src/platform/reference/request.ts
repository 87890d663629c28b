// Builds the request that the user fills in: address and headers, and the same as a curl command and as an SDK call.
import type { CallInput } from '../../kit/api.ts';
import { curl } from '../../kit/curl.ts';
import { PUBLIC_CLIENT, sdkCall } from '../../kit/sdk-call.ts';
import type { Parameter } from './document.ts';
import type { Operation } from './reference.ts';

/** Values by location and name of a parameter. Empty values are not sent. */
export type Values = Readonly<Record<string, string>>;

type HeaderName = keyof NonNullable<CallInput['headers']>;

/** Headers that a call from the Console can carry, with their purpose. */
const HEADERS: Record<HeaderName, string> = {
  'Idempotency-Key': 'Makes a repetition of the same request safe for 24 hours.',
  'If-None-Match': 'The ETag of an earlier response: the API returns 304 if nothing has changed.',
  'Sandbox-Simulate': 'A simulated problem or delay, such as code=rate_limited or latency=1500.',
  Accept: 'Accepted media types of the response. Default: JSON.',
  traceparent: 'The W3C trace to which the call belongs.',
};

export const fieldOf = ({ in: place, name }: Pick<Parameter, 'in' | 'name'>): string => `${place}/${name}`;

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Returns the headers of an operation. A description in the contract takes precedence. */
export function headersFor(operation: Operation): Parameter[] {
  return Object.entries(HEADERS)
    .filter(([name]) => name !== (isRead(operation.method) ? 'Idempotency-Key' : 'If-None-Match'))
    .map(([name, description]): Parameter => {
      const declared = operation.parameters.find((one) => one.in === 'header' && one.name === name);
      return declared ?? { name, in: 'header', description, schema: { type: 'string' } };
    });
}

/** Returns path and query. A missing path parameter stays as its name in braces. */
export function pathOf(operation: Operation, values: Values): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (braced, name: string) => {
    const value = values[fieldOf({ in: 'path', name })];
    return value ? encodeURIComponent(value) : braced;
  });
  const query = new URLSearchParams();
  for (const one of operation.parameters) {
    const value = values[fieldOf(one)];
    if (one.in === 'query' && value) query.set(one.name, value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

function headersOf(values: Values): NonNullable<CallInput['headers']> {
  return Object.fromEntries(
    Object.keys(HEADERS).flatMap((name) => {
      const value = values[fieldOf({ in: 'header', name })];
      return value ? [[name, value]] : [];
    }),
  );
}

export function toCall(operation: Operation, keyId: string, values: Values, body: string): CallInput {
  return {
    keyId,
    method: operation.method as CallInput['method'], // the contract's operations have no other methods
    path: pathOf(operation, values),
    headers: headersOf(values),
    ...(operation.body && { body }),
  };
}

export function asCurl(operation: Operation, apiUrl: string, values: Values, body: string): string {
  return curl({
    method: operation.method,
    url: apiUrl + pathOf(operation, values),
    token: operation.scope === undefined ? null : undefined,
    headers: headersOf(values),
    body: operation.body && body,
  });
}

/** Returns the request as an SDK call. */
export function asSdk(operation: Operation, apiUrl: string, values: Values, body: string): string {
  const inputs = operation.parameters
    .filter((one) => one.in === 'path' || one.in === 'query')
    .flatMap((one) => {
      const value = values[fieldOf(one)] || (one.required ? `{${one.name}}` : '');
      if (value === '') return [];
      const isNumber = one.schema?.type === 'integer' && /^\d+$/.test(value);
      const argument = one['x-argument'] ?? one.name;
      const key = /^[A-Za-z_$][\w$]*$/.test(argument) ? argument : JSON.stringify(argument);
      return [`  ${key}: ${isNumber ? value : JSON.stringify(value)},`];
    });
  if (operation.body) inputs.push(`  body: ${body.replaceAll('\n', '\n  ')},`);
  const { 'Idempotency-Key': key, ...headers } = headersOf(values);
  const given = { ...(key && { idempotencyKey: key }), ...(Object.keys(headers).length > 0 && { headers }) };
  const options = Object.keys(given).length > 0 ? `, ${JSON.stringify(given)}` : '';
  const input = inputs.length > 0 ? `{\n${inputs.join('\n')}\n}` : options && '{}';
  return sdkCall(PUBLIC_CLIENT, apiUrl, operation.id, `${input}${options}`);
}

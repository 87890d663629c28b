// Returns a call as a curl command. The credential is a shell variable, never its value.
import { DryRunSignal } from './errors.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

// Headers of the SDK that a call by curl does not need, and the credential.
const LEFT_OUT = new Set(['authorization', 'slipway-console', 'accept']);

export function toCurl(url: string, init: RequestInit, variable: string): string {
  const parts = [
    `curl ${init.method === undefined || init.method === 'GET' ? '' : `-X ${init.method} `}${quoted(url)}`,
  ];
  parts.push(`-H "Authorization: Bearer $${variable}"`);
  for (const [name, value] of new Headers(init.headers)) {
    if (!LEFT_OUT.has(name)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  if (typeof init.body === 'string') parts.push(`--data-raw ${quoted(init.body)}`);
  return parts.join(' \\\n  ');
}

/** Returns a replacement of `fetch` that prints the call and throws `DryRunSignal` in place of sending it. */
export function printingFetch(out: (text: string) => void, variable: string): typeof globalThis.fetch {
  return async (input, init = {}) => {
    out(`${toCurl(String(input), init, variable)}\n`);
    throw new DryRunSignal();
  };
}

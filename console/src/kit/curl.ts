// Commands that work when they are pasted into a shell. Whatever comes from outside is quoted, so that it stays an argument.
import type { Scope } from './api.ts';

export const KEY_VARIABLE = '$SLIPWAY_KEY';
export const TOKEN_VARIABLE = '$SLIPWAY_TOKEN';

/** One argument for a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export interface CurlOptions {
  method: string;
  url: string;
  /** The whole key; without it the command reads it from the shell's variable. Null: it needs none. */
  token?: string | null | undefined;
  /** Which one that is. */
  variable?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | undefined;
}

export function curl({ method, url, token, variable = KEY_VARIABLE, headers = {}, body }: CurlOptions): string {
  const verb = method === 'GET' ? '' : method === 'HEAD' ? ' --head' : ` -X ${shellQuote(method)}`;
  // Brackets and braces in an address are patterns to curl unless told otherwise.
  const glob = /[[\]{}]/.test(url) ? ' --globoff' : '';
  const lines = [`curl -sS -i${verb}${glob} ${shellQuote(url)}`];
  if (token !== null) lines.push(`-H "Authorization: Bearer ${token ?? variable}"`);
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${shellQuote(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d ${shellQuote(body)}`);
  return lines.join(' \\\n  ');
}

/** A first call that a key with these scopes may make. */
export function firstCall(apiUrl: string, scopes: readonly Scope[], token?: string): string {
  const path = scopes.includes('servers:read') ? '/v1/servers' : '/v1/me';
  return curl({ method: 'GET', url: apiUrl + path, token });
}

// Builds shell commands to paste. Every external value is quoted, so that it stays one argument.
import type { Scope } from './api.ts';
import { OWN_CONTRACT, type OwnCreation } from './own-contract.ts';

export const KEY_VARIABLE = '$SLIPWAY_KEY';
export const TOKEN_VARIABLE = '$SLIPWAY_TOKEN';

/** Quotes one argument for a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

interface CurlOptions {
  method: string;
  url: string;
  /** The key itself. Undefined: the command reads it from the variable. Null: the call needs none. */
  token?: string | null | undefined;
  /** Name of the variable. */
  variable?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | undefined;
}

export function curl({ method, url, token, variable = KEY_VARIABLE, headers = {}, body }: CurlOptions): string {
  const verb = method === 'GET' ? '' : method === 'HEAD' ? ' --head' : ` -X ${shellQuote(method)}`;
  // curl expands brackets and braces in an address unless globbing is off.
  const glob = /[[\]{}]/.test(url) ? ' --globoff' : '';
  const lines = [`curl -sS -i${verb}${glob} ${shellQuote(url)}`];
  if (token !== null) lines.push(`-H "Authorization: Bearer ${token ?? variable}"`);
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${shellQuote(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d ${shellQuote(body)}`);
  return lines.join(' \\\n  ');
}

const COMMUNITY_READ: { path: string; scopes: Scope[] } = { path: '/v1/servers', scopes: ['servers:read'] };
const TICKET = JSON.stringify({ subject: 'The first ticket', body: 'Created from the shell.' });

/** Returns a call that creates a ticket on a server. */
export const ticketCall = (apiUrl: string, serverId: string, token?: string): string =>
  curl({ method: 'POST', url: `${apiUrl}/v1/servers/${serverId}/tickets`, token, body: TICKET });

/** Returns a call that creates an object of the contract of an operator. */
export const creationCall = (apiUrl: string, { method, path, body }: OwnCreation, token?: string): string =>
  curl({ method, url: apiUrl + path, token, body });

/** Returns a first call that a key with these scopes may make. */
export function firstCall(apiUrl: string, scopes: readonly Scope[], token?: string): string {
  const read = OWN_CONTRACT ? OWN_CONTRACT.firstRead : COMMUNITY_READ;
  const path = read?.scopes.every((scope) => scopes.includes(scope)) ? read.path : '/v1/me';
  return curl({ method: 'GET', url: apiUrl + path, token });
}

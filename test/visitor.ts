// What people do with a running Slipway: they read the first-run note, sign in to the Console, and call both APIs.
import { readFileSync } from 'node:fs';
import type { Place } from './slipway.ts';

export interface Note {
  text: string;
  /** The token of the one-time sign-in link. */
  link: string;
  /** The demo's key, when the note shows one. */
  key: string | undefined;
  /** Its lines for a shell. */
  commands: string[];
}

export function readNote(place: Place): Note {
  return parseNote(readFileSync(place.noteFile, 'utf8'));
}

export function parseNote(text: string): Note {
  return {
    text,
    link: /\/sign-in#link=(\S+)/.exec(text)?.[1] ?? '',
    key: /Demo key\s+(\S+)/.exec(text)?.[1],
    commands: text.split(/\r?\n/).flatMap((line) => (/^\s*curl /.test(line) ? [line.trim()] : [])),
  };
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export async function ask<Body = Record<string, unknown>>(url: string, init: RequestInit = {}): Promise<Answer<Body>> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

export function send<Body>(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer<Body>> {
  const all = { 'content-type': 'application/json', 'slipway-console': '1', ...headers };
  return ask<Body>(url, { method: 'POST', headers: all, body: JSON.stringify(body) });
}

/** Redeems a sign-in link; resolves with the answer's status and the cookie of the session. */
export async function signIn(place: Place, link: string): Promise<{ status: number; cookie: string }> {
  const answer = await send(`${place.consoleUrl}/api/sign-in-link`, { token: link });
  const cookie = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  return { status: answer.status, cookie: cookie.join('; ') };
}

export const listServers = (place: Place, key: string): Promise<Answer<{ data: { id: string }[] }>> =>
  ask(`${place.apiUrl}/v1/servers`, { headers: { authorization: `Bearer ${key}` } });

/** Creates a ticket, or gets the same one again under the same idempotency key. */
export function createTicket(
  place: Place,
  key: string,
  ticket: { serverId: string; subject: string; idempotencyKey: string },
): Promise<Answer<{ id: string }>> {
  return send(
    `${place.apiUrl}/v1/servers/${ticket.serverId}/tickets`,
    { subject: ticket.subject, body: 'From a test.' },
    { authorization: `Bearer ${key}`, 'idempotency-key': ticket.idempotencyKey },
  );
}

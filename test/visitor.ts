// Actions of a user of a running Slipway: reading the first-run note, signing in to the Console, and calling both APIs.
import { readFileSync } from 'node:fs';
import { type SlipwayInstance, until } from './slipway.ts';

/** The part with the address of its Console. */
type Site = Pick<SlipwayInstance, 'consoleUrl'>;

export interface Note {
  text: string;
  /** The token of the one-time sign-in link. */
  link: string;
  /** The demo's key; undefined if the note does not show one. */
  key: string | undefined;
  /** The commands of the note. */
  commands: string[];
}

export function readNote(instance: SlipwayInstance): Note {
  return parseNote(readFileSync(instance.noteFile, 'utf8'));
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

/** Redeems a sign-in link. Resolves with the status of the response and the cookie of the session. */
export async function signIn(instance: SlipwayInstance, link: string): Promise<{ status: number; cookie: string }> {
  const answer = await send(`${instance.consoleUrl}/api/sign-in-link`, { token: link });
  const cookie = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  return { status: answer.status, cookie: cookie.join('; ') };
}

export const listServers = (instance: SlipwayInstance, key: string): Promise<Answer<{ data: { id: string }[] }>> =>
  ask(`${instance.apiUrl}/v1/servers`, { headers: { authorization: `Bearer ${key}` } });

/** Resolves with the identifier of the app's first server. Throws with the response if there is none. */
export async function firstServerId(instance: SlipwayInstance, key: string): Promise<string> {
  const { status, body } = await listServers(instance, key);
  const id = status === 200 ? body.data[0]?.id : undefined;
  if (id === undefined) throw new Error(`listServers was answered ${status}: ${JSON.stringify(body)}`);
  return id;
}

/** Creates a ticket, or gets the existing one with the same idempotency key. */
export function createTicket(
  instance: SlipwayInstance,
  key: string,
  ticket: { serverId: string; subject: string; idempotencyKey: string },
): Promise<Answer<{ id: string }>> {
  return send(
    `${instance.apiUrl}/v1/servers/${ticket.serverId}/tickets`,
    { subject: ticket.subject, body: 'From a test.' },
    { authorization: `Bearer ${key}`, 'idempotency-key': ticket.idempotencyKey },
  );
}

/**
 * Returns the link's token in the newest account message to an address, as an operator reads it without a mail server.
 */
export async function tokenMailedTo(site: Site, cookie: string, email: string): Promise<string> {
  const messages = `${site.consoleUrl}/api/operator/messages`;
  const { id } = await until(async () => {
    const { body } = await ask<{ data: { id: string; to: string; subject: string }[] }>(messages, {
      headers: { cookie },
    });
    return body.data.find(({ to, subject }) => to === email && subject.includes('account'));
  });
  const { body } = await ask<{ text: string }>(`${messages}/${id}`, { headers: { cookie } });
  return /#token=(\S+)/.exec(body.text)?.[1] ?? '';
}

/** The password of people who sign up. */
export const PASSWORD = 'a long sentence is a good one';

/** Signs a person up with the mailed link. Resolves with the cookie of their session. */
export async function signUp(site: Site, operatorCookie: string, email: string): Promise<string> {
  const consoleApi = `${site.consoleUrl}/api`;
  await send(`${consoleApi}/sign-ups`, { email });
  const token = await tokenMailedTo(site, operatorCookie, email);
  const created = await send(`${consoleApi}/accounts`, {
    token,
    name: 'Imke',
    password: PASSWORD,
  });
  return created.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

/**
 * Makes a person a member: an owner, who must also be an operator, invites them, and the person signs up and accepts.
 */
export async function joinOrganisation(
  site: Site,
  { cookie, organisationId }: { cookie: string; organisationId: string },
  email: string,
): Promise<void> {
  const consoleApi = `${site.consoleUrl}/api`;
  const invitation = { email, role: 'developer' };
  const invited = await send<{ url: string }>(`${consoleApi}/organisations/${organisationId}/invitations`, invitation, {
    cookie,
  });
  const session = await signUp(site, cookie, email);
  const token = invited.body.url.split('#token=')[1];
  const accepted = await send(`${consoleApi}/invitations/accept`, { token }, { cookie: session });
  if (accepted.status >= 300) throw new Error(`${email} could not accept the invitation: HTTP ${accepted.status}.`);
}

// The demo's app with an additional endpoint, whose receiver verifies nothing and returns a configurable status, and a
// browser with the owner signed in.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../../scripts/nodes/free-port.ts';
import { type SlipwayInstance, until } from '../slipway.ts';
import { type Answer, ask, createTicket, firstServerId, readNote, send } from '../visitor.ts';
import { visit } from './browser.ts';

export interface Message {
  body: string;
  headers: IncomingHttpHeaders;
}

/** Returns the content of the message. Throws if the signature is wrong. */
export function verifyMessage({ body, headers }: Message, secret: string): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>); // each header of a delivery has one value
}

export interface NewKey {
  key: { id: string };
  token: string;
}

export interface AppWithEndpoint {
  page: Page;
  complaints: string[];
  /** The address of the app's webhooks page. */
  webhooksUrl: string;
  hookUrl: string;
  endpointId: string;
  /** The endpoint's known signing secrets. */
  secrets: string[];
  receiver: { answering: number };
  /** The received messages, oldest first. */
  messages: Message[];
  /** Reads from the management API, below the app's path. */
  read<Body>(path: string): Promise<Body>;
  /** Sends to the management API, below the app's path. */
  post<Body>(path: string, body: object): Promise<Body>;
  /** Waits for the first message with this text. */
  arrived(text: string): Promise<Message>;
  /** Returns the first message that was redelivered by hand. */
  redelivered(): Message;
  /** Waits for a delivery to the endpoint in this status and returns the newest. */
  findDelivery(status: string): Promise<{ id: string }>;
  ticket(subject: string): Promise<Answer<{ id: string }>>;
  /** Generates another key of the app, which reads servers and creates tickets. */
  makeKey(name: string): Promise<NewKey>;
  /** Triggers an event of an object, with the change that causes it. */
  trigger(type: string, objectId: string): Promise<Answer<{ id: string }>>;
  close(): void;
}

/** Completes the owner's first visit, which ends on the page of the demo's app. */
export async function signIn(
  page: Page,
  instance: SlipwayInstance,
  link: string,
): Promise<{ cookie: string; organisationId: string; appId: string }> {
  await page.goto(`${instance.consoleUrl}/sign-in#link=${link}`);
  await page.getByRole('button', { name: 'Sign in as the owner' }).click();
  await page.getByLabel('New password').fill('a long sentence is a good one');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('link', { name: 'Demo app' }).click();
  await page.waitForURL(/\/overview$/);
  const cookies = await page.context().cookies();
  const idOf = (pattern: RegExp): string => pattern.exec(page.url())?.[0] ?? '';
  return {
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    organisationId: idOf(/org_\w+/),
    appId: idOf(/app_\w+/),
  };
}

async function startReceiver(receiver: AppWithEndpoint['receiver'], messages: Message[]) {
  const port = await freePort();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    messages.push({ body: Buffer.concat(chunks).toString(), headers: request.headers });
    response.writeHead(receiver.answering, { 'x-receiver': 'careless' }).end('<b>seen</b>');
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { host: `127.0.0.1:${port}`, close: () => server.close() };
}

/** Starts everything in `instance` and `browser`, which the caller closes. */
export async function startAppWithEndpoint(
  instance: SlipwayInstance,
  browser: Browser,
  inputs: Record<string, unknown>,
): Promise<AppWithEndpoint> {
  const messages: Message[] = [];
  const receiver = { answering: 204 };
  const { host, close } = await startReceiver(receiver, messages);
  const hookUrl = `http://${host}/hooks`;
  await instance.start({ SLIPWAY_WEBHOOK_ALLOW_HOSTS: host }).ready;
  const { link, key = '' } = readNote(instance); // deleted by the first visit
  const { page, complaints } = await visit(browser);
  const { cookie, organisationId, appId } = await signIn(page, instance, link);

  const app = `${instance.consoleUrl}/api/sandbox/organisations/${organisationId}/apps/${appId}`;
  const read = async <Body>(path: string): Promise<Body> => (await ask<Body>(app + path, { headers: { cookie } })).body;
  const post = async <Body>(path: string, body: object): Promise<Body> =>
    (await send<Body>(app + path, body, { cookie })).body;
  const keyId = (await read<{ data: { id: string }[] }>('/keys')).data[0]?.id;
  const input = { url: hookUrl, keyId, ...inputs };
  const made = await post<{ endpoint: { id: string }; signingSecret: string }>('/endpoints', input);
  const serverId = await firstServerId(instance, key);
  return {
    page,
    complaints,
    webhooksUrl: `${instance.consoleUrl}/sandbox/${organisationId}/apps/${appId}/webhooks`,
    hookUrl,
    endpointId: made.endpoint.id,
    secrets: [made.signingSecret],
    receiver,
    messages,
    read,
    post,
    arrived: (text) => until(() => messages.find(({ body }) => body.includes(text))),
    redelivered() {
      const found = messages.find(({ headers }) => headers['slipway-trigger'] === 'manual');
      if (!found) throw new Error('Nothing was redelivered.');
      return found;
    },
    findDelivery: (status) =>
      until(async () => {
        const path = `/deliveries?endpointId=${made.endpoint.id}&status=${status}`;
        return (await read<{ data: { id: string }[] }>(path)).data[0];
      }),
    ticket: (subject) => createTicket(instance, key, { serverId, subject, idempotencyKey: subject }),
    makeKey: (name) => post<NewKey>('/keys', { name, scopes: ['servers:read', 'tickets:create'], expiresInDays: 7 }),
    trigger: (type, objectId) => send(`${app}/world/events`, { type, objectId }, { cookie }),
    close,
  };
}

// Secrets that somebody sends to the wrong place, spelt in thirteen ways, through every operation of both APIs: none is in a
// table of either database, or in what is logged. (What members write into their own objects is theirs.)
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { inject, type Response } from 'light-my-request';
import { stdSerializers } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandboxApi, publicOperations } from '../src/api.ts';
import { consoleOperations } from '../src/console.ts';
import { keepHouse } from '../src/features/housekeeping/index.ts';
import { startConsole, type TestConsole, type Visitor } from './console-app.ts';
import { contentsOf } from './database-contents.ts';

const PASSWORD = 'Maren&Jens gehen <heute> baden! 4711';

/** Spellings of a secret. */
const SPELLINGS: Record<string, (text: string) => string> = {
  plain: (text) => text,
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64, inside another text': (text) => Buffer.from(`{"k":"${text}"}`).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex in capitals': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'each byte in percent-encoding': (text) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&'),
  'percent-encoding twice': (text) => encodeURIComponent(Buffer.from(text).toString('hex').replaceAll(/../g, '%$&')),
  'escapes of JSON': (text) => [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  'entities of HTML': (text) => [...text].map((one) => `&#${one.charCodeAt(0)};`).join(''),
  backwards: (text) => [...text].reverse().join(''),
  'UTF-16 in base64': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'gzip in base64': (text) => gzipSync(text).toString('base64'),
};

let home: TestConsole;
let api: ReturnType<typeof createSandboxApi>;
let member: Visitor;
let token: string;
/** By what they are. A service that is given none of its own secrets cannot know a foreign one: /v1 knows what it gave out. */
let ofApi: Record<string, string>;
let ofConsole: Record<string, string>;
const logged: unknown[] = [];
const log = (error: unknown): void => {
  logged.push(error);
};

beforeAll(async () => {
  home = await startConsole('local', { onInternalError: log });
  await keepHouse(home.plane.worker);
  const { plane, recorder } = home.plane;
  api = createSandboxApi(plane, { recorder, trustedProxies: [], onInternalError: log });
  await api.ready();
  member = (await home.newPerson()).visitor;
  await member.call('PUT', '/api/password', { password: PASSWORD });
  const organisation = await member.call<{ id: string }>('POST', '/api/organisations', { name: 'Canaries' });
  const apps = `/api/sandbox/organisations/${organisation.body.id}/apps`;
  const app = await member.call<{ id: string }>('POST', apps, { name: 'Bridge' });
  const wish = { name: 'A key', preset: 'everything', expiresInDays: 1 };
  const made = await member.call<{ key: { id: string }; token: string }>('POST', `${apps}/${app.body.id}/keys`, wish);
  token = made.body.token;
  const endpoint = { url: 'http://127.0.0.1:1/hooks', keyId: made.body.key.id, eventTypes: ['ticket.created'] };
  const hook = await member.call<{ signingSecret: string }>('POST', `${apps}/${app.body.id}/endpoints`, endpoint);
  ofApi = { key: token, 'signing secret': hook.body.signingSecret };
  const session = decodeURIComponent(member.cookie.replace(/^[^=]*=/, ''));
  ofConsole = { ...ofApi, password: PASSWORD, 'session token': session };
});
afterAll(async () => {
  await api.close();
  await home.close();
});

interface Send {
  method: string;
  path: string;
  body?: string;
  headers: Record<string, string>;
}

const inHeader = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 2_000);

/** Where a request may hold what does not belong there. None of these is taken, so nothing of them is anybody's own data. */
function misplaced(operation: { method: string; path: string; body?: unknown }, text: string): Send[] {
  const { method, path } = operation;
  const known = path.replaceAll(/\{\w+\}/g, 'x');
  const encoded = encodeURIComponent(text);
  const headers = {
    'user-agent': inHeader(text),
    'idempotency-key': inHeader(text).slice(0, 255),
    'x-mine': inHeader(text),
  };
  return [
    { method, path: `${known}?${encoded}=${encoded}`, headers },
    { method, path: `${path.replaceAll(/\{\w+\}/g, encoded)}?${encoded}`, headers },
    ...(operation.body === undefined
      ? []
      : [{ method, path: `${known}?x=1`, headers, body: JSON.stringify({ [text]: text, a: [text] }) }]),
  ];
}

function ask({ method, path, headers, body }: Send): Promise<Response> {
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  return inject((request, reply) => void api.routing(request, reply), {
    method: method as 'GET',
    url: path,
    headers: { ...headers, ...type, authorization: `Bearer ${token}` },
    ...(body !== undefined && { payload: body }),
  });
}

/** The lines with the middle of a spelling: what is cut, or stands in another text, is found too. */
function found(contents: string, secrets: Record<string, string>): string[] {
  const lines = contents.split('\n');
  return Object.entries(secrets).flatMap(([what, secret]) =>
    Object.entries(SPELLINGS).flatMap(([how, spell]) => {
      const whole = spell(secret);
      const middle = whole.slice(Math.floor(whole.length * 0.4), Math.floor(whole.length * 0.4) + 24);
      return lines.filter((line) => line.includes(middle)).map((line) => `${what}, ${how}: ${line.slice(0, 300)}`);
    }),
  );
}

const inLog = (): string =>
  logged.map((one) => `${inspect(one, { depth: 9 })} ${JSON.stringify(stdSerializers.err(one as Error))}`).join('\n');

/** Each operation with a part of the spellings, and over all operations each spelling. */
function spread<T>(operations: readonly T[], every: number): [T, (text: string) => string][] {
  return operations.flatMap((operation, index) =>
    Object.values(SPELLINGS).flatMap((spell, at): [T, (text: string) => string][] =>
      (index + at) % every === 0 ? [[operation, spell]] : [],
    ),
  );
}

async function all<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let item = left.pop(); item !== undefined; item = left.pop()) await run(item);
    }),
  );
}

test('/v1 keeps and logs no key and no signing secret, however it is spelt and wherever it is put', async () => {
  const sends = Object.values(ofApi).flatMap((secret) =>
    spread(publicOperations, 4).flatMap(([one, spell]) => misplaced(one, spell(secret))),
  );
  await all(sends, async (send) => {
    const { statusCode } = await ask(send);
    if (statusCode < 300 && send.method !== 'GET') throw new Error(`${send.method} ${send.path} was taken`);
  });
  const { superuser } = home.plane.database;
  const records = await superuser.query<{ count: number }>('select count(*)::int as count from request_records');
  expect(records.rows[0]?.count).toBeGreaterThan(sends.length / 2);
  expect(found(await contentsOf(superuser), ofApi)).toEqual([]);
});

test('the Console and the planes behind it keep and log no key, signing secret, password or session token', async () => {
  const sends = Object.values(ofConsole).flatMap((secret) =>
    spread(consoleOperations([]), 26).flatMap(([one, spell]) => misplaced(one, spell(secret))),
  );
  await all(sends, async ({ method, path, body, headers }) => {
    const parsed: unknown = body === undefined ? undefined : JSON.parse(body);
    await member.call(method, path, parsed, headers);
  });
  const wrong = Object.values(SPELLINGS)
    .slice(0, 3)
    .map((spell) => ({
      email: 'person1@example.org',
      password: spell(`${PASSWORD}!`),
    }));
  await all(wrong, (body) => home.newVisitor().call('POST', '/api/session', body));
  expect((await member.call('GET', '/api/session')).status).toBe(200);
  for (const { superuser } of [home.database, home.plane.database]) {
    expect(found(await contentsOf(superuser), ofConsole)).toEqual([]);
  }
});

test('what breaks inside is logged without what was sent', async () => {
  const { superuser } = home.plane.database;
  logged.length = 0;
  await superuser.query('alter table servers rename to servers_gone');
  for (const spell of Object.values(SPELLINGS)) {
    const headers = { 'user-agent': inHeader(spell(token)), 'idempotency-key': inHeader(spell(token)).slice(0, 255) };
    expect((await ask({ method: 'GET', path: '/v1/servers', headers })).statusCode).toBe(500);
  }
  await superuser.query('alter table servers_gone rename to servers');
  expect(logged.length).toBeGreaterThan(0);
  expect(found(inLog(), ofConsole)).toEqual([]);
  expect(found(await contentsOf(superuser), ofApi)).toEqual([]);
});

// Misplaced secrets in twenty spellings, through every operation of both APIs: no table of either database and no log
// contains one. Text that members store in their own objects is theirs and not checked.
import { inspect } from 'node:util';
import { inject, type Response } from 'light-my-request';
import { stdSerializers } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consoleOperations } from '../src/listeners/console.ts';
import { createSandboxApi, publicOperations } from '../src/listeners/sandbox-api.ts';
import { startConsole, type TestConsole, type TestVisitor } from './console-app.ts';
import { contentsOf } from './database-contents.ts';
import {
  CANARY,
  CANARY_OF_LETTERS,
  findSpellings,
  type MisplacedRequest,
  placeInFreeText,
  placeText,
  SPELLINGS,
  toHeaderValue,
  withCanary,
} from './misplaced-secrets.ts';

const PASSWORD = 'Maren&Jens gehen <heute> baden! 4711';

let home: TestConsole;
let api: ReturnType<typeof createSandboxApi>;
let member: TestVisitor;
let token: string;
let appPath: string;
let serverId: string;
/** Secrets by kind. A service recognises only secrets that it issued: /v1 knows those of its own plane. */
let ofApi: Record<string, string>;
let ofConsole: Record<string, string>;
const logged: unknown[] = [];
const log = (error: unknown): void => {
  logged.push(error);
};

beforeAll(async () => {
  home = await startConsole('local', { hasProductionHash: true, onInternalError: log });
  const { plane, recorder } = home.plane;
  const captures = home.captures.queue;
  api = createSandboxApi(plane, { recorder, captures, trustedProxies: ['127.0.0.1/32'], onInternalError: log });
  await api.ready();
  member = (await home.newPerson()).visitor;
  await member.call('PUT', '/api/password', { password: PASSWORD });
  const organisation = await member.call<{ id: string }>('POST', '/api/organisations', { name: 'Canaries' });
  const apps = `/api/sandbox/organisations/${organisation.body.id}/apps`;
  const app = await member.call<{ id: string }>('POST', apps, { name: 'Bridge' });
  await member.call('PATCH', `${apps}/${app.body.id}`, { capturesBodies: true });
  const input = { name: 'A key', preset: 'everything', expiresInDays: 1 };
  const createKey = () =>
    member.call<{ key: { id: string }; token: string }>('POST', `${apps}/${app.body.id}/keys`, input);
  const [created, second] = [await createKey(), await createKey()];
  token = created.body.token;
  const keyIds = [created.body.key.id, second.body.key.id];
  const endpoint = { url: 'http://127.0.0.1:1/hooks', keyIds, eventTypes: ['ticket.created'] };
  const hook = await member.call<{ signingSecret: string }>('POST', `${apps}/${app.body.id}/endpoints`, endpoint);
  appPath = `${apps}/${app.body.id}`;
  const servers = await member.call<{ data: { serverId: string }[] }>('GET', `${appPath}/installations`);
  serverId = servers.body.data[0]?.serverId ?? '';
  ofApi = { key: token, 'second key of the endpoint': second.body.token, 'signing secret': hook.body.signingSecret };
  const session = decodeURIComponent(member.cookie.replace(/^[^=]*=/, ''));
  ofConsole = { ...ofApi, password: PASSWORD, 'session token': session };
});
afterAll(async () => {
  await api.close();
  await home.close();
});

function ask({ method, path, headers, body }: MisplacedRequest): Promise<Response> {
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  return inject((request, reply) => void api.routing(request, reply), {
    method: method as 'GET',
    url: path,
    headers: { ...type, authorization: `Bearer ${token}`, ...headers },
    ...(body !== undefined && { payload: body }),
  });
}

const inLog = (): string =>
  logged.map((one) => `${inspect(one, { depth: 9 })} ${JSON.stringify(stdSerializers.err(one as Error))}`).join('\n');

/** Pairs each operation with some of the spellings, and covers every spelling over all operations. */
function spread<T>(operations: readonly T[], every: number): [T, (text: string) => string][] {
  return operations.flatMap((operation, index) =>
    Object.values(SPELLINGS).flatMap((spell, at): [T, (text: string) => string][] =>
      (index + at) % every === 0 ? [[operation, spell]] : [],
    ),
  );
}

async function all<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  const remaining = [...items];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let item = remaining.pop(); item !== undefined; item = remaining.pop()) await run(item);
    }),
  );
}

test('/v1 stores and logs no key and no signing secret in any spelling and place', async () => {
  const sends = Object.values(ofApi).flatMap((secret) => [
    ...spread(publicOperations, 6).flatMap(([one, spell]) => placeText(one, spell(secret))),
    ...Object.values(SPELLINGS).flatMap((spell) => placeInFreeText(serverId, spell(secret))),
  ]);
  await all(sends, async (send) => {
    const { statusCode } = await ask(send);
    if (statusCode < 300 && send.method !== 'GET') throw new Error(`${send.method} ${send.path} was taken`);
  });
  const { superuser } = home.plane.database;
  const records = await superuser.query<{ count: number }>('select count(*)::int as count from request_records');
  expect(records.rows[0]?.count).toBeGreaterThan(sends.length / 2);
  expect(findSpellings(await contentsOf(superuser), ofApi)).toEqual([]);
});

// The spellings that `redactKeys` knows: others are free text, which a capture keeps.
const MASKED_SPELLINGS = Object.values(SPELLINGS).slice(0, 13);

test('a capture has no key and no signing secret, in no spelling that the masking knows', async () => {
  const requestIds: string[] = [];
  const sends = Object.values(ofApi).flatMap((secret) => MASKED_SPELLINGS.map((spell) => spell(secret)));
  await all(sends, async (text) => {
    const { headers } = await ask({
      method: 'POST',
      path: `/v1/servers/${serverId}/tickets`,
      headers: { 'user-agent': toHeaderValue(text), 'x-mine': toHeaderValue(text), cookie: toHeaderValue(text) },
      body: JSON.stringify({ subject: text, body: `My key is ${text}, which fails.`, [text]: text, labels: [text] }),
    });
    requestIds.push(String(headers['request-id']));
  });
  await home.captures.queue?.flush();
  const opened: string[] = [];
  for (const id of requestIds) {
    const revealed = await member.call<{ request: { body: string } }>(
      'POST',
      `${appPath}/requests/${id}/capture/reveal`,
    );
    expect([revealed.status, revealed.body.request.body]).toEqual([200, expect.stringContaining('[secret]')]);
    opened.push(revealed.text, revealed.text.replaceAll('\\\\', '\\'));
  }
  expect(findSpellings(opened.join('\n'), ofApi)).toEqual([]);
});

/** Returns the text of the Inspector about the app's latest requests, each in full, and of its exports. */
async function shown(count: number): Promise<string> {
  const list = await member.call<{ data: { id: string }[] }>('GET', `${appPath}/requests?limit=${count}`);
  const places = list.body.data.flatMap(({ id }) => [`requests/${id}`, `requests/${id}/snippets`]);
  const paths = [...places, 'requests.csv', 'requests.ndjson'];
  const each = await Promise.all(paths.map((path) => member.call('GET', `${appPath}/${path}`)));
  expect(each.map(({ status }) => status)).toEqual(paths.map(() => 200));
  return [list, ...each].map(({ text }) => text).join('\n');
}

/**
 * Returns requests with a canary of letters. A user agent is left out, because it keeps two product names of letters.
 */
const withLetters = (): MisplacedRequest[] =>
  withCanary(serverId, CANARY_OF_LETTERS).map(({ headers: { 'user-agent': _, ...headers }, ...send }) => ({
    ...send,
    headers,
  }));

test.each([
  ['text', CANARY, () => withCanary(serverId, CANARY)],
  ['text of letters', CANARY_OF_LETTERS, withLetters],
])('%s in a place that the contract does not define is neither stored nor shown nor logged', async (_, canary, make) => {
  logged.length = 0;
  const sends = make();
  const wrongKey = { method: 'GET', path: `/v1/${canary}?${canary}`, headers: { authorization: `Bearer ${canary}` } };
  const noPath = { method: 'GET', path: `/v1/%zz${canary}`, headers: {} };
  await all([...sends, wrongKey, noPath], async (send) => {
    const { statusCode } = await ask(send);
    if (statusCode < 300 && send.method !== 'GET') throw new Error(`${send.method} ${send.path} was taken`);
  });
  const { superuser } = home.plane.database;
  const { rows } = await superuser.query<{ count: number }>(
    "select count(*)::int as count from request_records where at > now() - interval '1 minute' and error_context is not null",
  );
  expect(rows[0]?.count).toBeGreaterThan(sends.length / 2);
  await home.captures.queue?.flush();
  const kept = `${await contentsOf(superuser)}\n${await shown(sends.length)}\n${inLog()}`.toLowerCase();
  expect(kept.split('\n').filter((line) => line.includes(canary.toLowerCase()))).toEqual([]);
});

test('the Console and its planes store and log no key, signing secret, password or session token', async () => {
  const sends = Object.values(ofConsole).flatMap((secret) =>
    spread(consoleOperations([]), 40).flatMap(([one, spell]) => placeText(one, spell(secret))),
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
    expect(findSpellings(await contentsOf(superuser), ofConsole)).toEqual([]);
  }
});

test('an internal error is logged without the content of the request', async () => {
  const { superuser } = home.plane.database;
  logged.length = 0;
  await superuser.query('alter table servers rename to servers_gone');
  for (const spell of Object.values(SPELLINGS)) {
    const headers = {
      'user-agent': toHeaderValue(spell(token)),
      'idempotency-key': toHeaderValue(spell(token)).slice(0, 255),
    };
    expect((await ask({ method: 'GET', path: '/v1/servers', headers })).statusCode).toBe(500);
  }
  await superuser.query('alter table servers_gone rename to servers');
  expect(logged.length).toBeGreaterThan(0);
  expect(findSpellings(inLog(), ofConsole)).toEqual([]);
  expect(findSpellings(await contentsOf(superuser), ofApi)).toEqual([]);
});

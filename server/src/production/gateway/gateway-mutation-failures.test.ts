// A mutation to an upstream API that breaks off, never ends, fails or answers wrongly. It is sent once and its outcome
// is reported as unknown. A repeat must wait until a request under the same key has a response.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, json } from '../../../test/app.ts';
import {
  CANARY,
  endlessEarlyHints,
  type ResponseOverride,
  raw,
  respondWith,
  respondWithoutEnd,
  truncatedResponse,
} from '../../../test/invalid-upstream-responses.fixture.ts';
import { type LiveApp, type Production, startProduction } from '../../../test/production.fixture.ts';
import { type ReferenceUpstream, startReferenceUpstream } from '../../../test/reference-upstream.ts';
import { DatabaseUnavailable } from '../../kit/db/db-errors.ts';

const DEADLINE_MS = 1_200;

let upstream: ReferenceUpstream;
let production: Production;
let app: LiveApp;
let token: string;
let server: string;
/** Outcomes that could not be stored: the error and the request. */
const unstored: [unknown, string][] = [];
beforeAll(async () => {
  upstream = await startReferenceUpstream();
  // Another test covers the circuit breaker.
  const breaker = { failures: 1_000_000, pauseMs: 1 };
  const bounds = { deadlineMs: DEADLINE_MS, maxResponseBytes: 200_000, breaker };
  const onUnstoredOutcome = (...report: [unknown, string]): void => void unstored.push(report);
  production = await startProduction({}, { url: upstream.url, onUnstoredOutcome, ...bounds });
  app = await production.newApp();
  server = upstream.serverIds[0] ?? '';
  await app.install(server);
  token = (await app.key()).token;
});
afterAll(async () => {
  await production.close();
  await upstream.close();
});

const create = (key: string): Promise<Answer> => {
  const init = json({ subject: 'Cannot join', body: 'Since this morning.' });
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  return production.call(`/v1/servers/${server}/tickets`, token, { ...init, headers });
};
const posts = () => upstream.requests.filter(({ method }) => method === 'POST');
const LOST = [504, 'timeout'] as const;
const INVALID = [502, 'upstream_invalid'] as const;

const FAILURES: [title: string, override: ResponseOverride, expected: readonly [number, string]][] = [
  ['a 201 without an end', respondWithoutEnd(201), LOST],
  ['a 500 without an end', respondWithoutEnd(500), LOST],
  ['no response', () => {}, LOST],
  ['no response, then the end', raw(''), LOST],
  ['no response, then a reset', raw('', 'destroy'), LOST],
  ['a truncated head', raw('HTTP/1.1 201 C', 'leave'), LOST],
  ['a truncated head, then the end', raw('HTTP/1.1 201 C'), LOST],
  ['a truncated body without an end', truncatedResponse('201 Created', 'leave'), LOST],
  ['a truncated body, then the end', truncatedResponse('201 Created', 'end'), LOST],
  ['a truncated body, then a reset', truncatedResponse('201 Created', 'destroy'), LOST],
  ['a truncated 404, then the end', truncatedResponse('404 Not Found', 'end'), LOST],
  ['a response that is not HTTP', raw(`${CANARY}\r\n\r\n`), LOST],
  ['endless early hints', endlessEarlyHints, LOST],
  [
    'a change of protocol',
    raw('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', 'leave'),
    LOST,
  ],
  ['status 500', respondWith(500, CANARY), LOST],
  ['status 502', respondWith(502, CANARY), LOST],
  ['status 503', respondWith(503, CANARY), [503, 'unavailable']],
  ['status 504', respondWith(504, CANARY), LOST],
  ['status 200', respondWith(200, '{}'), INVALID],
  ['status 204', respondWith(204, ''), INVALID],
  ['a redirect', respondWith(307, '', { location: '/v1/elsewhere' }), INVALID],
  ['an object that is not a ticket', respondWith(201, `{"id":"${CANARY}"}`), INVALID],
  ['text', respondWith(201, CANARY, { 'content-type': 'text/plain' }), INVALID],
];

test.each(
  FAILURES,
)('after the upstream response “%s” a mutation was sent once, repeats wait, and the key gets one response', async (title, override, expected) => {
  const sentBefore = posts().length;
  const acts = upstream.mutations.tickets;
  upstream.respond = override;
  const lost = await create(title);
  expect([lost.status, lost.body.code]).toEqual(expected);
  expect(lost.text + JSON.stringify([production.errors, production.failures])).not.toContain(CANARY);
  expect(await production.waitFor(app, '1 minute')).toBe(1);
  const early = await create(title);
  expect([early.status, early.body.code, early.headers.get('retry-after')]).toEqual([
    409,
    'idempotency_in_progress',
    '1',
  ]);
  expect(posts().length - sentBefore).toBe(1);
  // A 429 says nothing about the first request.
  upstream.respond = respondWith(429, '{}');
  await production.waitFor(app, '0');
  expect((await create(title)).status).toBe(429);
  expect(await production.waitFor(app, '1 minute')).toBe(1);
  expect((await create(title)).body.code).toBe('idempotency_in_progress');
  upstream.respond = undefined;
  await production.waitFor(app, '0');
  const made = await create(title);
  const replayed = await create(title);
  expect([made.status, replayed.body, replayed.headers.get('idempotent-replayed')]).toEqual([201, made.body, 'true']);
  const keys = posts()
    .slice(sentBefore)
    .map(({ headers }) => headers['idempotency-key']);
  expect([keys.length, new Set(keys).size, upstream.mutations.tickets - acts]).toEqual([3, 1, 1]);
});

/**
 * Runs `fail` after each transaction that holds the access while a mutation is sent: these are the ones that run once.
 */
async function afterSending<T>(fail: () => void, run: () => Promise<T>): Promise<T> {
  const { mutations } = production.plane;
  const { runAlone } = mutations;
  mutations.runAlone = async (appId, work, options) => {
    const outcome = await runAlone(appId, work, options);
    if (options?.isOnce) fail();
    return outcome;
  };
  try {
    return await run();
  } finally {
    mutations.runAlone = runAlone;
  }
}

test('a database that fails after a mutation was sent does not hide the response', async () => {
  const sent = posts().length;
  const key = 'the commit failed';
  const made = await afterSending(
    () => {
      throw new DatabaseUnavailable('The connection was lost at the commit.');
    },
    () => create(key),
  );
  expect([made.status, posts().length - sent]).toEqual([201, 1]);
  expect(await production.waitFor(app, '0')).toBe(0);
  expect((await create(key)).headers.get('idempotent-replayed')).toBe('true');
});

test('an outcome that cannot be stored is reported, and a repeat gets the same ticket', async () => {
  const { api } = production.plane.db;
  const { transaction } = api;
  const key = 'the outcome was not stored';
  const lost = new DatabaseUnavailable('The connection was lost.');
  let made: Answer;
  try {
    made = await afterSending(
      () => {
        api.transaction = () => Promise.reject(lost);
      },
      () => create(key),
    );
  } finally {
    api.transaction = transaction;
  }
  expect([made.status, unstored]).toEqual([201, [[lost, made.headers.get('request-id')]]]);
  expect(await production.waitFor(app, '0')).toBe(1);
  expect((await create(key)).body).toEqual(made.body);
  expect(await production.waitFor(app, '0')).toBe(0);
});

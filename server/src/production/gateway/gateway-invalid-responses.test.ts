// An upstream API that is slow, broken or wrong: the client gets the right problem within the deadline, in Slipway's
// own words.
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../../test/app.ts';
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
import { toId } from '../../kit/crypto/ids.ts';

const DEADLINE_MS = 1_500;
const SOME = '01920000-0000-7000-8000-000000000000';

let upstream: ReferenceUpstream;
let production: Production;
let app: LiveApp;
let token: string;
let server: string;
beforeAll(async () => {
  upstream = await startReferenceUpstream();
  // Other tests cover the circuit breaker.
  const breaker = { failures: 1_000_000, pauseMs: 1 };
  const bounds = { deadlineMs: DEADLINE_MS, maxResponseBytes: 200_000, breaker };
  production = await startProduction({}, { url: upstream.url, ...bounds });
  app = await production.newApp();
  for (const serverId of upstream.serverIds) await app.install(serverId);
  token = (await app.key()).token;
  server = upstream.serverIds[0] ?? '';
});
afterEach(() => {
  Object.assign(upstream, { respond: undefined, before: undefined, losesResponses: false });
});
afterAll(async () => {
  await production.close();
  await upstream.close();
});

/** Builds the body per request, because the server is known only then. */
const respondWithBody =
  (body: () => unknown): ResponseOverride =>
  (request, response, text) =>
    respondWith(200, JSON.stringify(body()))(request, response, text);
const good = { name: CANARY, slug: 's', description: '', iconUrl: '', locale: 'en', timezone: 'UTC', memberCount: 1 };
const serverOf = (changes: object): object => ({
  id: server,
  ...good,
  createdAt: '2026-10-01T08:00:00.000Z',
  ...changes,
});

/** A valid response with other headers or another status. */
const validResponse =
  (headers: Record<string, string>, status = 200): ResponseOverride =>
  (request, response, text) =>
    respondWith(status, JSON.stringify(serverOf({})), headers)(request, response, text);

const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';

const INVALID_RESPONSES: [
  title: string,
  override: ResponseOverride,
  status: number,
  code: string,
  kind: string | undefined,
][] = [
  ['an additional field', respondWithBody(() => serverOf({ secret: CANARY })), 502, 'upstream_invalid', 'form'],
  [
    'a field with the name __proto__',
    (request, response, text) =>
      respondWith(200, JSON.stringify(serverOf({})).replace('{', '{"__proto__":{"admin":true},'))(
        request,
        response,
        text,
      ),
    502,
    'upstream_invalid',
    'form',
  ],
  ['a missing field', respondWithBody(() => ({ ...serverOf({}), name: undefined })), 502, 'upstream_invalid', 'form'],
  ['a number in place of text', respondWithBody(() => serverOf({ name: 7 })), 502, 'upstream_invalid', 'form'],
  ['another server', respondWithBody(() => serverOf({ id: toId('srv', SOME) })), 502, 'upstream_invalid', 'form'],
  ['a list', respondWithBody(() => [serverOf({})]), 502, 'upstream_invalid', 'form'],
  ['null', respondWithBody(() => null), 502, 'upstream_invalid', 'form'],
  ['text', respondWith(200, CANARY, { 'content-type': 'text/plain' }), 502, 'upstream_invalid', 'form'],
  ['JSON with the media type of HTML', validResponse({ 'content-type': 'text/html' }), 502, 'upstream_invalid', 'form'],
  ['truncated JSON', respondWith(200, `{"id":"${CANARY}`), 502, 'upstream_invalid', 'form'],
  ['invalid UTF-8', respondWith(200, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])), 502, 'upstream_invalid', 'form'],
  [
    'JSON that is nested too deeply',
    respondWith(200, '['.repeat(90_000) + ']'.repeat(90_000)),
    502,
    'upstream_invalid',
    'form',
  ],
  [
    'compressed content',
    respondWith(200, gzipSync(Buffer.alloc(50_000_000)), { 'content-encoding': 'gzip' }),
    502,
    'upstream_invalid',
    'form',
  ],
  ['status 204', respondWith(204, ''), 502, 'upstream_invalid', 'status'],
  ['status 201', validResponse({}, 201), 502, 'upstream_invalid', 'status'],
  ['a redirect', respondWith(302, '', { location: 'http://127.0.0.1:1/' }), 502, 'upstream_invalid', 'status'],
  ['status 401', respondWith(401, CANARY), 502, 'upstream_invalid', 'configuration'],
  ['status 403', respondWith(403, CANARY), 502, 'upstream_invalid', 'configuration'],
  ['status 500', respondWith(500, CANARY), 502, 'upstream_invalid', 'status'],
  ['status 503', respondWith(503, CANARY, { 'retry-after': '7' }), 503, 'unavailable', 'status'],
  ['status 429', respondWith(429, CANARY, { 'retry-after': '7' }), 429, 'rate_limited', undefined],
  ['status 404', respondWith(404, CANARY), 404, 'not_found', undefined],
  ['a body without an end', respondWithoutEnd(200), 502, 'upstream_invalid', 'too_large'],
  ['no response', () => {}, 504, 'timeout', 'timeout'],
  ['a truncated head', raw('HTTP/1.1 200 O', 'leave'), 504, 'timeout', 'timeout'],
  ['a truncated body without an end', truncatedResponse('200 OK', 'leave'), 504, 'timeout', 'timeout'],
  ['a truncated body, then the end', truncatedResponse('200 OK', 'end'), 502, 'upstream_invalid', 'broken'],
  ['a truncated body, then a reset', truncatedResponse('200 OK', 'destroy'), 502, 'upstream_invalid', 'broken'],
  ['a response that is not HTTP', raw(`${CANARY}\r\n\r\n`), 502, 'upstream_invalid', 'broken'],
  ['endless early hints', endlessEarlyHints, 504, 'timeout', 'timeout'],
  ['a change of protocol', raw(UPGRADE, 'leave'), 502, 'upstream_invalid', 'broken'],
];

async function recordOf({
  body,
}: Answer): Promise<{ problem_code: string; error_context: { problem: { detail: string } } }> {
  const { rows } = await production.database.superuser.query(
    'select problem_code, error_context from request_records where app_id = $1 order by at desc limit 1',
    [app.uuid],
  );
  expect(body.code).toBe(rows[0]?.problem_code);
  return rows[0];
}

describe('an invalid response of the upstream API becomes a problem', () => {
  test.each(
    INVALID_RESPONSES,
  )('the upstream response “%s” becomes its problem, without upstream text', async (_title, override, status, code, kind) => {
    upstream.respond = override;
    const received = production.failures.length;
    const answer = await production.call(`/v1/servers/${server}`, token);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    const record = await recordOf(answer);
    expect(answer.text + JSON.stringify([record, production.errors, production.failures])).not.toContain(CANARY);
    if (status === 503 || status === 429) expect(answer.headers.get('retry-after')).toBe('7');
    if (kind === undefined) return;
    expect(record.error_context.problem.detail).toMatch(/^The upstream API/);
    expect(production.failures.slice(received)).toMatchObject([{ operationId: 'getServer', kind }]);
  });

  test('informational responses before the final one are ignored', async () => {
    upstream.respond = (_request, response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</x>; rel=preload' });
      respondWithBody(() => serverOf({}))(_request, response, '');
    };
    expect((await production.call(`/v1/servers/${server}`, token)).status).toBe(200);
  });

  test('a response without a request is not used for the next request', async () => {
    const one = (name: string): string => {
      const body = JSON.stringify(serverOf({ name }));
      return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    };
    for (const _ of [1, 2, 3]) {
      upstream.respond = raw(one('Asked for') + one('Not asked for'), 'leave');
      const first = await production.call(`/v1/servers/${server}`, token);
      upstream.respond = undefined;
      const next = await production.call(`/v1/servers/${server}`, token);
      expect([first.status, first.body.name, next.status]).toEqual([200, 'Asked for', 200]);
      expect(next.body.name).toMatch(/^Harbour/);
    }
  });

  test.each<[string, () => object]>([
    ['of objects of another kind', () => ({ data: [{ ...serverOf({}), id: toId('pub', SOME) }], nextCursor: null })],
    ['with more objects than the limit', () => ({ data: [serverOf({}), serverOf({})], nextCursor: null })],
    ['with an invalid server', () => ({ data: [serverOf({ name: 7 })], nextCursor: null })],
    ['with a cursor that is too long', () => ({ data: [serverOf({})], nextCursor: 'x'.repeat(301) })],
    ['with a number as the cursor', () => ({ data: [serverOf({})], nextCursor: 7 })],
    ['without a cursor', () => ({ data: [serverOf({})] })],
    ['with an object in place of the array', () => ({ data: {}, nextCursor: null })],
  ])('a list %s is refused with 502', async (_title, body) => {
    upstream.respond = respondWithBody(body);
    const answer = await production.call('/v1/servers?limit=1', token);
    expect([answer.status, answer.body.code]).toEqual([502, 'upstream_invalid']);
  });

  test('a 404 for the list of servers becomes a 502', async () => {
    upstream.respond = respondWith(404, CANARY);
    const answer = await production.call('/v1/servers', token);
    expect([answer.status, answer.body.code]).toEqual([502, 'upstream_invalid']);
  });

  test('a publication of a server without a grant is not found', async () => {
    const foreign = toId('srv', SOME);
    const id = upstream.objects.publication(server);
    upstream.respond = async (_request, response) => {
      const publication = {
        id,
        serverId: foreign,
        channel: 'c',
        title: CANARY,
        bodyMarkdown: '',
        status: 'draft',
        author: 'a',
        tags: [],
        publishedAt: null,
        createdAt: '2026-10-01T08:00:00.000Z',
      };
      respondWithBody(() => publication)(_request, response, '');
    };
    const answer = await production.call(`/v1/publications/${id}`, token);
    expect([answer.status, answer.text.includes(CANARY)]).toEqual([404, false]);
  });
});

test('a read is repeated once if its connection broke before the response', async () => {
  let broken = 0;
  upstream.respond = (request, response) => {
    if (broken++ === 0) request.socket.destroy();
    else respondWithBody(() => serverOf({}))(request, response, '');
  };
  expect((await production.call(`/v1/servers/${server}`, token)).status).toBe(200);
  broken = 0;
  upstream.respond = (request) => {
    request.socket.destroy();
    broken += 1;
  };
  expect((await production.call(`/v1/servers/${server}`, token)).status).toBe(502);
  expect(broken).toBe(2);
});

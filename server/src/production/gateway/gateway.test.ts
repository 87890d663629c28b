// Requests to the upstream API of production: their content, the parts of responses that are left out, and the circuit
// breaker.
import { jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { type LiveApp, type Production, startProduction } from '../../../test/production.fixture.ts';
import { IDENTITY_KEY, type ReferenceUpstream, startReferenceUpstream } from '../../../test/reference-upstream.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import { type Span, setTracer } from '../../kit/telemetry/trace.ts';

let upstream: ReferenceUpstream;
let production: Production;
let app: LiveApp;
let key: { id: string; token: string };
beforeAll(async () => {
  upstream = await startReferenceUpstream({ servers: 3 });
  production = await startProduction({}, { url: upstream.url });
  app = await production.newApp();
  for (const serverId of upstream.serverIds.slice(0, 2)) await app.install(serverId);
  key = await app.key(['servers:read', 'tickets:create']);
});
afterAll(async () => {
  await production.close();
  await upstream.close();
});

const lastRequest = () => upstream.requests.at(-1) ?? { method: '', path: '', headers: {}, claims: {}, arrivedMs: 0 };

describe('requests to the upstream API', () => {
  test('a request carries a token for the caller and the server, signed for this upstream API and valid for 60 s', async () => {
    const [serverId = ''] = upstream.serverIds;
    const answer = await production.call(`/v1/servers/${serverId}`, key.token);
    expect(answer.status).toBe(200);
    const { claims, headers } = lastRequest();
    const { iat, exp, ...otherClaims } = claims as Record<string, number>;
    expect(otherClaims).toEqual({
      iss: 'slipway:production',
      aud: upstream.url,
      jti: answer.headers.get('request-id'),
      environment: 'production',
      sub: app.id,
      organisation: expect.stringMatching(/^org_/),
      key: key.id,
      scopes: ['servers:read', 'tickets:create'],
      server: serverId,
    });
    expect((exp ?? 0) - (iat ?? 0)).toBe(60);
    expect(fromId('org', String(claims.organisation))).toBe(app.organisationId);
    expect(headers['request-id']).toBe(answer.headers.get('request-id'));
    const text = String(headers.authorization).slice(7);
    const other = new TextEncoder().encode(`${IDENTITY_KEY}!`);
    await expect(jwtVerify(text, other)).rejects.toThrow();
  });

  test('a request carries the trace and no other header of the caller', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const headers = {
      cookie: 'a=b',
      'x-forwarded-for': '192.0.2.1',
      'x-own': 'x',
      'accept-language': 'de',
      traceparent,
    };
    await production.call('/v1/servers', key.token, { headers });
    expect(Object.keys(lastRequest().headers).sort()).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'host',
      'request-id',
      'traceparent',
      'user-agent',
    ]);
    expect(lastRequest().headers.traceparent).toBe(traceparent);
    await production.call('/v1/servers', key.token, { headers: { traceparent: 'nonsense' } });
    expect(lastRequest().headers.traceparent).toBeUndefined();
    expect(JSON.stringify(upstream.requests)).not.toContain('slw_live_');
  });

  test('a request carries Slipway’s trace instead of the caller’s if tracing is on', async () => {
    const ended: unknown[] = [];
    const span = (traceparent: string): Span => ({
      traceparent,
      begin: (name) => span(`${traceparent} ${name}`),
      end: (how) => void ended.push([traceparent, how]),
    });
    setTracer({ scope: 'test', begin: span, receive: ({ traceparent }) => span(`of ${traceparent}`) });
    try {
      await production.call('/v1/servers', key.token, { headers: { traceparent: 'theirs' } });
    } finally {
      setTracer(undefined);
    }
    expect(lastRequest().headers.traceparent).toBe('of theirs upstream GET');
    expect(ended).toContainEqual(['of theirs upstream GET', { attributes: { 'http.response.status_code': 200 } }]);
  });

  test('a refused request is not sent: without a key, scope or grant, or with an invalid body or cursor', async () => {
    const before = upstream.requests.length;
    const [first = '', , third = ''] = upstream.serverIds;
    const reader = await app.key(['roadmap:read']);
    const statuses = [
      await production.call(`/v1/servers/${first}`),
      await production.call(`/v1/servers/${first}`, reader.token),
      await production.call(`/v1/servers/${third}`, key.token),
      await production.call(`/v1/servers/${third}/tickets`, key.token, json({ subject: 'x', body: 'y' })),
      await production.call(`/v1/servers/${first}/tickets`, key.token, json({ subject: 7 })),
      await production.call('/v1/servers?cursor=eHl6', key.token),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 403, 404, 404, 400, 400]);
    expect(upstream.requests.length).toBe(before);
  });
});

describe('servers without a grant', () => {
  test('a list leaves out servers without a grant and shows the installation that Slipway enforces', async () => {
    const listed = await production.call<{ data: { id: string; installation: object }[] }>('/v1/servers', key.token);
    expect(listed.body.data.map(({ id }) => id)).toEqual(upstream.serverIds.slice(0, 2));
    expect(listed.body.data[0]?.installation).toMatchObject({
      id: expect.stringMatching(/^ins_/),
      state: 'authorised',
    });
  });

  test('a paused server is refused, and a resumed one allowed, from the next request on', async () => {
    const { superuser } = production.database;
    const change = (from: string, to: string) =>
      superuser.query('update installations set state = $1 where state = $2 and app_id = $3 and server_id = $4', [
        to,
        from,
        app.uuid,
        fromId('srv', upstream.serverIds[1] ?? ''),
      ]);
    const readAccess = async () => {
      const path = `/v1/servers/${upstream.serverIds[1]}`;
      const one = await production.call(path, key.token);
      const all = await production.call<{ data: unknown[] }>('/v1/servers', key.token);
      return [one.status, all.body.data.length];
    };
    expect(await readAccess()).toEqual([200, 2]);
    await change('authorised', 'paused');
    expect(await readAccess()).toEqual([403, 1]);
    await change('paused', 'authorised');
    expect(await readAccess()).toEqual([200, 2]);
  });
});

test('the circuit breaker opens after consecutive failures, lets one request try, and closes after a success', async () => {
  const broken = await startReferenceUpstream();
  const breaker = { failures: 3, pauseMs: 1_000 };
  const plane = await startProduction({}, { url: broken.url, breaker });
  try {
    const live = await plane.newApp();
    const [serverId = ''] = broken.serverIds;
    await live.install(serverId);
    const { token } = await live.key();
    const call = async () => (await plane.call(`/v1/servers/${serverId}`, token)).status;
    broken.respond = (_request, response) =>
      void response.writeHead(200, { 'content-length': '9' }).write('{', () => response.destroy());
    for (const _ of [1, 2, 3]) expect(await call()).toBe(502);
    const before = broken.requests.length;
    expect(await call()).toBe(503);
    expect(broken.requests.length).toBe(before);
    broken.respond = undefined;
    await until(async () => (await call()) === 200);
    expect(broken.requests.length).toBe(before + 1);
    // A proxy reports that the upstream API is unreachable. A failure of one request does not open the breaker.
    const answer = (status: number) => {
      broken.respond = (_request, response) => void response.writeHead(status).end();
    };
    answer(500);
    for (const _ of [1, 2, 3, 4, 5]) expect(await call()).toBe(502);
    const answers = [];
    for (const status of [502, 503, 504]) {
      answer(status);
      answers.push(await call());
    }
    expect(answers).toEqual([502, 503, 504]);
    const sentBefore = broken.requests.length;
    const open = json({ subject: 's', body: 'b' });
    const post = await plane.call(`/v1/servers/${serverId}/tickets`, token, open);
    expect([await call(), post.status, post.body.code, broken.requests.length]).toEqual([
      503,
      503,
      'unavailable',
      sentBefore,
    ]);
    broken.respond = undefined;
    await until(async () => (await call()) === 200);
    await broken.close();
    expect(await until(async () => (await call()) === 503)).toBe(true);
  } finally {
    await plane.close();
  }
});

// Reports of the upstream API. An event reaches the apps that a server grants access. A change of an installation is in
// force when the report is answered. Repeated and late reports change nothing.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, ask } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { INGEST_KEY, type LiveApp, type Production, startProduction } from '../../../test/production.fixture.ts';
import { type ReferenceUpstream, startReferenceUpstream } from '../../../test/reference-upstream.ts';
import { type Actor, signAssertion } from '../../access/authority/index.ts';
import { tickets } from '../../access/contracts/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import { createOutboundClient } from '../../kit/outbound/outbound.ts';
import { startDispatcher } from '../../webhooks/dispatch/index.ts';

let upstream: ReferenceUpstream;
let production: Production;
let receiver: Server;
let hookUrl: string;
const received: { headers: Record<string, string>; body: string }[] = [];
let stop: () => Promise<unknown>;

async function receive(request: IncomingMessage): Promise<void> {
  let body = '';
  for await (const chunk of request) body += chunk;
  received.push({ headers: request.headers as Record<string, string>, body }); // each delivery arrives once
}

beforeAll(async () => {
  receiver = createServer((request, response) => void receive(request).then(() => response.writeHead(204).end()));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`; // a TCP address
  hookUrl = `http://${host}/hooks`;
  upstream = await startReferenceUpstream();
  production = await startProduction({ webhookAllowHosts: [host] }, { url: upstream.url });
  const outbound = createOutboundClient({ allowHosts: [host], allowCidrs: [] });
  const { masterKeys } = production.plane.secrets;
  const dispatcher = await startDispatcher({
    db: production.dispatch,
    outbound,
    masterKeys,
    environment: 'production',
    log: () => {},
  });
  stop = async () => {
    await dispatcher.stop();
    await outbound.close();
  };
});
afterAll(async () => {
  await stop();
  await production.close();
  await upstream.close();
  receiver.close();
});

const report = (method: string, path: string, body: unknown, key = INGEST_KEY): Promise<Answer> =>
  ask(`${production.managementUrl}/ingest${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
const ALL = ['servers:read', 'publications:read', 'events:read', 'roadmap:read', 'tickets:create', 'workflows:run'];
const ALLOWED = { state: 'authorised', effectiveState: 'authorised' };
let version = 0;
const allow = (app: LiveApp, serverId: string, state: string, scopes: Record<string, string> = {}) => {
  version += 1;
  const grants = ALL.map((scope) => ({ scope, state: scopes[scope] ?? 'authorised' }));
  return report('PUT', `/apps/${app.id}/servers/${serverId}`, {
    version,
    serverName: 'Harbour Lights',
    state,
    scopes: grants,
  });
};

async function manage<Body>(app: LiveApp, method: string, path: string, body?: unknown): Promise<Answer<Body>> {
  const { organisationId } = app;
  const actor: Actor = {
    kind: 'person',
    personId: 'p',
    name: 'p@example.org',
    organisationId,
    role: 'owner',
    address: null,
  };
  const assertion = await signAssertion(actor, 'production', production.options.managementKey);
  return ask(`${production.managementUrl}/organisations/${toId('org', organisationId)}/apps/${app.id}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${assertion}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

const publicationOn = (serverId: string) => ({
  id: toId('pub', newUuid()),
  serverId,
  channel: 'announcements',
  title: 'A walk',
  bodyMarkdown: 'At nine.',
  status: 'published',
  author: 'Imke',
  tags: [],
  publishedAt: '2026-10-01T08:00:00.000Z',
  createdAt: '2026-10-01T08:00:00.000Z',
});

/**
 * Waits until the feed shows the wanted number of events. The feed shows an event only after all earlier transactions
 * have ended, including those of other databases.
 */
const feedOf = (token: string, wanted: number, areOfGrants = false) =>
  until(async () => {
    const { body } = await production.call<{ data: { sequence: number; type: string }[] }>('/v1/events', token);
    const matching = body.data.filter(({ type }) => type.startsWith('installation.') === areOfGrants);
    return matching.length >= wanted && matching;
  });

describe('reported events', () => {
  test('an event is delivered once and signed to each app with a grant, and to no other app', async () => {
    const [first, second, third] = await Promise.all([production.newApp(), production.newApp(), production.newApp()]);
    const [serverId = '', elsewhere = ''] = upstream.serverIds;
    await allow(first, serverId, 'authorised');
    await allow(second, serverId, 'authorised', { 'events:read': 'revoked' });
    await allow(third, elsewhere, 'authorised');
    const key = await first.key();
    const input = { url: hookUrl, keyId: key.id, eventTypes: ['publication.published'] };
    const endpoint = await manage<{ signingSecret: string }>(first, 'POST', '/endpoints', input);
    expect(endpoint.status).toBe(201);
    const data = publicationOn(serverId);
    const event = {
      id: 'platform-1',
      type: 'publication.published',
      serverId,
      occurredAt: '2026-10-02T08:00:00Z',
      data,
    };
    expect((await report('POST', '/events', event)).body).toEqual({ written: 1, known: 0 });
    expect((await report('POST', '/events', event)).body).toEqual({ written: 0, known: 1 });
    const message = await until(() => received[0]);
    const verified = new Webhook(endpoint.body.signingSecret).verify(message.body, message.headers);
    const common = {
      type: 'publication.published',
      environment: 'production',
      appId: first.id,
      serverId,
      sequence: 1,
    };
    expect(verified).toMatchObject({
      ...common,
      occurredAt: '2026-10-02T08:00:00.000Z',
      data,
      subject: { id: data.id },
    });
    await report('POST', '/events', { ...event, id: 'platform-2', type: 'publication.updated' });
    const feed = await feedOf(key.token, 2);
    expect(feed.map((one) => [one.type, one.sequence])).toEqual([
      ['publication.published', 1],
      ['publication.updated', 2],
    ]);
    expect(received.length).toBe(1);
    for (const other of [second, third])
      expect(
        (await production.call('/v1/events?type=publication.published', (await other.key()).token)).body,
      ).toMatchObject({ data: [] });
  });

  test('an event of a ticket reaches only its app, in each schema version, with the id of the causing request', async () => {
    const [app, other] = await Promise.all([production.newApp(), production.newApp()]);
    const [serverId = ''] = upstream.serverIds;
    await allow(app, serverId, 'authorised');
    await allow(other, serverId, 'authorised');
    const data = { bodyMarkdown: '', ...tickets.data['ticket.created']?.at(-1)?.example, serverId };
    const requestId = toId('req', newUuid());
    const event = { id: 'ticket-1', type: 'ticket.created', serverId, requestId, data };
    expect(await report('POST', '/events', event)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/appId' }] },
    });
    expect((await report('POST', '/events', { ...event, appId: app.id })).body.written).toBe(1);
    const { token } = await app.key();
    const old = await feedOf(token, 1);
    expect(old).toMatchObject([{ schemaVersion: 1, requestId, data: { body: data.bodyMarkdown } }]);
    const young = await production.call('/v1/events?schemaVersion=2&type=ticket.created', token);
    expect(young.body).toMatchObject({ data: [{ schemaVersion: 2, data: { bodyMarkdown: data.bodyMarkdown } }] });
    expect((await production.call('/v1/events?type=ticket.created', (await other.key()).token)).body).toMatchObject({
      data: [],
    });
  });

  test.each<[string, (serverId: string) => object, string]>([
    ['of another server', (serverId) => ({ data: publicationOn(toId('srv', newUuid())), serverId }), '/data'],
    [
      'with an additional field',
      (serverId) => ({ data: { ...publicationOn(serverId), more: 1 }, serverId }),
      '/data/more',
    ],
    [
      'with an id of another kind',
      (serverId) => ({ data: { ...publicationOn(serverId), id: serverId }, serverId }),
      '/data/id',
    ],
    ['of a type that only Slipway emits', (serverId) => ({ data: {}, serverId, type: 'installation.paused' }), '/type'],
  ])('an event %s is refused', async (title, make, pointer) => {
    const [serverId = ''] = upstream.serverIds;
    const event = { id: title, type: 'publication.published', ...make(serverId) };
    const answer = await report('POST', '/events', event);
    expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ pointer }] }]);
  });
});

describe('reported installations', () => {
  test('a reported installation is in force when the report is answered, and a late report changes nothing', async () => {
    const app = await production.newApp();
    const [serverId = ''] = upstream.serverIds;
    const { token } = await app.key();
    const codeOf = async () => (await production.call(`/v1/servers/${serverId}`, token)).body.code;
    expect(await codeOf()).toBe('not_found');
    expect((await allow(app, serverId, 'authorised')).body).toEqual({ isNews: true, ...ALLOWED });
    const staleVersion = version;
    expect(await codeOf()).toBeUndefined();
    await allow(app, serverId, 'paused');
    expect(await codeOf()).toBe('installation_paused');
    await allow(app, serverId, 'authorised', { 'servers:read': 'paused' });
    expect(await codeOf()).toBe('installation_paused');
    await allow(app, serverId, 'authorised', { 'servers:read': 'revoked' });
    expect(await codeOf()).toBe('installation_revoked');
    await allow(app, serverId, 'authorised');
    expect(await codeOf()).toBeUndefined();
    const old = { version: staleVersion, serverName: 'Old', state: 'revoked', scopes: [] };
    const answer = await report('PUT', `/apps/${app.id}/servers/${serverId}`, old);
    expect(answer.body).toEqual({ isNews: false, ...ALLOWED });
    expect(await codeOf()).toBeUndefined();
    await allow(app, serverId, 'revoked');
    expect(await codeOf()).toBe('installation_revoked');
    const listed = await manage(app, 'GET', '/installations');
    expect(listed.body).toMatchObject({
      data: [{ serverId, serverName: 'Harbour Lights', installation: { state: 'revoked' } }],
    });
    const events = await feedOf(token, 7, true);
    expect(events.map(({ type }) => type)).toEqual([
      'installation.scope_changed',
      'installation.paused',
      'installation.resumed',
      'installation.scope_changed',
      'installation.scope_changed',
      'installation.scope_changed',
      'installation.scope_changed',
    ]);
  });

  test('a pause and a revocation by the server are noticed once each, and a restriction of the organisation is not', async () => {
    const app = await production.newApp();
    const [serverId = ''] = upstream.serverIds;
    const noticed = async () =>
      (
        await production.database.superuser.query<{ kind: string; server_name: string }>(
          `select kind, server_name from notices where app_id = $1 order by notice_id`,
          [app.uuid],
        )
      ).rows;
    await app.key();
    await allow(app, serverId, 'authorised');
    for (const state of ['paused', 'authorised'])
      expect((await manage(app, 'PUT', `/servers/${serverId}/installation`, { state })).status).toBe(200);
    expect(await noticed()).toEqual([]);
    await allow(app, serverId, 'paused');
    await allow(app, serverId, 'paused');
    await allow(app, serverId, 'revoked');
    expect(await noticed()).toEqual([
      { kind: 'installation_paused', server_name: 'Harbour Lights' },
      { kind: 'installation_revoked', server_name: 'Harbour Lights' },
    ]);
  });

  test('a server that pauses an app repeatedly causes one notice an hour, and another server has its own', async () => {
    const app = await production.newApp();
    const [first = '', second = ''] = upstream.serverIds;
    const { superuser } = production.database;
    const perHour = async () =>
      (
        await superuser.query<{ count: number }>(
          `select count(*)::int as count from notices where app_id = $1
           group by server_id, date_trunc('hour', created_at) order by server_id, date_trunc('hour', created_at)`,
          [app.uuid],
        )
      ).rows.map(({ count }) => count);
    await app.key();
    for (const serverId of [first, first, first, second])
      for (const state of ['authorised', 'paused']) await allow(app, serverId, state);
    const counts = await perHour();
    expect(counts).toEqual(counts.map(() => 1));
    expect(counts.length).toBeGreaterThanOrEqual(2);
    await superuser.query(`update notices set created_at = created_at - interval '2 hours' where app_id = $1`, [
      app.uuid,
    ]);
    for (const state of ['authorised', 'paused']) await allow(app, first, state);
    expect(await perHour()).toHaveLength(counts.length + 1);
  });

  test('a report about an unknown app gets 404', async () => {
    const nobody = { id: toId('app', newUuid()) } as LiveApp; // only the id is used
    expect((await allow(nobody, upstream.serverIds[0] ?? '', 'authorised')).status).toBe(404);
  });
});

test('reports are refused without the ingest key, with another key and with the management key', async () => {
  for (const key of ['x', `${INGEST_KEY}x`, production.options.managementKey.reveal()])
    expect((await report('POST', '/events', {}, key)).status).toBe(401);
  expect((await ask(`${production.managementUrl}/ingest/events`, { method: 'POST' })).status).toBe(401);
  expect((await production.call('/ingest/events', INGEST_KEY, { method: 'POST' })).status).toBe(404);
});

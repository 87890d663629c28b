// After a restriction of the organisation in production returns, nothing that it ends is sent: neither forwarded
// mutations to the upstream API nor deliveries to receivers.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { json } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { type LiveApp, type Production, startProduction } from '../../../test/production.fixture.ts';
import { type ReferenceUpstream, startReferenceUpstream } from '../../../test/reference-upstream.ts';
import { manage, publish, restrict, state } from '../../../test/restrictions.fixture.ts';
import type { GrantState, Scope } from '../../access/authority/index.ts';
import { createOutboundClient } from '../../kit/outbound/outbound.ts';
import { startDispatcher } from '../../webhooks/dispatch/index.ts';

/** The version of a statement that a test sends twice. It is higher than those that the fixture counts. */
const REPEATED_VERSION = 1_000_000;

let upstream: ReferenceUpstream;
let production: Production;
let receiver: Server;
let hookUrl: string;
let stop: () => Promise<unknown>;
let server: string;
/** The requests that the receiver got. `isGivenUp` is true if the sender has aborted the request. */
const received: { request: IncomingMessage; response: ServerResponse; isGivenUp: boolean }[] = [];
let holds = false;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const one = { request, response, isGivenUp: false };
    received.push(one);
    response.on('close', () => {
      one.isGivenUp = !response.writableFinished;
    });
    request.resume();
    if (!holds) response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`; // the server listens on TCP
  hookUrl = `http://${host}/hooks`;
  upstream = await startReferenceUpstream();
  production = await startProduction({ webhookAllowHosts: [host] }, { url: upstream.url, connections: 1 });
  const outbound = createOutboundClient({ allowHosts: [host], allowCidrs: [] });
  const { masterKeys } = production.plane.secrets;
  const options = { db: production.dispatch, environment: 'production', outbound, masterKeys, log: () => {} } as const;
  const dispatcher = await startDispatcher(options);
  stop = async () => {
    await dispatcher.stop();
    await outbound.close();
  };
  server = upstream.serverIds[0] ?? '';
});
afterEach(() => {
  holds = false;
  received.length = 0;
  upstream.before = undefined;
});
afterAll(async () => {
  await stop();
  await production.close();
  await upstream.close();
  receiver.closeAllConnections();
  receiver.close();
});

async function installedApp(): Promise<{ app: LiveApp; token: string; keyId: string }> {
  const app = await production.newApp();
  await state(production, app, server, 'authorised');
  const { id: keyId, token } = await app.key();
  return { app, token, keyId };
}

const RESTRICTIONS: [GrantState, Scope | undefined][] = [
  ['paused', undefined],
  ['revoked', undefined],
  ['paused', 'tickets:create'],
  ['revoked', 'tickets:create'],
];

describe('a forwarded mutation', () => {
  test.each(
    RESTRICTIONS,
  )('that waits for its connection is never sent after the server or scope is %s (%s)', async (withheld, scope) => {
    const { app, token } = await installedApp();
    const held: (() => void)[] = [];
    upstream.before = () => new Promise((resolve) => void held.push(resolve));
    // Occupies the only connection.
    const slow = production.call(`/v1/servers/${server}`, token);
    await until(() => held.length === 1);
    const writes = Array.from({ length: 4 }, () =>
      production.call(`/v1/servers/${server}/tickets`, token, json({ subject: 's', body: 'b' })),
    );
    await until(async () => {
      const { rows } = await production.database.superuser.query(
        "select from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and granted",
      );
      return rows.length > 0;
    });
    const posted = (): number => upstream.requests.filter(({ method }) => method === 'POST').length;
    expect((await restrict(production, app, server, withheld, scope)).status).toBe(200);
    const atAnswer = posted();
    upstream.before = undefined;
    for (const goOn of held) goOn();
    await slow;
    const codes = (await Promise.all(writes)).map(({ body }) => body.code);
    expect(posted()).toBe(atAnswer);
    expect(codes.every((code) => code === 'unavailable' || code === `installation_${withheld}`)).toBe(true);
  });
});

describe('a delivery to a receiver', () => {
  const publishOn = (id: string): Promise<unknown> => publish(production, server, id);
  const follow = async (app: LiveApp, keyId: string): Promise<void> => {
    const body = { url: `${hookUrl}/${app.id}`, keyId, eventTypes: ['publication.published'] };
    expect((await manage(production, app, 'POST', '/endpoints', body, 'owner')).status).toBe(201);
  };
  // Each event goes to every app that the server authorises.
  const sentTo = (app: LiveApp) => received.filter(({ request }) => request.url?.endsWith(app.id));
  const statuses = async (app: LiveApp): Promise<string[]> => {
    const { rows } = await production.database.superuser.query<{ status: string }>(
      'select status from deliveries where app_id = $1 order by delivery_id',
      [app.uuid],
    );
    return rows.map(({ status }) => status);
  };

  test.each([
    'server',
    'events:read',
    'publications:read',
  ] as const)('in flight is aborted before the revocation of the %s returns, and no other delivery starts', async (what) => {
    const { app, keyId } = await installedApp();
    await follow(app, keyId);
    holds = true;
    await publishOn(`stop-${what}-1`);
    await until(() => sentTo(app).length === 1);
    const scope = what === 'server' ? undefined : what;
    expect((await restrict(production, app, server, 'revoked', scope)).status).toBe(200);
    const atAnswer = sentTo(app).length;
    await until(() => sentTo(app)[0]?.isGivenUp === true);
    holds = false;
    // A statement of the upstream API does not start a delivery either.
    await state(production, app, server, 'authorised');
    await publishOn(`stop-${what}-2`);
    await until(async () => !(await statuses(app)).includes('pending'));
    expect(sentTo(app).length).toBe(atAnswer);
    await restrict(production, app, server, 'authorised', scope);
    await publishOn(`stop-${what}-3`);
    await until(() => sentTo(app).length === atAnswer + 1);
    expect((await statuses(app)).slice(0, 1)).toEqual(['cancelled']);
  });

  // A wait that fails after the commit is answered with an error, and the attempt goes on. The repeated call waits.
  const REMOVALS: [string, (app: LiveApp) => Promise<{ status: number }>][] = [
    ['restriction of a server', (app) => restrict(production, app, server, 'paused')],
    ['restriction of a scope', (app) => restrict(production, app, server, 'revoked', 'events:read')],
    [
      'restriction of many servers',
      (app) => manage(production, app, 'POST', '/installation-changes', { serverIds: [server], state: 'paused' }),
    ],
    ['statement of the upstream API', (app) => state(production, app, server, 'paused', {}, REPEATED_VERSION)],
    [
      'statement about a scope',
      (app) => state(production, app, server, 'authorised', { 'events:read': 'revoked' }, REPEATED_VERSION),
    ],
  ];

  test.each(
    REMOVALS,
  )('in flight is aborted before a repeated %s returns, if the first one failed', async (_what, remove) => {
    const { app, keyId } = await installedApp();
    await follow(app, keyId);
    holds = true;
    await publishOn(`repeat-${app.id}`);
    await until(() => sentTo(app).length === 1);
    const { cancelInFlight } = production.plane.deliveries;
    production.plane.deliveries.cancelInFlight = () => {
      const failed = Promise.reject(new Error('The wait for the workers failed.'));
      failed.catch(() => {});
      return failed;
    };
    expect((await remove(app)).status).toBeGreaterThanOrEqual(500);
    production.plane.deliveries.cancelInFlight = cancelInFlight;
    production.errors.splice(0);
    expect(sentTo(app)[0]?.isGivenUp).toBe(false);
    expect((await remove(app)).status).toBe(200);
    await until(() => sentTo(app)[0]?.isGivenUp === true);
  });

  test('that was in flight names the organisation when the next claim holds it', async () => {
    const { app, keyId } = await installedApp();
    await follow(app, keyId);
    holds = true;
    await publishOn('cause-1');
    await until(() => sentTo(app).length === 1);
    await restrict(production, app, server, 'paused', 'publications:read');
    await until(async () => (await statuses(app))[0] === 'held');
    const { rows } = await production.database.superuser.query('select reason from deliveries where app_id = $1', [
      app.uuid,
    ]);
    expect(rows).toEqual([{ reason: 'resource_scope_paused_by_organisation' }]);
  });

  test('that is held by the organisation’s pause is sent when a member resumes the server', async () => {
    const { app, keyId } = await installedApp();
    await follow(app, keyId);
    await restrict(production, app, server, 'paused');
    await publishOn('hold-1');
    await state(production, app, server, 'paused');
    await state(production, app, server, 'authorised');
    expect(sentTo(app).length).toBe(0);
    await restrict(production, app, server, 'authorised');
    await until(() => sentTo(app).length === 1);
    await until(async () => (await statuses(app)).includes('succeeded'));
  });
});

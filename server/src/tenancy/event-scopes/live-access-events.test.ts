// The scopes that an operator approves in the Console apply to production events. An app that is approved only for
// events:read receives no event with a publication: not in the feed, not in a single read and not by webhook. An
// approval of publications:read adds new events.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../../../test/app.ts';
import { startConsole, type TestConsole } from '../../../test/console-app.ts';
import { until } from '../../../test/harness.ts';
import {
  createApplicant,
  type Detail,
  type LiveAccessApplicant,
  makeReviewer,
  type Reviewer,
} from '../../../test/live-access.fixture.ts';
import { INGEST_KEY, type Production, startProduction } from '../../../test/production.fixture.ts';
import { state } from '../../../test/restrictions.fixture.ts';
import { enrolSecondFactor } from '../../../test/second-factor.fixture.ts';
import { uuidOf } from '../../../test/sweep/copied-rows.ts';
import { remoteLink } from '../../governance/environments/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import { createOutboundClient } from '../../kit/outbound/outbound.ts';
import { startDispatcher } from '../../webhooks/dispatch/index.ts';

let production: Production;
let site: TestConsole;
let reviewer: Reviewer;
let asking: LiveAccessApplicant;
let receiver: Server;
let hookUrl: string;
let stop: () => Promise<unknown>;
let received = 0;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    received += 1;
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`; // the server listens on TCP
  hookUrl = `http://${host}/hooks`;
  production = await startProduction({ webhookAllowHosts: [host] });
  const outbound = createOutboundClient({ allowHosts: [host], allowCidrs: [] });
  const { masterKeys } = production.plane.secrets;
  const options = { db: production.dispatch, environment: 'production', outbound, masterKeys, log: () => {} } as const;
  const dispatcher = await startDispatcher(options);
  stop = async () => {
    await dispatcher.stop();
    await outbound.close();
  };
  const { managementKey } = production.options;
  const connection = {
    environment: 'production',
    managementKey,
    link: remoteLink('production', production.managementUrl),
  } as const;
  site = await startConsole('local', { production: connection });
  reviewer = await makeReviewer(site);
  asking = await createApplicant(site);
});
afterAll(async () => {
  await stop();
  await site.close();
  await production.close();
  receiver.close();
});

const server = toId('srv', newUuid());
const approve = async (scopes: readonly string[]): Promise<Detail> => {
  const submitted = await asking.submitted(scopes);
  expect((await reviewer.approve(submitted, scopes)).status).toBe(200);
  return asking.read(submitted);
};
const publish = (id: string): Promise<unknown> =>
  ask(`${production.managementUrl}/ingest/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${INGEST_KEY}` },
    body: JSON.stringify({
      id,
      type: 'publication.published',
      serverId: server,
      data: {
        id: toId('pub', newUuid()),
        serverId: server,
        channel: 'announcements',
        title: 'The November walk',
        bodyMarkdown: 'At nine.',
        status: 'published',
        author: 'Imke',
        tags: [],
        publishedAt: '2026-11-02T18:00:00.000Z',
        createdAt: '2026-11-01T20:12:44.000Z',
      },
    }),
  });

test('delivers events with a publication only while the operator approves both events:read and publications:read', async () => {
  const first = await approve(['events:read']);
  const appId = first.liveAccess?.productionAppId ?? '';
  await enrolSecondFactor(asking.owner);
  const base = `/api/production/organisations/${asking.organisation.id}/apps/${appId}`;
  const { key, token } = (
    await asking.owner.call<{ key: { id: string }; token: string }>('POST', `${base}/keys`, {
      name: 'Live',
      scopes: ['events:read'],
      expiresInDays: 14,
    })
  ).body;
  const endpoint = { url: hookUrl, keyId: key.id, eventTypes: ['publication.published'] };
  expect((await asking.owner.call('POST', `${base}/endpoints`, endpoint)).status).toBe(201);
  const organisationId = uuidOf(asking.organisation.id);
  // The server grants every scope, so only the approval is missing.
  await state(production, { ...(await production.newApp(organisationId)), id: appId }, server, 'authorised');

  const query = async <Row>(text: string): Promise<Row[]> =>
    (await production.database.superuser.query(text, [uuidOf(appId)])).rows as Row[]; // the type argument matches the columns that each caller selects
  const deliveries = async (): Promise<string[]> =>
    (
      await query<{ outcome: string }>(
        `select concat_ws(' ', status, reason) as outcome from deliveries where app_id = $1 order by delivery_id`,
      )
    ).map(({ outcome }) => outcome);
  const feed = async (): Promise<string[]> => {
    const { body } = await production.call<{ data: { id: string; type: string }[] }>('/v1/events', token);
    return body.data.filter(({ type }) => type === 'publication.published').map(({ id }) => id);
  };
  const single = async (eventId: string) => {
    const { status, body } = await production.call<{ code?: string }>(`/v1/events/${eventId}`, token);
    return [status, body.code];
  };
  /**
   * Waits until every transaction that started before the newest event has ended, so that the feed returns every
   * permitted event.
   */
  const untilFeedIsWhole = () =>
    until(async () => {
      const rows = await query(
        'select from events where app_id = $1 and xact >= pg_snapshot_xmin(pg_current_snapshot())',
      );
      return rows.length === 0;
    });

  await publish('unapproved');
  const [withheld = ''] = (
    await query<{ event_id: string }>(
      `select event_id from events where app_id = $1 and type = 'publication.published'`,
    )
  ).map(({ event_id }) => toId('evt', event_id));
  expect(await deliveries()).toEqual(['skipped resource_scope_not_approved']);
  await untilFeedIsWhole();
  expect(await feed()).toEqual([]);
  expect(await single(withheld)).toEqual([403, 'scope_not_authorised']);

  await approve(['publications:read']);
  await publish('approved');
  await until(() => received === 1);
  await until(async () => (await deliveries()).includes('succeeded'));
  expect(await deliveries()).toEqual(['skipped resource_scope_not_approved', 'succeeded']);
  expect(await single(withheld)).toEqual([200, undefined]);
  expect(await until(async () => (await feed()).length === 2 && (await feed()))).toContain(withheld);

  await reviewer.decide(first, 'revoke', { reason: 'Not used.', scopes: ['publications:read'] });
  await publish('revoked');
  await untilFeedIsWhole();
  expect([await feed(), await single(withheld)]).toEqual([[], [403, 'scope_not_authorised']]);
  expect((await deliveries()).at(-1)).toBe('skipped resource_scope_not_approved');
  expect(received).toBe(1);
});

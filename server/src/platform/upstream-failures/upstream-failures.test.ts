// An upstream API that violates the contract: operators see counts of its failures, and each affected app gets one
// notice a day without a mail.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CANARY,
  type ResponseOverride,
  raw,
  respondWith,
  respondWithoutEnd,
  truncatedResponse,
} from '../../../test/invalid-upstream-responses.fixture.ts';
import { type LiveApp, type Production, startProduction } from '../../../test/production.fixture.ts';
import { type ReferenceUpstream, startReferenceUpstream } from '../../../test/reference-upstream.ts';
import { signAssertion, signConsoleAssertion } from '../../access/authority/index.ts';
import { remoteLink } from '../../governance/environments/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { createOrigin } from '../../kit/outbound/outbound-origin.ts';

let upstream: ReferenceUpstream;
let production: Production;
beforeAll(async () => {
  upstream = await startReferenceUpstream();
  production = await startProduction({}, { url: upstream.url });
});
afterAll(async () => {
  await production.close();
  await upstream.close();
});

interface Notice {
  kind: string;
  appId: string;
  keyId: string;
  operationId: string | null;
  requestId: string | null;
}
const member = { kind: 'person', personId: 'p', name: 'imke@example.org', role: 'owner', address: null } as const;

async function noticesOf({ organisationId }: LiveApp): Promise<Notice[]> {
  const assertion = await signAssertion({ ...member, organisationId }, 'production', production.options.managementKey);
  const path = `/organisations/${toId('org', organisationId)}/notices`;
  const answer = await remoteLink(
    'production',
    production.managementUrl,
  )({ method: 'GET', path, assertion, body: undefined });
  return JSON.parse(answer.body).data;
}

interface Entry {
  operationId: string;
  kind: string;
  status: number | null;
  requestId: string;
}

/** Returns the newest entry of an operation. */
async function entryOf(operationId: string): Promise<Entry | undefined> {
  const assertion = await signConsoleAssertion('production', production.options.managementKey);
  const call = { method: 'GET', path: '/console/upstream-failures', assertion, body: undefined } as const;
  const answer = await remoteLink('production', production.managementUrl)(call);
  const { data } = JSON.parse(answer.body) as { data: Entry[] };
  return data.find((entry) => entry.operationId === operationId);
}

const yesterday = (app: LiveApp): Promise<unknown> =>
  production.database.superuser.query(
    "update notices set created_at = created_at - interval '1 day' where app_id = $1",
    [app.uuid],
  );

test('each app that received an invalid upstream response gets one notice a day, from any number of failures and nodes', async () => {
  const [one, other] = [await production.newApp(), await production.newApp()];
  const key = await one.key();
  upstream.respond = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ secret: CANARY }));
  const first = await production.call('/v1/servers', key.token);
  expect(first.status).toBe(502);
  // Another key of the app, another operation and the next flush add no notice.
  const second = await one.key();
  expect((await production.call(`/v1/tickets/${toId('tkt', one.uuid)}`, second.token)).status).toBe(502);
  await production.flushFailures();
  expect((await production.call('/v1/servers', second.token)).status).toBe(502);
  await Promise.all([production.flushFailures(), production.flushFailures()]);
  const notices = await noticesOf(one);
  const requestId = first.headers.get('request-id');
  expect(notices).toMatchObject([
    { kind: 'platform_failing', appId: one.id, keyId: key.id, operationId: 'listServers', requestId },
  ]);
  expect(JSON.stringify(notices)).not.toContain(CANARY);
  expect(await noticesOf(other)).toEqual([]);

  await yesterday(one);
  expect((await production.call('/v1/servers', key.token)).status).toBe(502);
  await production.flushFailures();
  expect((await noticesOf(one)).length).toBe(2);
  upstream.respond = undefined;
});

test('a notice about the upstream API is not mailed', async () => {
  const assertion = await signConsoleAssertion('production', production.options.managementKey);
  const planeCall = {
    method: 'POST',
    path: '/console/notices/pull',
    assertion,
    body: JSON.stringify({ taken: [] }),
  } as const;
  const answer = await remoteLink('production', production.managementUrl)(planeCall);
  expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { data: [] }]);
});

test('an upstream API that is unreachable, refuses or responds correctly causes no notice', async () => {
  const app = await production.newApp();
  const { token } = await app.key();
  const path = `/v1/tickets/${toId('tkt', app.uuid)}`;
  for (const status of [503, 504, 404, 429]) {
    upstream.respond = (_request, response) => void response.writeHead(status).end('{}');
    expect((await production.call(path, token)).status).toBe(status);
  }
  upstream.respond = undefined;
  expect((await production.call('/v1/servers', token)).status).toBe(200);
  await production.flushFailures();
  expect(await noticesOf(app)).toEqual([]);
});

test.each<[string, ResponseOverride, string, number | null]>([
  ['with another status', respondWith(500, CANARY), 'status', 500],
  ['that rejects the credentials', respondWith(403, CANARY), 'configuration', 403],
  ['of a gateway without an answer in time', respondWith(504, CANARY), 'timeout', 504],
  ['that does not fit', respondWith(200, '[]'), 'form', 200],
  ['that is too large', respondWithoutEnd(203), 'too_large', 203],
  ['that is cut off', truncatedResponse('206 Partial Content', 'end'), 'broken', 206],
  ['that is not HTTP', raw(CANARY), 'broken', null],
])('an entry about a response %s has the status of the response', async (_what, respond, kind, status) => {
  const { token } = await (await production.newApp()).key();
  upstream.respond = respond;
  const answer = await production.call('/v1/servers', token);
  upstream.respond = undefined;
  await production.flushFailures();
  const requestId = answer.headers.get('request-id');
  expect(await entryOf('listServers')).toMatchObject({ kind, status, requestId });
});

test('an entry has no status after a process of the previous version changed it', async () => {
  const { token } = await (await production.newApp()).key();
  upstream.respond = respondWith(500, CANARY);
  expect((await production.call('/v1/servers', token)).status).toBe(502);
  upstream.respond = undefined;
  await production.flushFailures();
  expect(await entryOf('listServers')).toMatchObject({ status: 500 });
  await production.database.superuser.query(
    "update upstream_failures set kind = 'unreachable', request_id = gen_random_uuid()",
  );
  expect(await entryOf('listServers')).toMatchObject({ kind: 'unreachable', status: null });
});

test('monitoring has the outcomes of requests to the upstream API and the state of its circuit breaker', async () => {
  const origin = createOrigin({ url: upstream.url, breaker: { failures: 2, pauseMs: 60_000 } });
  const send = () => origin.send({ method: 'GET', path: '/', headers: {} }).result;
  const outcomes = () => {
    const { requests, isBreakerOpen } = origin.measures();
    return [Object.fromEntries(requests.map(({ outcome, durationMs }) => [outcome, durationMs.count])), isBreakerOpen];
  };
  await send();
  expect(outcomes()).toEqual([{ response: 1 }, false]);
  upstream.respond = (request) => void request.socket.destroy();
  await send();
  await send();
  expect(outcomes()).toEqual([{ response: 1, broken: 2 }, true]);
  await send();
  expect(outcomes()).toEqual([{ response: 1, broken: 2 }, true]); // nothing was sent
  upstream.respond = undefined;
  await origin.close();
});

// Changes of an app through all parts: a plane's database, its private listener, the Console's server, a reader.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startConsole, type TestConsole, type TestVisitor } from '../../../test/console-app.ts';
import { until } from '../../../test/harness.ts';
import { foundOrganisation, type TestOrganisation } from '../../../test/organisation.fixture.ts';
import { type EventReader, headersOf, openEvents, type TailOptions } from '../../../test/tail-reader.ts';
import { fromId, newUuid, toId } from '../../kit/crypto/ids.ts';

type Reader = EventReader<{ reads: string[] }>;

let home: TestConsole;
let organisation: TestOrganisation;
let owner: TestVisitor;
let apps: string;
let app: string;
let keyId: string;
let isPlaneGone = false;
let requestCount = 0;
const open: Reader[] = [];

beforeAll(async () => {
  home = await startConsole('remote', {
    wrapLink: (link) => async (call) => {
      requestCount += 1;
      return isPlaneGone ? { status: 503, headers: {}, body: '' } : link(call);
    },
  });
  organisation = await foundOrganisation(home);
  owner = organisation.owner.visitor;
  apps = `/api/sandbox${organisation.base.replace('/api', '')}/apps`;
  app = (await owner.call<{ id: string }>('POST', apps, { name: 'Bridge' })).body.id;
  const input = { name: 'A key', scopes: ['servers:read', 'events:read', 'tickets:create'], expiresInDays: 1 };
  keyId = (await owner.call<{ key: { id: string } }>('POST', `${apps}/${app}/keys`, input)).body.key.id;
});
afterEach(() => {
  for (const reader of open.splice(0)) reader.close();
});
afterAll(() => home.close());

const sql = (text: string, values: unknown[] = []) => home.plane.database.superuser.query(text, values);

async function follow(reads: string[], visitor = owner, input: TailOptions & { after?: string } = {}): Promise<Reader> {
  const query = new URLSearchParams({
    reads: reads.join(','),
    ...(input.after !== undefined && { after: input.after }),
  });
  const headers = { ...headersOf(visitor), ...input.headers };
  const reader: Reader = await openEvents(`${home.url}${apps}/${app}/changes?${query}`, { ...input, headers });
  open.push(reader);
  if (reader.status === 200) await reader.begun();
  return reader;
}
/** Returns the reads that a stream has reported since its first event. */
const reportedReads = ({ events }: Reader): string[] => events.slice(1).flatMap(({ reads }) => reads);
/** Waits until the server has compared all reads twice more, so that it has seen every earlier change. */
async function waitForReads(reads: number): Promise<void> {
  const before = requestCount;
  await until(() => requestCount >= before + 2 * reads);
}

async function newEndpoint(): Promise<string> {
  const body = { url: 'http://127.0.0.1:1/hooks', keyId, eventTypes: ['ticket.created'] };
  return (await owner.call<{ endpoint: { id: string } }>('POST', `${apps}/${app}/endpoints`, body)).body.endpoint.id;
}
async function newDelivery(): Promise<string> {
  const before = (await readDeliveries()).length;
  const { body } = await owner.call<{ data: { serverId: string }[] }>('GET', `${apps}/${app}/installations`);
  const path = `/v1/servers/${body.data[0]?.serverId}/tickets`;
  const ticket = JSON.stringify({ subject: 'A subject', body: 'A body' });
  await owner.call('POST', `${apps}/${app}/calls`, { keyId, method: 'POST', path, body: ticket });
  await until(async () => (await readDeliveries()).length > before);
  return (await readDeliveries())[0]?.id ?? '';
}
const readDeliveries = async () =>
  (await owner.call<{ data: { id: string }[] }>('GET', `${apps}/${app}/deliveries`)).body.data;

// This test runs first: no key was used, and a use would change the list of keys.
test('keys, grants, their history and faults are reported when another member changes them, and only then', async () => {
  const { body } = await owner.call<{ data: { serverId: string }[] }>('GET', `${apps}/${app}/installations`);
  const serverId = body.data[0]?.serverId ?? '';
  const colleague = (await organisation.join('developer')).visitor;
  const reads = ['keys?limit=100', 'installations?limit=25', 'installation-changes?limit=50', 'faults'];
  const reader = await follow(reads);
  // No response contains the current time: nothing is reported without a change.
  await waitForReads(reads.length);
  expect(reportedReads(reader)).toEqual([]);

  const input = { name: 'Another key', scopes: ['servers:read'], expiresInDays: 1 };
  await colleague.call('POST', `${apps}/${app}/keys`, input);
  await until(() => reportedReads(reader).length > 0);
  await waitForReads(reads.length);
  expect(reportedReads(reader)).toEqual(['keys?limit=100']);

  const grant = `${apps}/${app}/servers/${serverId}/installation/scopes/roadmap:read`;
  expect((await colleague.call('PUT', grant, { state: 'paused' })).status).toBe(200);
  await until(() => reportedReads(reader).includes('installation-changes?limit=50'));
  await waitForReads(reads.length);
  // A list of keys has the last use of each key, so it can change meanwhile.
  const byGrant = reportedReads(reader).filter((read) => !read.startsWith('keys'));
  expect(byGrant.sort()).toEqual(['installation-changes?limit=50', 'installations?limit=25']);
  await colleague.call('PUT', grant, { state: 'authorised' });

  const fault = { operationId: null, share: 0, effect: { latencyMs: 1 } };
  const made = await colleague.call('POST', `${apps}/${app}/faults`, fault);
  expect([made.status, made.body]).toEqual([201, expect.anything()]);
  await until(() => reportedReads(reader).includes('faults'));
});

test('the stream begins with all followed reads and then reports each read whose response changes, from any cause', async () => {
  const endpointId = await newEndpoint();
  const deliveryId = await newDelivery();
  const one = [`endpoints/${endpointId}`, `deliveries/${deliveryId}`, `traces/${deliveryId}`];
  const lists = ['endpoints', 'deliveries?status=pending&limit=1', 'deliveries?status=failed', 'requests?limit=1'];
  const reader = await follow([...one, ...lists]);
  expect(reader.events[0]?.reads).toEqual([...one, ...lists]);
  await waitForReads(7);
  expect(reportedReads(reader)).toEqual([]);

  // The statement of a worker.
  await sql("update endpoint_health set recent = '0', last_failure_at = now() where endpoint_id = $1", [
    fromId('whe', endpointId),
  ]);
  await until(() => reportedReads(reader).length === 2);
  expect(reportedReads(reader)).toEqual([`endpoints/${endpointId}`, 'endpoints']);

  const ids = [fromId('app', app), fromId('dlv', deliveryId)];
  await sql(
    "insert into attempts (app_id, delivery_id, attempt_no, started_at, duration_us, outcome) values ($1, $2, 1, now(), 1, 'timeout')",
    ids,
  );
  await until(() => reportedReads(reader).length >= 5);
  expect(reportedReads(reader).slice(2)).toEqual([`deliveries/${deliveryId}`, `traces/${deliveryId}`, lists[1]]);

  await sql('delete from queue where app_id = $1 and delivery_id = $2', ids);
  await sql("update deliveries set status = 'failed', finished_at = now() where app_id = $1 and delivery_id = $2", ids);
  await until(() => reportedReads(reader).includes('deliveries?status=failed'));
  expect(reportedReads(reader)).not.toContain('requests?limit=1');

  await newDelivery(); // a delivery through a request
  await until(() => reportedReads(reader).includes('requests?limit=1'));
});

describe('a reader who reconnects with a position', () => {
  test('a reconnected stream reports exactly the reads that changed meanwhile and the reads that are new', async () => {
    const first = await follow(['endpoints', 'deliveries', 'redeliveries']);
    first.close();
    await newEndpoint();
    const next = ['redeliveries', 'endpoints', 'requests'];
    const again = [
      await follow(next, owner, { headers: { 'last-event-id': first.lastId() } }),
      await follow(next, owner, { after: first.lastId() }),
    ];
    expect(again.map(({ events }) => events[0]?.reads)).toEqual([
      ['endpoints', 'requests'],
      ['endpoints', 'requests'],
    ]);
  });

  test('a stream reports all reads as changed if the position is forged', async () => {
    const reader = await follow(['endpoints'], owner, { after: 'AAAA_-aaaaaaaaaaaaaaaaaaaaaaaaaaaa' });
    expect(reader.events[0]?.reads).toEqual(['endpoints']);
  });

  test.each([
    ['of other characters', 'no/position'],
    ['longer than any', 'A'.repeat(1_000)],
  ])('a malformed position is refused with its pointer: %s', async (_, position) => {
    const byHeader = await follow(['endpoints'], owner, { headers: { 'last-event-id': position } });
    const byQuery = await follow(['endpoints'], owner, { after: position });
    expect([byHeader, byQuery].map(({ status, problem }) => [status, problem?.errors])).toEqual([
      [400, [expect.objectContaining({ pointer: '/header/Last-Event-ID' })]],
      [400, [expect.objectContaining({ pointer: '/query/after' })]],
    ]);
  });
});

describe('reads that cannot be followed', () => {
  test.each([
    ['keys/key_01j9z3v8k6e5t8m2n4p6q8r0s4/activity'],
    ['../apps'],
    ['endpoints/../keys'],
    ['endpoints/%2e%2e/keys'],
    ['endpoints?limit=1#x'],
    ['endpoints/whe_01j9z3v8k6e5t8m2n4p6q8r0s4/secret/reveal'],
    ['deliveries/dlv_01j9z3v8k6e5t8m2n4p6q8r0s4/redeliver'],
    [''],
    [Array(11).fill('endpoints').join(',')],
    ['world/objects/key_01j9z3v8k6e5t8m2n4p6q8r0s4'],
    ['world/objects/../reset'],
    ['deliveries?status=none'],
    ['deliveries?nothing=1'],
  ])('following %s is refused with 400', async (read) => {
    const before = requestCount;
    const { status, problem } = await follow([read]);
    expect([status, problem?.errors]).toEqual([400, [expect.objectContaining({ pointer: '/query/reads' })]]);
    expect(requestCount - before).toBeLessThanOrEqual(1); // at most one read of the plane
  });

  test('a stream is refused for other organisations and without a session, and a missing object does not end it', async () => {
    const stranger = (await home.newPerson()).visitor;
    const answers = [await follow(['endpoints'], stranger), await follow(['endpoints'], home.newVisitor())];
    expect(answers.map(({ status, problem }) => [status, problem?.code])).toEqual([
      [404, 'not_found'],
      [401, 'sign_in_required'],
    ]);
    const missing = `endpoints/${toId('whe', newUuid())}`;
    const reader = await follow([missing, 'endpoints']);
    await newEndpoint();
    await until(() => reportedReads(reader).includes('endpoints'));
    expect(reportedReads(reader)).toEqual(['endpoints']);
  });
});

describe('the end of a stream of changes', () => {
  const within = 1_500; // one second, and a reserve for a slow machine

  test.each<[string, (one: Awaited<ReturnType<TestOrganisation['join']>>) => Promise<unknown>]>([
    ['when the person signs out', ({ visitor }) => visitor.call('DELETE', '/api/session')],
    [
      'when they are removed',
      ({ memberId }) => owner.call('POST', `${organisation.base}/members/${memberId}/remove`, { keys: 'keep' }),
    ],
    [
      'when the app is no longer there',
      () => sql('update apps set organisation_id = gen_random_uuid() where app_id = $1', [fromId('app', app)]),
    ],
  ])('a stream ends %s', async (_, end) => {
    const someone = await organisation.join('viewer');
    const reader = await follow(['endpoints'], someone.visitor);
    expect(reader.hasEnded()).toBe(false);
    await end(someone);
    await until(() => reader.hasEnded(), within);
    await sql('update apps set organisation_id = $1 where app_id = $2', [
      fromId('org', organisation.id),
      fromId('app', app),
    ]);
  });

  test('a stream stays open while the environment cannot be reached, and reports the changes later', async () => {
    const reader = await follow(['endpoints']);
    isPlaneGone = true;
    const before = requestCount;
    await until(() => requestCount > before);
    await sql("update endpoints set description = 'changed meanwhile' where app_id = $1", [fromId('app', app)]);
    isPlaneGone = false;
    await until(() => reportedReads(reader).length > 0);
    expect([reportedReads(reader), reader.hasEnded()]).toEqual([['endpoints'], false]);
  });
});

test('an organisation can have 30 streams of changes, apart from its tails, and a closed stream makes room', async () => {
  const readers = await Promise.all(Array.from({ length: 30 }, () => follow(['endpoints'])));
  const refused = await follow(['endpoints']);
  expect([refused.status, refused.problem?.code]).toEqual([409, 'quota_exceeded']);
  expect(refused.problem?.detail).toContain('at most 30 streams of changes');
  const tail = await openEvents(`${home.url}${apps}/${app}/request-tail`, { headers: headersOf(owner) });
  expect(tail.status).toBe(200);
  tail.close();
  readers[0]?.close();
  await until(async () => (await follow(['endpoints'])).status === 200);
});
